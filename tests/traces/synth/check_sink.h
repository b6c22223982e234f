/* A sink that holds a workload to the rules that every real trace keeps, and
 * remembers what the suites look at. */
#ifndef HEARTH_TESTS_TRACES_SYNTH_CHECK_SINK_H
#define HEARTH_TESTS_TRACES_SYNTH_CHECK_SINK_H

#include "traces/synth/synth.h"

#define CHECK_PCS 8192 /* static instructions of a kernel at most */

/* A static instruction; the kernel is known by its name. */
struct check_inst {
    bool seen;
    struct trace_sink_inst inst;
};

struct check_kernel {
    char *name;
    struct check_inst insts[CHECK_PCS]; /* by pc / 16 */
};

struct check_launch {
    const struct check_kernel *kernel;
    uint64_t warp_insts;
    uint64_t *lines; /* that global accesses touched, sorted, each once */
    size_t line_count;
};

struct check_sink {
    struct trace_sink base;
    uint64_t (*ranges)[2]; /* device memory: from, to */
    size_t range_count, last_range;
    struct check_kernel **kernels;
    size_t kernel_count;
    struct check_launch *launches;
    size_t launch_count, line_room;
    const struct trace_header *header; /* of the launch in hand */
    uint64_t blocks, hash;             /* hash: of all that a reader sees */
    uint32_t regs;                     /* of the warp in hand */
    uint32_t code_count, waits; /* instructions of the launch's function; loops that wait */
    uint32_t warps, barriers, all_barriers, lanes, live;
    uint64_t loops; /* instructions that went back to a lower pc */
    uint32_t pc;
    bool written[256]; /* registers, by the warp in hand */
    bool keep_lines;
    bool end; /* the end was reached */
};

/* Every broken rule fails the test that runs. Lines are remembered only with
 * KEEP_LINES. */
void check_sink_init(struct check_sink *sink, bool keep_lines);
void check_sink_finish(struct check_sink *sink);

/* Runs the workload NAME into SINK, which learns where memory is allocated. ARCH: NULL for the
 * workload's own. */
void check_sink_run(struct check_sink *sink, const char *name, double scale, uint64_t seed,
                    const char *arch);

/* One more word into a hash. */
uint64_t check_hash(uint64_t hash, uint64_t word);

#endif
