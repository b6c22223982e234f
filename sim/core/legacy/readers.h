/* Write after read: which registers of a warp are still to be read.
 *
 * Operands are read after issue, out of order between instructions: one that
 * waits for a collector or a bank may be passed by a younger one that writes
 * its source. A scoreboard against that counts the readers of each register
 * ("Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025,
 * section 7.5, where it is set against the control bits that replace it):
 *
 *   an instruction that writes a register waits until nobody is to read it;
 *   one that reads a register waits while as many others as can be counted
 *   are to read it;
 *   an instruction counts for each of its source registers once, from its
 *   issue until it has read the last of them. */
#ifndef HEARTH_SIM_CORE_LEGACY_READERS_H
#define HEARTH_SIM_CORE_LEGACY_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/inst.h"

#define READERS_MAX 255

/* Of a warp. A zeroed one: nothing is to be read. */
struct readers {
    uint8_t of[256]; /* instructions that are to read the register */
};

/* True when INST must wait; at most MOST readers (1 .. READERS_MAX) of a register count. */
bool readers_forbid(const struct readers *readers, const struct inst *inst, uint32_t most);
/* INST has been issued; readers_forbid() was false. */
void readers_add(struct readers *readers, const struct inst *inst);
/* INST has read all its operands. */
void readers_remove(struct readers *readers, const struct inst *inst);

#endif
