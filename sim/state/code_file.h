/* The caches of instructions in the files of l2_file.c. */
#ifndef HEARTH_SIM_STATE_CODE_FILE_H
#define HEARTH_SIM_STATE_CODE_FILE_H

#include "sim/simulator.h"
#include "traces/base/files/sealed.h"

/* What must be the same for a file to fit. */
#define CODE_FILE_SHAPE 9
extern const char *const code_file_names[CODE_FILE_SHAPE];
void code_file_shape(const struct sim *sim, uint64_t values[CODE_FILE_SHAPE]);

/* Whether files have them: SIM models them. */
static inline bool code_file_wanted(const struct sim *sim)
{
    return sim->engine.spec.sm.code.fetches;
}

/* Writes the shape, the functions that L2 may hold, and the lines of all caches of each SM, the
 * least recently used one first; an SM like the one before it is one byte. */
void code_file_put(struct sealed_out *out, const struct sim *sim);
/* Reads what follows the shape. Returns false if no caches can hold it. */
bool code_file_get(struct sealed_in *in, struct sim *sim);

/* How many of these lines may still be on their way when the next launch hands out blocks: the
 * last one ended before they came, and the latency of launches (-gpgpu_kernel_launch_latency)
 * is shorter than the rest of their way. Ports of L1 (-hearth_gcc_interval) that are still busy
 * with them count, too. Requests to L2 have been answered. */
uint32_t code_file_coming(const struct sim *sim);
/* Writes or reads, after the lines, how many of them come and when each does. Reading returns
 * false if no cache holds such a line, or if it does not come. */
void code_file_put_coming(struct sealed_out *out, const struct sim *sim);
bool code_file_get_coming(struct sealed_in *in, struct sim *sim);

/* Empties the caches. */
void code_file_forget(struct sim *sim);

#endif
