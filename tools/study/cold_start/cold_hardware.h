/* hearth study cold-start --hardware: what cold caches cost each launch, measured and
 * simulated. */
#ifndef HEARTH_TOOLS_STUDY_COLD_START_COLD_HARDWARE_H
#define HEARTH_TOOLS_STUDY_COLD_START_COLD_HARDWARE_H

#include "tools/report/report_table.h"
#include "tools/study/correlate/measured.h"
#include "tools/study/study_options.h"

/* A launch that is measured and simulated, both warm and cold. */
struct cold_launch {
    size_t program;                         /* index of its workload */
    const struct measured_launch *measured; /* its cycles, cold and warm */
    double thread_insts;
    double warm, cold; /* simulated cycles, without launch latency */
    uint64_t unknown;  /* sectors as in unknown_reads.h */
};

struct cold_hardware {
    struct measured measured;
    char **programs; /* names of the workloads, owned as are the launches */
    size_t program_count;
    struct cold_launch *launches; /* program by program, in the order of the application */
    size_t count;
};

/* Simulates WORKLOADS (NULL-terminated), each of them warm (all launches in order, in detail)
 * and with L1 and L2 flushed before each launch, as Nsight Compute does for the cold cycles,
 * and compares them with PATH, launch by launch. METRIC: the column with warm cycles, NULL as
 * in measured_read(). Returns 0, a higher exit code after a signal, or -1 with ERR filled. */
int study_cold_hardware(struct study_options *options, char **workloads, const char *path,
                        const char *metric, struct error *err);

enum cold_hardware_sheet {
    COLD_HARDWARE_CORRELATION,
    COLD_HARDWARE_THRESHOLDS,
    COLD_HARDWARE_PROGRAMS,
    COLD_HARDWARE_LAUNCHES,
    COLD_HARDWARE_SHEETS
};

/* Fills SHEETS, which the caller finishes in any case. Returns 0, or -1 without memory. */
int cold_hardware_fill(const struct cold_hardware *hardware,
                       struct report_table sheets[COLD_HARDWARE_SHEETS]);

#endif
