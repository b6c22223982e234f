#include "traces/packed/text/print.h"

#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"

/* No mode in particular: the one that the tracer would choose. */
#define EXPECTED 3

struct print_inst {
    uint8_t mode;    /* that was printed last, or EXPECTED */
    uint8_t numbers; /* of the tail */
    bool guarded;    /* lanes were active that did not execute it */
    uint32_t at;     /* of its numbers; twice as many */
};

void print_init(struct print *print, const struct code *code)
{
    *print = (struct print){.code = code};
    for (uint32_t i = 0; i < LAYOUT_PLACES; i++)
        print->layouts[i] = i;
}

int print_fit(struct print *print)
{
    const struct code *code = print->code;
    size_t known = print->number_count;
    void *insts = reallocarray(print->insts, code->count + 1, sizeof *print->insts);
    if (insts == NULL)
        return -1;
    print->insts = insts;
    for (uint32_t i = print->count; i < code->count; i++) {
        struct print_inst *inst = &print->insts[i];
        *inst = (struct print_inst){.mode = EXPECTED,
                                    .numbers = code->insts[i].numbers,
                                    .at = (uint32_t)print->number_count};
        print->number_count += 2 * (size_t)inst->numbers;
    }
    print->count = code->count;
    void *numbers =
        reallocarray(print->numbers, print->number_count + 1, sizeof *print->numbers);
    if (numbers == NULL)
        return -1;
    print->numbers = numbers;
    memset(print->numbers + known, 0, (print->number_count - known) * sizeof *print->numbers);
    return 0;
}

void print_finish(struct print *print)
{
    free(print->insts);
    free(print->numbers);
    *print = (struct print){0};
}

uint32_t print_layout(struct print *print, struct coder *flow, enum layout_place place,
                      uint32_t layout, bool reading)
{
    uint32_t *last = &print->layouts[place];
    if (!coder_hit(flow, CODER_LAYOUT_HITS, layout == *last, reading))
        *last = (uint32_t)coder_number(flow, CODER_LAYOUT, layout, reading);
    return *last;
}

/* ---- modes ------------------------------------------------------------- */

static bool is_plain(uint32_t mask, const struct piece_mode *mode)
{
    if (mask == 0)
        return mode->mode == 0 || (mode->base == 0 && mode->stride == 0);
    return mode->mode != 1 || (mask & (mask - 1)) != 0;
}

static void code_mode(struct print *print, struct coder *flow, uint32_t number, uint32_t mask,
                      const uint64_t addresses[static 32], struct piece_mode *mode,
                      const bool reading)
{
    struct print_inst *inst = &print->insts[number];
    uint8_t rule = piece_expected_mode(mask, addresses);
    uint8_t expected = inst->mode == EXPECTED ? rule : inst->mode;
    bool hit = !reading && mode->mode == expected && is_plain(mask, mode);
    if (coder_hit(flow, CODER_MODE_HITS, hit, reading)) {
        *mode = (struct piece_mode){.mode = expected};
        return;
    }
    mode->mode = coder_byte(flow, CODER_MODE, mode->mode, reading);
    if (mode->mode >= EXPECTED) {
        print->failed = true;
        mode->mode = 0;
    }
    bool bare = mask == 0 || ((mask & (mask - 1)) == 0 && mode->mode == 1);
    if (bare && mode->mode != 0) {
        mode->base = coder_number(flow, CODER_MODE, mode->base, reading);
        mode->stride = coder_signed(flow, CODER_MODE, mode->stride, reading);
    }
    inst->mode = mode->mode == rule ? EXPECTED : mode->mode;
}

static inline __attribute__((always_inline)) void
code_modes(struct print *print, struct coder *flow, struct piece *piece, const bool reading)
{
    uint64_t addresses[32];
    for (uint32_t i = 0; i < piece->memory_count; i++) {
        uint32_t inst = piece->memory_insts[i], mask = piece->memory_masks[i];
        if (!(print->code->insts[inst].flags & CODE_ADDRESSES))
            continue;
        if (mask != 0)
            piece_addresses(piece, &piece->accesses[i], mask, addresses);
        code_mode(print, flow, inst, mask, addresses, &piece->modes[i], reading);
    }
}

/* ---- tails ------------------------------------------------------------- */

/* Codes the numbers of a tail: the first two as far from the last visit's as
 * those were, the others as far from each other as the two before. */
