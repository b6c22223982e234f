/* The records of a warp, or of a part of a long one, as columns: the unit in
 * which launches are packed. */
#ifndef HEARTH_TRACES_PACKED_PIECE_H
#define HEARTH_TRACES_PACKED_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/bytes.h"
#include "traces/packed/models/code.h"

/* Records of a piece at most. */
#define PIECE_MOST (1u << 16)

/* The addresses of a record with a memory operand and a mask that is not 0. */
struct piece_access {
    uint64_t first;  /* linear: address that lane 0 has or would have; else that of the first
                        active lane */
    uint64_t stride; /* linear: from lane to lane */
    uint32_t at;     /* else: one word an active lane, in `lanes` */
    bool linear;
};

/* As printed: what does not follow from the addresses. */
struct piece_mode {
    uint8_t mode;          /* 0 list, 1 base and stride, 2 base and deltas */
    uint64_t base, stride; /* if no addresses give them: mask 0; mode 1 with one lane */
};

/* A record that its columns do not print as it was. */
struct piece_literal {
    uint32_t record;
    size_t at, length; /* in `texts` */
};

struct piece {
    /* All records. */
    uint32_t count;
    uint32_t *insts, *masks;
    uint32_t *actives; /* lanes that were active; the mask where its line does not say */
    /* Those with CODE_MEMORY, in the same order. */
    uint32_t memory_count;
    uint32_t *memory_insts, *memory_masks;
    struct piece_access *accesses; /* set where there are addresses */
    struct piece_mode *modes;      /* the same */
    uint64_t *lanes;
    size_t lane_count, lane_capacity;
    /* Numbers of changing tails, record after record. */
    uint64_t *numbers;
    size_t number_count, number_capacity;
    struct piece_literal *literals;
    size_t literal_count, literal_capacity;
    struct bytes texts;
};

/* Returns 0, or -1 when memory ran out. */
int piece_init(struct piece *piece);
void piece_finish(struct piece *piece);
void piece_clear(struct piece *piece);
/* Room for MORE words in `lanes`, `numbers`, or one more literal. */
bool piece_more_lanes(struct piece *piece, size_t more);
bool piece_more_numbers(struct piece *piece, size_t more);
bool piece_more_literals(struct piece *piece);

/* Adds a record of instruction INST of CODE; where it has a memory operand,
 * with the ADDRESSES of the lanes in MASK as MODE prints them, and the NUMBERS
 * of its tail. Returns false when memory ran out. */
bool piece_add(struct piece *piece, const struct code *code, uint32_t inst, uint32_t mask,
               const struct piece_mode *mode, const uint64_t addresses[static 32],
               const uint64_t *numbers);

/* The addresses of the active lanes, in ascending lanes. */
void piece_addresses(const struct piece *piece, const struct piece_access *access,
                     uint32_t mask, uint64_t addresses[static 32]);
/* Finds the shortest form of the ADDRESSES of the lanes in MASK, not 0. Room for
 * them was made in `lanes`, and they may stand there already. */
void piece_classify(struct piece *piece, struct piece_access *access, uint32_t mask,
                    const uint64_t addresses[static 32]);
/* The mode in which the tracer prints these addresses. */
uint8_t piece_expected_mode(uint32_t mask, const uint64_t addresses[static 32]);

#endif
