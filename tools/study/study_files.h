/* The files of a study's folder: each is either complete or unchanged. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_FILES_H
#define HEARTH_TOOLS_STUDY_STUDY_FILES_H

#include <stdio.h>

#include "tools/report/plot.h"
#include "tools/report/report_table.h"
#include "tools/run/input_guard.h"
#include "traces/base/files/output_files.h"

#define STUDY_FILES_PATH 4096

struct study_files {
    const char *folder;
    struct output_files output; /* number 0 is the file that is being written */
};

/* Creates FOLDER and its parents. READS may be NULL. */
int study_files_init(struct study_files *files, const char *folder, struct input_guard *reads,
                     struct error *err);
/* Removes files that were not closed. */
void study_files_finish(struct study_files *files);

/* Opens NAME for writing; one at a time. NULL with ERR filled. */
FILE *study_files_open(struct study_files *files, const char *name, struct error *err);
int study_files_close(struct study_files *files, struct error *err);

/* Writes FOLDER/NAME.csv from SHEET. */
int study_files_sheet(struct study_files *files, const struct report_table *sheet,
                      struct error *err);
/* Writes FOLDER/NAME.svg, the chart PLOT. */
int study_files_plot(struct study_files *files, const struct plot *plot, struct error *err);
/* Writes SHEET with its title and note into a page, at most MOST rows, after its chart CHART
 * (NULL: none); nothing if it is empty. */
void study_files_show_sheet(const struct report_table *sheet, const struct plot *chart,
                            size_t most, FILE *page);
/* Prints where the page is. */
void study_files_tell(const struct study_files *files);
/* Puts a chart into a page. */
void study_files_show_plot(const struct plot *plot, FILE *page);

#endif
