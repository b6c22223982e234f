#define _GNU_SOURCE /* rawmemchr */
#include "traces/text/line.h"

#include <errno.h>

#include "traces/text/line_address.h"

#define MAX_OPCODE_LENGTH 128

static const char *fail(struct line_reader *reader, const char *at, const char *expected)
{
    reader->failed_at = at;
    reader->expected = expected;
    return NULL;
}

const char *line_read_ids(struct line_reader *reader, const char *at, uint32_t ids[static 4])
{
    /* Later: the cluster's x, y, z, the block's place in it and its rank. */
    int count = reader->version >= LINE_CLUSTERS ? 11 : 4;
    at = scan_blanks(at);
    for (int i = 0; i < count; i++) {
        uint64_t value;
        const char *end = scan_decimal(at, UINT32_MAX, &value);
        if (end == NULL || !scan_is_blank(*end))
            return fail(reader, at,
                        i < 4 ? "a thread block's x, y, z and a warp are expected"
                              : "a cluster's x, y, z, a block's place in it and its rank are "
                                "expected");
        if (i < 4)
            ids[i] = (uint32_t)value;
        at = scan_blanks(end + 1);
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
    at = scan_blanks(at);
    if (scan_equal(at, "ffffffff", 8) && at[8] == ' ') { /* the mask of most lines */
        *mask = UINT32_MAX;
        return scan_blanks(at + 9);
    }
    at = scan_hex(at, 8, &value);
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

/* The name of a register of another file than R: UR, P or UP. */
static size_t other_file(const struct line_reader *reader, const char *at)
{
    size_t n = *at == 'U';
    if (reader->version < LINE_CLUSTERS || (at[n] != 'P' && (n == 0 || at[n] != 'R')))
        return 0;
    return n + 1;
}

/* A count and as many registers. Those of other files than R make no
 * dependence: older tracers do not list them. */
static const char *read_registers(struct line_reader *reader, const char *at, int max,
                                  uint8_t *count, uint8_t *registers,
                                  const char *expected_count)
{
    uint64_t n;
    const char *end = scan_decimal(at, (uint64_t)max, &n);
    if (end == NULL || !scan_is_blank(*end))
        return fail(reader, at, expected_count);
    *count = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t number;
        at = scan_blanks(end);
        size_t other = other_file(reader, at);
        end = other > 0 || *at == 'R' ? scan_decimal(at + (other > 0 ? other : 1), 255, &number)
                                      : NULL;
        if (end == NULL || !scan_is_blank(*end))
            return fail(reader, at, "a register R0 to R255 is expected");
        if (other == 0)
            registers[(*count)++] = (uint8_t)number;
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

static bool contains(const struct insts_line *line, const char *what)
{
    return memmem(line->opcode, line->opcode_length, what, strlen(what)) != NULL;
}

/* Whether the opcode moves a tensor or a block: the fields after the width are
 * then not the addresses of lanes. */
static bool moves_tensor(const struct line_reader *reader, const struct insts_line *line)
{
    static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                        "UBLKCP",  "UBLKPF",  "UBLKRED"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (reader->version >= LINE_CLUSTERS && contains(line, names[i]))
            return true;
    return false;
}

/* Fields that are numbers, hexadecimal ones with or without 0x, to the end of
 * the line. */
static const char *skip_numbers(struct line_reader *reader, const char *at)
{
    for (at = scan_blanks(at); *at != '\n' && *at != 'N' && *at != 'V'; at = scan_blanks(at)) {
        uint64_t value;
        const char *digits = at + (*at == '-');
        digits += digits[0] == '0' && digits[1] == 'x' ? 2 : 0;
        const char *end = scan_hex(digits, 16, &value);
        if (end == NULL || !scan_is_end(*end))
            return fail(reader, at, "a number or the end of the line is expected");
        at = end;
    }
    return at;
}

/* Whether the group of matrix instructions ends here. */
static const char *read_group_end(struct line_reader *reader, const char *at,
                                  const struct insts_line *line)
{
    uint64_t value;
    if (reader->version < LINE_CLUSTERS || !contains(line, "GMMA"))
        return at;
    const char *end = scan_decimal(at, UINT32_MAX, &value);
    if (end == NULL || !scan_is_blank(*end))
        return fail(reader, at, "0 or 1 is expected: whether a group of instructions ends");
    return scan_blanks(end);
}

/* The width, and after a width of 0 the immediate. Ends the text. */
static const char *read_width(struct line_reader *reader, const char *at,
                              struct insts_line *line)
{
    const char *end = scan_decimal(at, UINT32_MAX, &line->width);
    if (end == NULL || !scan_is_end(*end))
        return fail(reader, at, "the width of a memory access, or 0, is expected");
    at = scan_blanks(end);
    if (line->width > 0 && moves_tensor(reader, line)) {
        /* Addresses of boxes, not of lanes: there is no model of them yet. */
        line->has_imm = true; /* something follows that is not looked at again */
        line->width = 0;
        return skip_numbers(reader, at) != NULL ? end : NULL;
    }
    line->has_addresses = line->width > 0;
    if (line->has_addresses || *at == '\n')
        return end;
    int64_t imm;
    end = scan_signed(at, &imm);
    if (end == NULL) /* 64 bits without a sign */
        end = scan_decimal(at, UINT64_MAX, (uint64_t *)&imm);
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
    if (at != NULL)
        at = read_group_end(reader, at, line);
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
    errno = 0;
    *inst = insts_add(reader->insts, &line);
    if (*inst == INSTS_NONE)
        return fail(reader, line.pc_text,
                    errno == ENOMEM ? NULL : "fewer different instructions are expected");
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
    struct line_address list = {.words = words};
    const char *end = line_address_read(scan_blanks(at), line->record.mask, &list);
    if (end == NULL)
        return fail(reader, list.failed_at, list.expected);
    at = scan_blanks(end);
    if (*at != '\n' && *at != '-' && (uint8_t)(*at - '0') > 9)
        return fail(reader, at, "an immediate or the end of the line is expected");
    if (inst->access != TRACE_ACCESS_NONE || reader->all_addresses) {
        line->record.mode = list.mode;
        line->words = list.count;
    }
    return at;
}

const char *line_read(struct line_reader *reader, const char *at, uint32_t previous,
                      struct line *line, uint64_t words[static LINE_MAX_WORDS])
{
    uint32_t i, mask, ids[4];
    at = scan_blanks(at);
    if (reader->ids && (at = line_read_ids(reader, at, ids)) == NULL)
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

int line_error(const struct line_reader *reader, const struct source *source, struct error *err)
{
    const char *at = reader->failed_at;
    int length = (int)(scan_token_end(at) - at);
    if (reader->expected == NULL)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    if (length == 0)
        return source_error(source, err, at, "%s", reader->expected);
    return source_error(source, err, at, "%s, not '%.*s'", reader->expected,
                        length < 40 ? length : 40, at);
}
