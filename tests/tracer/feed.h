/* A synthetic workload as a GPU would send it: a sink that feeds a tracer, with
 * the warps of several thread blocks in random order. */
#ifndef HEARTH_TESTS_TRACER_FEED_H
#define HEARTH_TESTS_TRACER_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/tracer.h"
#include "traces/traces.h"

struct feed_options {
    uint64_t seed;     /* of the order */
    uint32_t resident; /* blocks that run at the same time; 0 = 8 */
    uint64_t contexts; /* launches go to contexts 0, 1 ... in turn; 0 = 1 */
    uint32_t streams;  /* streams 0, 1 ... of launches in turn; 0 = 1 */
    uint32_t repeats;  /* the workload runs so often, on the same data; 0 = 1 */
    bool memory; /* only instructions that access memory are instrumented: TRACE_MODE=memory */
    bool sets;   /* copies from the host become notes of memsets */
    bool open;   /* no launch ends before the workload does */
    uint64_t stop; /* calls tracer_records() this often, then `stopped`; 0: no */
    void (*stopped)(void *data);
    void *data;
};

/* TRACER stays the caller's; OPTIONS may be NULL. */
struct trace_sink *feed_create(struct tracer *tracer, const struct feed_options *options);

/* Makes the synthetic workload NAME and feeds it to TRACER, to the end. Returns
 * 0, or -1 with ERR filled. */
int feed_run(struct tracer *tracer, const char *name, double scale,
             const struct feed_options *options, struct error *err);

#endif
