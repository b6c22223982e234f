/* What takes the place of control bits where a trace has no code: registers whose results are
 * on their way, and the distance that a compiler would keep between the instructions that write
 * and read them.
 *
 * Such traces do not name predicates and uniform registers. Instructions that can only be of
 * use by a predicate, as they write no register, are taken to set the one that the next reader
 * reads; one is a guard if its lanes are not those of the instruction before it. Each uniform
 * instruction is taken to read the result of the last one. */
#ifndef HEARTH_SIM_CORE_MODERN_SCOREBOARD_H
#define HEARTH_SIM_CORE_MODERN_SCOREBOARD_H

#include "sim/core/inst.h"
#include "sim/core/limits.h"

#define SCOREBOARD_NEVER UINT64_MAX

/* The last write of a register. */
struct scoreboard_write {
    uint64_t issued : 56; /* cycle of the issue */
    uint64_t result : 7;  /* inst_issue.result */
    uint64_t pending : 1; /* the result comes at a time that is not known yet */
};

struct scoreboard_warp {
    struct scoreboard_write writes[256];
    uint8_t readers[256]; /* instructions that have issued and not read the register yet */
    uint64_t predicate, uniform; /* cycle of the last issue that set one; 0: none */
    uint64_t last;               /* cycle of the last issue */
    uint32_t pc, mask;           /* of the last instruction */
    uint32_t late; /* of its result, if it is a wide product: so much more for the next one */
};

struct scoreboard {
    struct scoreboard_warp warps[SM_MAX_WARPS];
};

/* Sets inst_issue.predicate of INST, which has DESTINATIONS, R255 among them. */
void scoreboard_describe(struct inst *inst, const char *opcode, uint32_t destinations);

/* struct inst_issue.reader of INST, which is complete otherwise. */
uint8_t scoreboard_reader(const struct inst *inst);
/* The distance of INST, of a fixed time, to another of its kind. */
uint16_t scoreboard_fixed(const struct inst *inst);

/* WARP is a new one. */
void scoreboard_begin(struct scoreboard_warp *warp);
/* The cycle from which INST, of lanes MASK, may issue; SCOREBOARD_NEVER: it waits for another
 * instruction. */
uint64_t scoreboard_allows(const struct scoreboard_warp *warp, const struct inst *inst,
                           uint32_t mask);
/* INST issues in cycle NOW. The result of a wide product comes LATE cycles later for the next
 * instruction. */
void scoreboard_issue(struct scoreboard_warp *warp, const struct inst *inst, uint32_t mask,
                      uint64_t now, uint32_t late);
/* The sources of INST have been read; its result is there. */
void scoreboard_read(struct scoreboard_warp *warp, const struct inst *inst);
void scoreboard_written(struct scoreboard_warp *warp, const struct inst *inst);

#endif
