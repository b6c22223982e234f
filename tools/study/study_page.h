/* How the pages of studies begin: what was found, and what was studied. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_PAGE_H
#define HEARTH_TOOLS_STUDY_STUDY_PAGE_H

#include <stdio.h>

#include "tools/study/study_options.h"

/* Three sentences of conclusion; those that are "" are left out. */
#define STUDY_PAGE_SENTENCES 3
struct study_conclusion {
    char sentences[STUDY_PAGE_SENTENCES][400];
};

/* Begins the page: title, conclusion, and the operands, configuration, command, version and
 * date. * GPU: what was simulated; NULL: the configuration of OPTIONS; "": nothing. */
void study_page_begin(FILE *page, const char *title, const struct study_conclusion *conclusion,
                      const struct study_options *options, const char *gpu);

#endif
