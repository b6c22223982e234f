/* Machine code for the instructions that a generator makes: what they say and, as a compiler
 * would find them, stall counts and dependence counters. Latencies are those by which compilers
 * keep instructions of sm_90 apart; a counter is shared by many instructions, as there are six.
 *
 * The assembler looks on while warps of a launch go through its code, loops included: what one
 * turn of a loop waits for of the turn before is seen as well. Code that none of these warps
 * executes stays without control bits. */
#ifndef HEARTH_TRACES_SYNTH_HOPPER_ASSEMBLER_H
#define HEARTH_TRACES_SYNTH_HOPPER_ASSEMBLER_H

#include "traces/function.h"
#include "traces/sink.h"

struct assembler;

/* NULL when memory is short. */
struct assembler *assembler_create(void);
/* Accepts NULL. */
void assembler_destroy(struct assembler *assembler);

void assembler_begin_warp(struct assembler *assembler);
/* The warp executes INST, or if SILENT passes over it. EXTRA: bits of its code beyond
 * operation, form and registers; operation and form where EXTRA has them. Returns 0, or -1 when
 * memory is short. */
int assembler_take(struct assembler *assembler, const struct trace_sink_inst *inst, bool silent,
                   const struct trace_code *extra);

/* A loop that only waits, from the instruction at FIRST to the branch at LAST. */
void assembler_note_loop(struct assembler *assembler, uint32_t first, uint32_t last);
/* The I-th of them; false: there is none. */
bool assembler_loop(const struct assembler *assembler, size_t i, uint32_t *first,
                    uint32_t *last);

/* The code so far, in COUNT instructions, which belong to ASSEMBLER. */
struct trace_code *assembler_code(struct assembler *assembler, uint32_t *count);

#endif
