/* What launches read that nothing in the trace has put there: it was written before the trace
 * began, or by what the trace does not hold, as copies on the device in lists of older tracers.
 * Lines "# written" are inferred from these reads, so they are passed over. A simulation cannot
 * know whether L2 holds it. */
#ifndef HEARTH_TOOLS_STUDY_COLD_START_UNKNOWN_READS_H
#define HEARTH_TOOLS_STUDY_COLD_START_UNKNOWN_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

struct unknown_reads_launch {
    uint64_t launch;  /* number in the workload */
    uint64_t sectors; /* of 32 bytes, which it reads, and which no earlier launch has touched
                       * and no copy or memset in the list has written */
};

/* Zeroed: none. */
struct unknown_reads {
    struct unknown_reads_launch *launches; /* by number; owned */
    size_t count;
    bool lost; /* memory was short */
};

/* Fills READS from the traces of WORKLOAD. Returns 0, the exit code after a signal, or -1 with
 * ERR filled. */
int unknown_reads_init(struct unknown_reads *reads, const char *workload, struct error *err);
void unknown_reads_finish(struct unknown_reads *reads);

/* The sectors of LAUNCH; 0 if it is not there. */
uint64_t unknown_reads_of(const struct unknown_reads *reads, uint64_t launch);

#endif
