/* The files of a study's folder: each is complete or as it was. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_FILES_H
#define HEARTH_TOOLS_STUDY_STUDY_FILES_H

#include <stdio.h>

#include "tools/run/input_guard.h"
#include "tools/study/plot.h"
#include "tools/study/report_table.h"
#include "traces/base/error.h"

#define FILES_PATH 4096

struct files {
    const char *folder;
    struct reads *reads;   /* what no file may be; NULL: nothing is read */
    FILE *file;            /* that is being written */
    char path[FILES_PATH]; /* its name in the end */
    char part[FILES_PATH]; /* its name until then */
    bool no_gnuplot;       /* charts could not be drawn */
};

/* Makes FOLDER and those above it. READS may be NULL. */
int files_init(struct files *files, const char *folder, struct reads *reads, struct error *err);
/* Drops what was not closed. */
void files_finish(struct files *files);

/* Opens NAME for writing; one at a time. NULL with ERR filled. */
FILE *files_open(struct files *files, const char *name, struct error *err);
int files_close(struct files *files, struct error *err);

/* FOLDER/NAME of SHEET as CSV. */
int files_sheet(struct files *files, const struct sheet *sheet, struct error *err);
/* The chart PLOT of a sheet that was written. */
int files_plot(struct files *files, const struct plot *plot, struct error *err);
/* Writes SHEET with its title and note into a page, at most MOST rows, behind its chart CHART
 * (NULL: none); nothing if it is empty. */
void files_show_sheet(const struct files *files, const struct sheet *sheet, const char *chart,
                      size_t most, FILE *page);
/* Prints where the page is, and whether charts are missing. */
void files_tell(const struct files *files);
/* Puts the chart NAME, if it was drawn, into a page. */
void files_show_plot(const struct files *files, const char *name, FILE *page);

#endif
