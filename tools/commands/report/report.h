/* hearth report: the parts of its page. Each writes a part about one run, or nothing if the run
 * does not have what it shows. */
#ifndef HEARTH_TOOLS_COMMANDS_REPORT_REPORT_H
#define HEARTH_TOOLS_COMMANDS_REPORT_REPORT_H

#include <stdio.h>

#include "tools/view/comparison.h"

#define REPORT_KERNELS 12 /* in charts, at most */

struct report {
    const struct run_view *run;
    const struct comparison *against; /* the base, compared with `run`; NULL: none */
    const char *label;                /* of the run */
    FILE *out;
};

/* How many kernels charts show. */
size_t report_shown_kernels(const struct report *report);
/* What a counter or ratio is in percent of what is possible. */
double report_issue_percent(const struct report *report, const struct view_sum *sum);
double report_percent(const struct report *report, const struct view_sum *sum,
                      enum sim_derived_index index);

/* The unit for times up to SECONDS, and its length in seconds. */
double report_time_unit(double seconds, const char **name);

void report_facts(const struct report *report);
void report_tiles(const struct report *report);
/* Those below return 0, or -1 with ERR filled. */
int report_speed_of_light(const struct report *report, struct error *err);
int report_kernels(const struct report *report, struct error *err);
int report_memory(const struct report *report, struct error *err);
int report_found(const struct report *report, struct error *err);
int report_cpi(const struct report *report, struct error *err);
int report_timeline(const struct report *report, struct error *err);
int report_roofline(const struct report *report, struct error *err);
int report_launches(const struct report *report, struct error *err);
/* Return 1 if the run did not count what they show, and write nothing. */
int report_intervals(const struct report *report, struct error *err);
int report_parts(const struct report *report, struct error *err);
int report_activity(const struct report *report, struct error *err);

#endif
