#define _GNU_SOURCE /* rawmemchr */
#include "traces/line.h"

#include "traces/address.h"

#define MAX_OPCODE_LENGTH 128

static const char *fail(struct line_reader *reader, const char *at, const char *expected)
{
    reader->failed_at = at;
    reader->expected = expected;
    return NULL;
}

/* The four ids; they cost nothing but time where a block has its header. */
static const char *read_ids(struct line_reader *reader, const char *at, uint32_t ids[4])
{
    for (int i = 0; i < 4; i++) {
        uint64_t value;
        const char *end = scan_decimal(at, UINT32_MAX, &value);
        if (end == NULL || !scan_is_blank(*end))
            return fail(reader, at, "a thread block's x, y, z and a warp are expected");
        ids[i] = (uint32_t)value;
        at = scan_blanks(end);
    }
    return at;
}

static const char *read_lineinfo(struct line_reader *reader, const char *at)
{
    uint64_t number;
    const char *end = scan_decimal(at, UINT64_MAX, &number);
    if (end == NULL || !scan_is_blank(*end))
        return fail(reader, at, "a source line number is expected");
    return scan_blanks(end);
}

static const char *read_mask(const char *at, uint32_t *mask)
{
    uint64_t value;
    at = scan_hex(scan_blanks(at), 8, &value);
    if (at == NULL || !scan_is_blank(*at))
        return NULL;
    *mask = (uint32_t)value;
    return scan_blanks(at);
}

/* Whether the line at AT is one of instruction I. Returns the end of its text,
 * or NULL. This is what nearly every line goes through. */
static inline const char *match(const struct insts *insts, uint32_t i, const char *at,
                                uint32_t *mask)
{
    const struct insts_text *text = &insts->texts[i];
    const char *known = insts->pool + text->at;
    if (!scan_equal(at, known, text->pc_length))
        return NULL;
    at = read_mask(at + text->pc_length, mask);
    if (at == NULL || !scan_equal(at, known + text->pc_length, text->length))
        return NULL;
    at += text->length;
    if (text->has_addresses || text->has_imm)
        return scan_is_end(*at) ? at : NULL;
    return *scan_blanks(at) == '\n' ? at : NULL;
}

/* A count and as many registers. */
static const char *read_registers(struct line_reader *reader, const char *at, int max,
                                  uint8_t *count, uint8_t *registers,
                                  const char *expected_count)
{
    uint64_t n;
    const char *end = scan_decimal(at, (uint64_t)max, &n);
    if (end == NULL || !scan_is_blank(*end))
        return fail(reader, at, expected_count);
    *count = (uint8_t)n;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t number;
        at = scan_blanks(end);
        end = *at == 'R' ? scan_decimal(at + 1, 255, &number) : NULL;
        if (end == NULL || !scan_is_blank(*end))
            return fail(reader, at, "a register R0 to R255 is expected");
        registers[i] = (uint8_t)number;
    }
    return scan_blanks(end);
}

static const char *read_opcode(struct line_reader *reader, const char *at,
                               struct insts_line *line)
{
    const char *end = at;
    while (*end > ' ' && *end <= '~')
        end++;
    if (*at < 'A' || *at > 'Z' || !scan_is_blank(*end) || end - at > MAX_OPCODE_LENGTH)
        return fail(reader, at, "an opcode is expected");
    line->opcode = at;
    line->opcode_length = (uint16_t)(end - at);
    return scan_blanks(end);
}

/* The width, and behind a width of 0 the immediate. Ends the text. */
static const char *read_width(struct line_reader *reader, const char *at,
                              struct insts_line *line)
{
    const char *end = scan_decimal(at, UINT32_MAX, &line->width);
    if (end == NULL || !scan_is_end(*end))
        return fail(reader, at, "the width of a memory access, or 0, is expected");
    line->has_addresses = line->width > 0;
    at = scan_blanks(end);
    if (line->has_addresses || *at == '\n')
        return end;
    int64_t imm;
    end = scan_signed(at, &imm);
    if (end == NULL || !scan_is_end(*end))
        return fail(reader, at, "an immediate or the end of the line is expected");
    line->has_imm = true;
    line->inst.imm = (uint32_t)imm;
    return end;
}

