/* What takes the place of control bits where a trace has no code: registers whose results are
 * on their way, and the distance that a compiler would keep between the instructions that write
 * and read them. */
#ifndef HEARTH_SIM_CORE_MODERN_SCOREBOARD_H
#define HEARTH_SIM_CORE_MODERN_SCOREBOARD_H

#include "sim/core/inst.h"
#include "sim/core/limits.h"

#define SCOREBOARD_NEVER UINT64_MAX

/* The last write of a register. */
struct scoreboard_write {
    uint64_t issued : 56; /* cycle of the issue */
    uint64_t unit : 7;    /* enum modern_unit */
    uint64_t pending : 1; /* the result comes at a time that is not known yet */
};

struct scoreboard_warp {
    struct scoreboard_write writes[256];
    uint8_t readers[256]; /* instructions that have issued and not read the register yet */
};

struct scoreboard {
    struct scoreboard_warp warps[SM_MAX_WARPS];
};

/* WARP is a new one. */
void scoreboard_begin(struct scoreboard_warp *warp);
/* The cycle from which INST may issue; SCOREBOARD_NEVER: it waits for another instruction. */
uint64_t scoreboard_allows(const struct scoreboard_warp *warp, const struct inst *inst);
/* INST issues in cycle NOW. */
void scoreboard_issue(struct scoreboard_warp *warp, const struct inst *inst, uint64_t now);
/* The sources of INST have been read; its result is there. */
void scoreboard_read(struct scoreboard_warp *warp, const struct inst *inst);
void scoreboard_written(struct scoreboard_warp *warp, const struct inst *inst);

#endif
