/* What a results folder says of its run: the texts of run.json, and the extrapolated values of
 * stats.txt. */
#ifndef HEARTH_TOOLS_VIEW_RUN_FACTS_H
#define HEARTH_TOOLS_VIEW_RUN_FACTS_H

#include <stdbool.h>

#define RUN_FACTS_DIGEST 17

/* Texts are "" if unknown. */
struct run_facts {
    char *version, *command, *workload, *host, *date, *stop_reason;
    char *configurations;          /* the values of -c, separated by ", " */
    char *settings;                /* the values of --set, separated by blanks */
    char digest[RUN_FACTS_DIGEST]; /* of the workload */
    bool partial;
    bool bare;           /* there is no run.json; version and date are those of other files */
    double wall_seconds; /* NaN if unknown */
    double whole_cycles, whole_cycles_error; /* of the application, if it was sampled; NaN */
};

/* Reads FOLDER; a file that is missing leaves its facts unknown. False if memory is short. */
bool run_facts_read(struct run_facts *facts, const char *folder);
/* Accepts a zeroed one. */
void run_facts_finish(struct run_facts *facts);

#endif
