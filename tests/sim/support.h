/* What the suites of the timing model share: small traces written as programs,
 * simulators of a few SMs, and packets. */
#ifndef HEARTH_TESTS_SIM_SUPPORT_H
#define HEARTH_TESTS_SIM_SUPPORT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory/replacement/replacement.h"
#include "sim/packet.h"
#include "sim/sim.h"
#include "tests/suite.h"

/* The configuration of the suites: an RTX 3070 with one SM, one DRAM channel
 * of one slice, all clocks equal, no launch latency and copies that leave L2
 * alone; then SETS, each "name=value", a NULL behind the last. */
struct sim_config *test_config(const char *const *sets);
#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_SETS   ((const char *const[]){NULL})

/* A launch. PROGRAM holds the blocks' code, separated by '#', in each the
 * warps' code, separated by '|', in each instructions, separated by ';':
 *
 *   [:NUMBER] [COUNT *] [CONTROL] [@MASK] [REGISTER ... =] OPCODE [REGISTER ...]
 *                                 ['[' WIDTH MODE ADDRESS ... ']'] ['$' IMMEDIATE]
 *
 * An instruction's address is 16 bytes times its number: 0, 1 ... of its warp's
 * code unless told; the ones behind count on from there.
 *
 * CONTROL, "{4,y,w0,r1,m3,u5}", gives the kernel machine code with control bits: stall, yield,
 * counters raised until the result is written and until the sources are read, masks
 * (hexadecimal) of the counters to wait for and of the operands to reuse. What it leaves out is
 * not there; a stall left out is 1. Instructions without CONTROL then have no code, unless one
 * behind has.
 *
 * A block of one code runs it in all of its warps; the last block's code
 * serves all blocks behind it, too. */
struct launch_text {
    unsigned blocks, threads; /* 0: 1 block, 32 threads */
    unsigned rows;            /* of the grid, into which blocks are divided; 0: 1 */
    unsigned regs, shmem, stream;
    unsigned version; /* of the binary; 0: 86 */
    unsigned id;      /* 0: 1 */
    const char *list; /* lines of the list that the launch is of; NULL: none */
    const char *program;
    const char
        *code; /* of its function: lines of functions.code behind `function`; NULL: none */
};

/* Opens the launch as a trace, through a temporary file. */
struct trace_kernel *test_kernel(const struct launch_text *text);
/* The same as functional launches read it: trace_kernel_options.rows and .between. */
struct trace_kernel *test_kernel_rows(const struct launch_text *text);

struct bench {
    struct sim_config *config;
    struct sim *sim;
};
struct bench bench_create(const char *const *sets);
/* The same of CONFIG, which becomes its own. */
struct bench bench_of(struct sim_config *config);
/* One in which no load ends: a miss queue of one packet, which no option can give, has no room
 * for a miss and a write-back. */
struct bench bench_without_loads(void);
void bench_destroy(struct bench *bench);
/* Executes a launch, which must succeed. */
struct sim_result bench_launch(struct bench *bench, const struct launch_text *text);
/* The state that sim_save() writes of it, SIZE bytes, to be freed. */
char *bench_save(struct bench *bench, size_t *size);
/* sim_restore() of such bytes. */
int bench_restore(struct bench *bench, const char *text, size_t size, struct error *err);
#define BENCH_READ "R1 = LDG.E.STRONG.GPU R2"
/* The cycles of a launch of one warp whose one instruction, WHAT, accesses the 32 bytes at
 * ADDRESS. */
uint64_t bench_access(struct bench *bench, const char *what, uint64_t address);
static inline uint64_t result_cycles(const struct sim_result *result)
{
    return result->end_cycle - result->start_cycle;
}

/* The result of one launch on a simulator of its own. */
struct sim_result launch_on(const char *const *sets, const struct launch_text *text);
/* Its cycles, for a program of one warp. */
uint64_t cycles_of(const char *const *sets, const char *program);

/* PROGRAM with COUNT copies of PART instead of '%'; lives until the next
 * call. */
const char *repeated(const char *program, unsigned count, const char *part);

/* A sectored cache of 128-byte lines that replaces the least recently used one. */
static inline struct sim_cache_config lru_cache(uint32_t sets, uint32_t ways, char write_policy,
                                                char write_allocate)
{
    return (struct sim_cache_config){
        .enabled = true,
        .sectored = true,
        .sets = sets,
        .line = 128,
        .ways = ways,
        .replacement = &cache_replacement_lru,
        .write_policy = write_policy,
        .allocate = 'm',
        .write_allocate = write_allocate,
        .set_index = 'L',
        .mshr_type = 'A',
        .mshr_entries = 8,
        .mshr_merge = 8,
        .miss_queue = 16,
        .port_width = 32,
    };
}

static inline struct packet packet_of(enum packet_kind kind, uint64_t address)
{
    return (struct packet){.address = address, .bytes = UINT32_MAX, .kind = (uint8_t)kind};
}

#endif