static const char *read_operands(struct line_reader *reader, const char *at,
                                 struct insts_line *line)
{
    struct trace_inst *inst = &line->inst;
    at = read_registers(reader, at, TRACE_MAX_DST, &inst->dst_count, inst->dst,
                        "the number of destinations, 0 to 4, is expected");
    if (at != NULL)
        at = read_opcode(reader, at, line);
    if (at != NULL)
        at = read_registers(reader, at, TRACE_MAX_SRC, &inst->src_count, inst->src,
                            "the number of sources, 0 to 8, is expected");
    return at != NULL ? read_width(reader, at, line) : NULL;
}

/* Takes a line apart that was not foreseen. Returns the end of its text. */
static const char *decode(struct line_reader *reader, const char *at, uint32_t *inst,
                          uint32_t *mask)
{
    struct insts_line line = {.pc_text = at};
    uint64_t pc;
    const char *end = scan_hex(at, 8, &pc);
    if (end == NULL || !scan_is_blank(*end) || end - at > 16)
        return fail(reader, at, "a program counter of at most 32 bits is expected");
    line.inst.pc = (uint32_t)pc;
    line.pc_length = (uint16_t)(end + 1 - at);
    at = scan_blanks(end);
    line.text = read_mask(at, mask);
    if (line.text == NULL)
        return fail(reader, at, "an active mask of 32 bits is expected");
    at = read_operands(reader, line.text, &line);
    if (at == NULL)
        return NULL;
    if (at - line.text > UINT16_MAX)
        return fail(reader, line.text, "a shorter line is expected");
    line.length = (uint16_t)(at - line.text);
    *inst = insts_add(reader->insts, &line);
    if (*inst == INSTS_NONE)
        return fail(reader, line.pc_text,
                    "fewer different instructions are expected, or more memory");
    return at;
}

/* Finds the instruction of a line: among those that followed PREVIOUS before,
 * else by its text. */
static inline const char *find(struct line_reader *reader, const char *at, uint32_t previous,
                               uint32_t *inst, uint32_t *mask)
{
    uint32_t *next = insts_next(reader->insts, previous);
    for (int i = 0; i < 2 && next[i] != INSTS_NONE; i++) {
        const char *end = match(reader->insts, next[i], at, mask);
        if (end != NULL) {
            *inst = next[i];
            insts_follow(next, *inst);
            return end;
        }
    }
    const char *end = decode(reader, at, inst, mask);
    if (end != NULL) /* the table may have moved */
        insts_follow(insts_next(reader->insts, previous), *inst);
    return end;
}

/* The addresses, if they mean something, and a look at what follows. */
static const char *read_addresses(struct line_reader *reader, const char *at,
                                  const struct trace_inst *inst, struct line *line,
                                  uint64_t *words)
{
    struct address_list list = {.words = words};
    const char *end = address_read(scan_blanks(at), line->record.mask, &list);
    if (end == NULL)
        return fail(reader, list.failed_at, list.expected);
    at = scan_blanks(end);
    if (*at != '\n' && *at != '-' && (uint8_t)(*at - '0') > 9)
        return fail(reader, at, "an immediate or the end of the line is expected");
    if (inst->access != TRACE_ACCESS_NONE) {
        line->record.mode = list.mode;
        line->words = list.count;
    }
    return at;
}

const char *line_read(struct line_reader *reader, const char *at, uint32_t previous,
                      struct line *line, uint64_t words[static LINE_MAX_WORDS])
{
    uint32_t i, mask;
    at = scan_blanks(at);
    if (reader->ids && (at = read_ids(reader, at, line->ids)) == NULL)
        return NULL;
    if (reader->lineinfo && (at = read_lineinfo(reader, at)) == NULL)
        return NULL;
    at = find(reader, at, previous, &i, &mask);
    if (at == NULL)
        return NULL;
    line->record = (struct trace_record){.inst = i, .mask = mask};
    line->words = 0;
    const struct trace_inst *inst = &reader->insts->items[i];
    if (reader->insts->texts[i].has_addresses) {
        at = read_addresses(reader, at, inst, line, words);
        if (at == NULL)
            return NULL;
    }
    if (inst->flags & TRACE_INST_UNKNOWN)
        reader->insts->counts[i]++;
    return *at == '\n' ? at + 1 : (const char *)rawmemchr(at, '\n') + 1;
}
