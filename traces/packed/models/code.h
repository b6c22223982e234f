/* The static instructions of a kernel as text: what a line of the trace has
 * beside its mask, its addresses and other numbers that change. */
#ifndef HEARTH_TRACES_PACKED_MODELS_CODE_H
#define HEARTH_TRACES_PACKED_MODELS_CODE_H

#include "traces/base/map.h"
#include "traces/packed/models/coder.h"

/* A group holds fewer instructions of a kernel; more are corrupt. */
#define CODE_MOST_INSTS (1u << 22)

enum code_flag {
    CODE_ADDRESSES = 1 << 0, /* has a memory operand */
    CODE_WIDE = 1 << 1,      /* addresses have 16 digits, else as many as are needed */
    CODE_DYNAMIC = 1 << 2,   /* `tail` is a template: its numbers change */
    CODE_MEMORY = 1 << 3,    /* its records stand in the memory stream */
};

/* A line is: PRE mask POST, with CODE_ADDRESSES mode and addresses and TAIL. */
struct code_inst {
    uint32_t at;              /* of PRE in the text; POST and TAIL follow */
    uint16_t pre, post, tail; /* bytes */
    uint8_t flags;
    uint8_t numbers;  /* of the tail */
    uint32_t memory;  /* CODE_MEMORY: its number among those */
    uint32_t next[2]; /* what followed lately: a hint for parsers */
};

/* Zeroed: empty. */
struct code {
    struct bytes text;
    struct code_inst *insts;
    uint32_t count, capacity;
    uint32_t memory_count;
    struct map by_text;
    uint32_t start[2]; /* like `next`: what warps started with */
};

struct code_text {
    const char *text[3]; /* PRE, POST, TAIL */
    size_t length[3];
    uint8_t flags;
};

void code_finish(struct code *code);
/* The number of the instruction TEXT, a new one if needed; MAP_NONE when
 * memory ran out or it does not fit. */
uint32_t code_add(struct code *code, const struct code_text *text);

static inline const char *code_pre(const struct code *code, const struct code_inst *inst)
{
    return (const char *)code->text.data + inst->at;
}

/* Writes all instructions into the head streams, or reads them. Returns
 * false if what was read makes no sense. */
void code_write(const struct code *code, struct coder *flow);
bool code_read(struct code *code, struct coder *flow);

#endif
