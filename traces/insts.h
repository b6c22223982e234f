/* The static instructions of a kernel, recognised by their text. */
#ifndef HEARTH_TRACES_INSTS_H
#define HEARTH_TRACES_INSTS_H

#include <stdbool.h>

#include "traces/inst.h"
#include "traces/opcodes/opcode.h"
#include "traces/text/scan.h"

#define INSTS_NONE UINT32_MAX
/* More different instructions than any GPU's code memory holds; a trace
 * beyond that is corrupt. */
#define INSTS_MAX (1u << 24)

/* What the reader keeps of an instruction beside what it means. The text is
 * that of its lines without mask, addresses and all that follows those:
 * "PC " and "ndst Rd OPCODE nsrc Rs width [imm]". */
struct insts_text {
    uint32_t at;        /* offset in the pool */
    uint16_t pc_length; /* first part, with one blank */
    uint16_t length;    /* second part */
    bool has_addresses; /* width is not 0 */
    bool has_imm;       /* the immediate belongs to the text */
    uint32_t next[2];   /* what followed it lately: the guess for the next line */
    uint64_t hash;
};

struct insts {
    struct trace_inst *items;
    struct insts_text *texts; /* as many */
    uint64_t *counts;         /* records of those with TRACE_INST_UNKNOWN */
    uint32_t count, capacity;
    char *pool; /* texts and opcodes */
    size_t pool_used, pool_size;
    uint32_t *slots; /* open addressing, INSTS_NONE = free */
    uint32_t slot_mask;
    uint32_t start[2]; /* like `next`: what warps started with lately */
    const struct opcode_table *table;
};

/* Returns 0, or -1 when memory ran out. */
int insts_init(struct insts *insts, const struct opcode_table *table);
void insts_finish(struct insts *insts);

/* One line taken apart; texts point into it. */
struct insts_line {
    const char *pc_text, *text;
    uint16_t pc_length, length;
    bool has_addresses, has_imm;
    uint64_t width;
    const char *opcode;
    uint16_t opcode_length;
    struct trace_inst inst; /* pc, imm and registers; the rest is decoded once */
};

/* The number of the instruction that LINE shows, a new one if needed.
 * INSTS_NONE when memory ran out or there are too many. */
uint32_t insts_add(struct insts *insts, const struct insts_line *line);

/* Calls NOTE for each first token of unknown opcodes, in ascending order, with
 * how many records had it. */
void insts_unknown(const struct insts *insts,
                   void (*note)(void *data, const char *opcode, uint64_t count), void *data);

/* What may come after PREVIOUS, likeliest first; INSTS_NONE is the start of a
 * warp. */
static inline uint32_t *insts_next(struct insts *insts, uint32_t previous)
{
    return previous == INSTS_NONE ? insts->start : insts->texts[previous].next;
}

/* Notes that INST came next. */
static inline void insts_follow(uint32_t next[2], uint32_t inst)
{
    if (next[0] == inst)
        return;
    next[1] = next[0];
    next[0] = inst;
}

#endif