static void code_tail(struct print *print, struct coder *flow, const struct print_inst *inst,
                      uint64_t *numbers, const bool reading)
{
    uint64_t *last = print->numbers + inst->at, *distance = last + inst->numbers;
    for (unsigned k = 0; k < inst->numbers; k++) {
        uint64_t expected = k < 2 ? last[k] + distance[k] : 2 * numbers[k - 1] - numbers[k - 2];
        bool hit = !reading && numbers[k] == expected;
        if (coder_hit(flow, CODER_TAIL_HITS, hit, reading))
            numbers[k] = expected;
        else
            numbers[k] = expected + coder_signed(flow, CODER_TAIL,
                                                 reading ? 0 : numbers[k] - expected, reading);
    }
    for (unsigned k = 0; k < inst->numbers; k++) {
        distance[k] = numbers[k] - last[k];
        last[k] = numbers[k];
    }
}

static inline __attribute__((always_inline)) void
code_tails(struct print *print, struct coder *flow, struct piece *piece, const bool reading)
{
    if (print->number_count == 0)
        return;
    if (reading)
        piece->number_count = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < piece->memory_count; i++) {
        const struct print_inst *inst = &print->insts[piece->memory_insts[i]];
        if (inst->numbers == 0)
            continue;
        if (reading && !piece_more_numbers(piece, inst->numbers)) {
            print->failed = true;
            return;
        }
        code_tail(print, flow, inst, piece->numbers + at, reading);
        at += inst->numbers;
        if (reading)
            piece->number_count = at;
    }
}

/* ---- active masks ------------------------------------------------------ */

/* Where some lanes of a record did not execute its instruction before, those of the record
 * before it are active again. Else all that are active execute it. */
static inline __attribute__((always_inline)) void
code_actives(struct print *print, struct coder *flow, struct piece *piece, const bool reading)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        struct print_inst *inst = &print->insts[piece->insts[i]];
        uint32_t mask = piece->masks[i], active = reading ? 0 : piece->actives[i];
        uint32_t expected = inst->guarded && (last & mask) == mask ? last : mask;
        if (coder_hit(flow, CODER_ACTIVE_HITS, active == expected, reading))
            active = expected;
        else
            active = coder_mask(flow, CODER_ACTIVE, active, reading);
        inst->guarded |= active != mask;
        piece->actives[i] = last = active;
    }
}

/* ---- odd lines --------------------------------------------------------- */

static void write_literals(struct print *print, struct coder *flow, const struct piece *piece)
{
    for (size_t i = 0; i < piece->literal_count; i++) {
        const struct piece_literal *literal = &piece->literals[i];
        coder_number(flow, CODER_LITERAL, print->since_literal + literal->record, false);
        coder_number(flow, CODER_LITERAL, literal->length, false);
        bytes_put(&flow->out[CODER_LITERAL], piece->texts.data + literal->at, literal->length);
        print->since_literal = 0 - (uint64_t)literal->record - 1;
    }
    print->since_literal += piece->count;
}

static bool read_literal(struct print *print, struct coder *flow, struct piece *piece)
{
    struct byte_reader *in = &flow->in[CODER_LITERAL];
    uint64_t length = reader_number(in);
    const uint8_t *text = reader_take(in, length);
    if (text == NULL || !piece_more_literals(piece))
        return false;
    piece->literals[piece->literal_count++] = (struct piece_literal){
        (uint32_t)(print->next_literal - print->since_literal), piece->texts.size, length};
    bytes_put(&piece->texts, text, length);
    return !piece->texts.failed;
}

static void find_literal(struct print *print, struct coder *flow)
{
    struct byte_reader *in = &flow->in[CODER_LITERAL];
    if (print->literal_known)
        return;
    print->literal_known = true;
    print->next_literal = in->at == in->end ? UINT64_MAX : reader_number(in);
}

static void read_literals(struct print *print, struct coder *flow, struct piece *piece)
{
    piece->literal_count = 0;
    piece->texts.size = 0;
    find_literal(print, flow);
    while (print->next_literal != UINT64_MAX &&
           print->next_literal - print->since_literal < piece->count) {
        uint32_t record = (uint32_t)(print->next_literal - print->since_literal);
        if (!read_literal(print, flow, piece)) {
            print->failed = true;
            return;
        }
        print->literal_known = false;
        find_literal(print, flow);
        print->since_literal = 0 - (uint64_t)record - 1;
    }
    print->since_literal += piece->count;
}

void print_write(struct print *print, struct coder *flow, struct piece *piece)
{
    code_modes(print, flow, piece, false);
    code_tails(print, flow, piece, false);
    code_actives(print, flow, piece, false);
    write_literals(print, flow, piece);
}

void print_read(struct print *print, struct coder *flow, struct piece *piece)
{
    code_modes(print, flow, piece, true);
    code_tails(print, flow, piece, true);
    code_actives(print, flow, piece, true);
    read_literals(print, flow, piece);
}
