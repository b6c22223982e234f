/* Synthetic workloads: instruction traces that no GPU ran. The instruction
 * sequences have the shape of what nvcc generates for such kernels; the
 * addresses are those of the algorithm on its data. Each workload is described
 * in docs/synthetic-workloads.md. Public header of the library `synth`. */
#ifndef HEARTH_TRACES_SYNTH_SYNTH_WORKLOADS_H
#define HEARTH_TRACES_SYNTH_SYNTH_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"
#include "traces/sink.h"

#define TRACE_SYNTH_SCALE_MIN 0.001
#define TRACE_SYNTH_SCALE_MAX 1000.0

struct trace_synth_options {
    double scale; /* size of the problem, TRACE_SYNTH_SCALE_MIN to _MAX; the number of
                     instructions is roughly proportional to it. 1 is the command's default */
    uint64_t
        seed; /* of generated data: graphs, matrices, samples. The command's default is 1 */
    const char *arch; /* "sm_70", "sm_75", "sm_80", "sm_86" or "sm_90"; NULL: "sm_86", or
                         "sm_90" for workloads that need it */
    const char *const *parameters; /* "name=value", of the workload: trace_synth_parameter() */
    size_t parameter_count;
};

/* The name of workload I, counted from 0, with *DESCRIPTION set to one line
 * about it; NULL after the last. Both strings are static. */
const char *trace_synth_name(size_t i, const char **description);

/* The name of parameter I of the WORKLOAD, counted from 0, with *DESCRIPTION set to one line
 * about it and its values to what they can be; NULL after the last. */
const char *trace_synth_parameter(const char *workload, size_t i, const char **description,
                                  uint32_t *initial, uint32_t *least, uint32_t *most);

/* Generates the workload NAME and passes it to SINK, from `begin` to `end`. The
 * same arguments give the same calls on every machine. Memory use does not
 * depend on the length of the workload. Returns 0, or -1 with ERR filled:
 * ERROR_USAGE for an unknown name or an invalid option, else the sink's error. */
int trace_synth(const char *name, const struct trace_synth_options *options,
                struct trace_sink *sink, struct error *err);

#endif
