/* The text stream: what only matters to print a launch as it was, beside what
 * its records say: modes of addresses, tails that change, odd lines, and the
 * lines around blocks and warps. */
#ifndef HEARTH_TRACES_PACKED_TEXT_PRINT_H
#define HEARTH_TRACES_PACKED_TEXT_PRINT_H

#include "traces/packed/models/code.h"
#include "traces/packed/piece.h"

/* Where a text stands that is not an instruction's. */
enum layout_place {
    LAYOUT_BLOCK, /* before a block's first warp */
    LAYOUT_WARP,  /* before a warp's first line */
    LAYOUT_END,   /* after a block's last line */
    LAYOUT_FILE,  /* after the last block */
    LAYOUT_PLACES
};

/* The texts of a group; the first LAYOUT_PLACES are those that the tracer's
 * grouping writes. Numbers of blocks, warps and records in them are
 * TEMPLATE_MARK TEMPLATE_DECIMAL. */
struct layouts {
    struct bytes text;
    struct text_layout {
        size_t at, length;
    } * items;
    uint32_t count, capacity;
};

/* Puts the tracer's texts in. Returns 0, or -1 when memory ran out. */
int layouts_init(struct layouts *layouts);
void layouts_finish(struct layouts *layouts);
/* The number of a text, which is defined in FLOW if it is new; UINT32_MAX when
 * memory ran out. */
uint32_t layouts_add(struct layouts *layouts, struct coder *flow, const void *text,
                     size_t length);
/* Reads a definition. */
bool layouts_read(struct layouts *layouts, struct coder *flow);

/* The text that the tracer's grouping writes at PLACE. */
const char *layouts_standard(enum layout_place place);

struct print_inst;

/* The state of one part of a launch. */
struct print {
    const struct code *code;
    struct print_inst *insts;
    uint32_t count;
    uint64_t *numbers; /* of tails, by instruction: last and distance */
    size_t number_count;
    uint32_t layouts[LAYOUT_PLACES]; /* the last ones */
    uint64_t since_literal;          /* records */
    uint64_t next_literal;           /* reading: records up to the next; UINT64_MAX: none */
    bool literal_known;
    bool failed;
};

void print_init(struct print *print, const struct code *code);
/* Makes room for all instructions that the code has by now. Returns 0, or -1
 * when memory ran out. */
int print_fit(struct print *print);
void print_finish(struct print *print);

/* Codes the number of the text at PLACE. */
uint32_t print_layout(struct print *print, struct coder *flow, enum layout_place place,
                      uint32_t layout, bool reading);
/* Codes what a piece has for its text beside its records. */
void print_write(struct print *print, struct coder *flow, struct piece *piece);
void print_read(struct print *print, struct coder *flow, struct piece *piece);

#endif
