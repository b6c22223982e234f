/* stats.csv and profile.csv of a context. Functions return 0, or -1 with ERR filled. */
#ifndef HEARTH_TRACER_OUTPUT_TABLES_H
#define HEARTH_TRACER_OUTPUT_TABLES_H

#include "tracer/output/output.h"

/* Makes the file in FOLDER, with its header. */
int tables_begin_stats(struct tracer_output *output, const char *folder, const char *infix,
                       struct error *err);
int tables_begin_profile(struct tracer_output *output, const char *folder, const char *infix,
                         struct error *err);
/* Completes both, those that there are. */
int tables_end(struct tracer_output *output, struct error *err);
/* Closes both. */
void tables_finish(struct tracer_output *output);

/* A line of stats.csv. */
int tables_stats(struct tracer_output *output, const struct trace_header *header,
                 uint64_t insts, uint64_t reported, struct error *err);
/* A line of profile.csv. */
int tables_profile(struct tracer_output *output, const struct trace_header *header,
                   const struct tracer_counts *counts, struct error *err);

#endif
