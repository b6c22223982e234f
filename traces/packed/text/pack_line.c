#define _GNU_SOURCE /* rawmemchr */
#include "traces/packed/text/pack_line.h"

#include <errno.h>
#include <string.h>

#include "traces/address.h"
#include "traces/packed/models/template.h"
#include "traces/text/line_address.h"

/* Lengths beyond which tails change from visit to visit; what is shorter are
 * an immediate and blanks. */
#define STATIC_TAIL "0123456789- \t\r"

/* What a line says, beside its text. */
struct line_fields {
    uint32_t mask;
    struct piece_mode mode;
    uint64_t addresses[32]; /* of the active lanes */
    bool literal;           /* its text has to be kept */
};

int pack_line_init(struct pack_line *line, const struct trace_header *header, bool ids)
{
    bool exact;
    *line = (struct pack_line){0};
    if (insts_init(&line->insts, opcode_table_for(header->binary_version, &exact)) != 0)
        return -1;
    line->reader = (struct line_reader){.insts = &line->insts,
                                        .ids = ids,
                                        .lineinfo = header->lineinfo,
                                        .version = header->version};
    return 0;
}

void pack_line_finish(struct pack_line *line)
{
    if (line->insts.items != NULL)
        insts_finish(&line->insts);
    bytes_finish(&line->tail);
}

/* ---- fields in their usual form ---------------------------------------- */

static const char *read_mask(const char *at, uint32_t *mask)
{
    uint32_t value = 0;
    for (int i = 0; i < 8; i++) {
        uint8_t digit = scan_hex_digit[(uint8_t)at[i]];
        if (digit > 15 || (at[i] >= 'A' && at[i] <= 'F'))
            return NULL;
        value = value << 4 | digit;
    }
    *mask = value;
    return at + 8;
}

/* " 0x..." with 16 digits if WIDE, else without zeros in front. */
static const char *read_address(const char *at, bool wide, uint64_t *address)
{
    if (at[0] != ' ' || at[1] != '0' || at[2] != 'x')
        return NULL;
    const char *digits = at + 3;
    uint64_t value = 0;
    int n = 0;
    for (uint8_t digit; n < 17 && (digit = scan_hex_digit[(uint8_t)digits[n]]) < 16; n++) {
        if (digits[n] >= 'A' && digits[n] <= 'F')
            return NULL;
        value = value << 4 | digit;
    }
    *address = value;
    if (n == 0 || n > 16 || (wide ? n != 16 : digits[0] == '0' && n > 1))
        return NULL;
    return digits + n;
}

/* " -123" */
static const char *read_distance(const char *at, uint64_t *distance)
{
    if (at[0] != ' ')
        return NULL;
    bool negative = at[1] == '-';
    const char *digits = at + 1 + negative;
    int64_t value;
    const char *end = scan_signed(at + 1, &value);
    if (end == NULL || (digits[0] == '0' && (end - digits > 1 || negative)))
        return NULL;
    *distance = (uint64_t)value;
    return end;
}

/* Mode and addresses, from the digit of the mode on. */
static const char *read_addresses(const char *at, bool wide, struct line_fields *fields)
{
    uint64_t *address = fields->addresses, distance;
    int n = __builtin_popcount(fields->mask);
    if (*at < '0' || *at > '2')
        return NULL;
    fields->mode = (struct piece_mode){.mode = (uint8_t)(*at++ - '0')};
    if (fields->mode.mode == 0) {
        for (int i = 0; i < n && at != NULL; i++)
            at = read_address(at, wide, &address[i]);
        return at;
    }
    at = read_address(at, wide, &fields->mode.base);
    address[0] = fields->mode.base;
    if (fields->mode.mode == 1) {
        at = at != NULL ? read_distance(at, &fields->mode.stride) : NULL;
        for (int i = 1; i < n; i++)
            address[i] = address[i - 1] + fields->mode.stride;
        return at;
    }
    for (int i = 1; i < n && at != NULL; i++) {
        at = read_distance(at, &distance);
        address[i] = at != NULL ? address[i - 1] + distance : 0;
    }
    return at;
}

/* ---- known instructions ------------------------------------------------ */

/* Compares the tail at AT, up to END, with that of INST. */
static bool same_tail(struct pack_line *line, const struct code *code,
                      const struct code_inst *inst, const char *at, const char *end,
                      uint64_t *numbers)
{
    const char *tail = code_pre(code, inst) + inst->pre + inst->post;
    if (inst->flags & CODE_DYNAMIC) {
        line->tail.size = 0;
        template_split(at, (size_t)(end - at), &line->tail, numbers);
        at = (const char *)line->tail.data;
        end = at + line->tail.size;
    }
    return (size_t)(end - at) == inst->tail && memcmp(at, tail, inst->tail) == 0;
}

/* Whether the line at AT, which ends at END, is one of INST in its usual form. */
static bool match(struct pack_line *line, const struct code *code, const struct code_inst *inst,
                  const char *at, const char *end, struct line_fields *fields,
                  uint64_t *numbers)
{
    const char *pre = code_pre(code, inst);
    size_t left = (size_t)(end - at);
    if (left < (size_t)inst->pre + 8 + inst->post || memcmp(at, pre, inst->pre) != 0)
        return false;
    at = read_mask(at + inst->pre, &fields->mask);
    if (at == NULL || memcmp(at, pre + inst->pre, inst->post) != 0)
        return false;
    at += inst->post;
    if (!(inst->flags & CODE_ADDRESSES))
        return at == end;
    at = read_addresses(at, inst->flags & CODE_WIDE, fields);
    return at != NULL && same_tail(line, code, inst, at, end, numbers);
}

/* ---- new instructions -------------------------------------------------- */

static const char *skip_tokens(const char *at, uint64_t count)
{
    for (; count > 0; count--)
        at = scan_blanks(scan_token_end(at));
    return at;
}

static bool is_wide(const char *address)
{
    int n = 0;
    if (strncmp(address, "0x0", 3) != 0)
        return false;
    while (scan_hex_digit[(uint8_t)address[2 + n]] < 16)
        n++;
    return n == 16;
}

/* Where the parts of a line that line_read() understands are. */
static void find_parts(struct pack_line *line, uint32_t inst, const char *at, const char *end,
                       struct code_text *text, const char **mask, const char **mode)
{
    const char *start = at;
    const struct insts_text *known = &line->insts.texts[inst];
    bool addresses = known->has_addresses;
    if (line->reader.ids)
        start = at = skip_tokens(scan_blanks(at), 4);
    *mask = skip_tokens(scan_blanks(at), line->reader.lineinfo ? 2 : 1);
    const char *post = scan_token_end(*mask);
    const char *behind = end;
    if (addresses)
        behind = scan_blanks(scan_blanks(post) + known->length);
    *mode = behind;
    *text = (struct code_text){.text = {start, post, ""},
                               .length = {(size_t)(*mask - start), (size_t)(behind - post), 0},
                               .flags = addresses ? CODE_ADDRESSES | CODE_MEMORY : 0};
    if (line->insts.items[inst].flags & TRACE_INST_EXIT)
        text->flags |= CODE_MEMORY;
    if (addresses && is_wide(scan_blanks(scan_token_end(behind))))
        text->flags |= CODE_WIDE;
}

/* Fills the addresses of a line in unusual form. */
static void read_loosely(const char *mode, struct line_fields *fields)
{
    uint64_t words[LINE_MAX_WORDS];
    struct line_address list = {.words = words};
    fields->mode = (struct piece_mode){0};
    if (fields->mask == 0 || line_address_read(mode, fields->mask, &list) == NULL)
        return;
    const struct trace_record record = {.mode = list.mode, .mask = fields->mask};
    uint64_t room[32];
    memcpy(fields->addresses, address_lanes(&record, words, room),
           (size_t)__builtin_popcount(fields->mask) * sizeof *words);
}

static void set_tail(struct pack_line *line, struct code_text *text, const char *at,
                     const char *end, uint64_t *numbers)
{
    text->text[2] = at;
    text->length[2] = (size_t)(end - at);
    if (strspn(at, STATIC_TAIL) >= text->length[2])
        return;
    line->tail.size = 0;
    template_split(at, text->length[2], &line->tail, numbers);
    text->text[2] = (const char *)line->tail.data;
    text->length[2] = line->tail.size;
    text->flags |= CODE_DYNAMIC;
}

/* Takes apart a line that is of none of the instructions that were tried. */
static uint32_t decode(struct pack_line *line, struct code *code, const char *at,
                       const char *end, struct line_fields *fields, uint64_t *numbers)
{
    struct line known;
    uint64_t words[LINE_MAX_WORDS];
    if (line_read(&line->reader, at, INSTS_NONE, &known, words) == NULL)
        return MAP_NONE;
    uint32_t i = known.record.inst;
    bool addresses = line->insts.texts[i].has_addresses;
    struct code_text text;
    const char *mask, *mode;
    find_parts(line, i, at, end, &text, &mask, &mode);
    fields->literal = line->reader.ids && (size_t)(text.text[0] - at) != line->ids_length;
    fields->literal |= line->reader.ids && memcmp(at, line->ids, line->ids_length) != 0;
    fields->literal |= read_mask(mask, &fields->mask) != mask + (text.text[1] - mask);
    fields->mask = known.record.mask;
    if (addresses) {
        const char *tail = read_addresses(mode, text.flags & CODE_WIDE, fields);
        fields->literal |= tail == NULL || (size_t)(text.text[1] - mask) != 8;
        if (tail != NULL)
            set_tail(line, &text, tail, end, numbers);
        else
            read_loosely(mode, fields);
    }
    return code_add(code, &text);
}

/* ---- all --------------------------------------------------------------- */

static bool add_literal(struct piece *piece, const struct bytes *before, const char *at,
                        const char *end)
{
    if (!piece_more_literals(piece))
        return false;
    size_t from = piece->texts.size;
    bytes_put(&piece->texts, before->data, before->size);
    bytes_put(&piece->texts, at, (size_t)(end - at));
    piece->literals[piece->literal_count++] =
        (struct piece_literal){piece->count, from, piece->texts.size - from};
    return !piece->texts.failed;
}

static const char *too_many(struct pack_line *line, const char *at)
{
    line->reader.failed_at = at;
    line->reader.expected =
        errno == ENOMEM ? NULL : "fewer different instructions are expected";
    return NULL;
}

static uint32_t find(struct pack_line *line, struct code *code, uint32_t previous,
                     const char *at, const char *end, struct line_fields *fields,
                     uint64_t *numbers)
{
    const char *text = at;
    bool usual = true;
    if (code->count == 0)
        code->start[0] = code->start[1] = MAP_NONE;
    if (line->reader.ids) {
        usual = (size_t)(end - at) > line->ids_length &&
                memcmp(at, line->ids, line->ids_length) == 0;
        text += line->ids_length;
    }
    const uint32_t *next = previous == MAP_NONE ? code->start : code->insts[previous].next;
    for (int i = 0; usual && i < 2 && next[i] != MAP_NONE; i++)
        if (match(line, code, &code->insts[next[i]], text, end, fields, numbers))
            return next[i];
    return decode(line, code, at, end, fields, numbers);
}

/* Cuts an active mask off the line at AT, which ends at END: *ACTIVE is set. Returns its end
 * then. */
static const char *cut_active(const char *at, const char *end, uint32_t *active)
{
    const char *mark = end - 9;
    if (mark <= at || *mark != LINE_ACTIVE || !scan_is_blank(mark[-1]) ||
        read_mask(mark + 1, active) != end)
        return end;
    return mark;
}

const char *pack_line_read(struct pack_line *line, struct code *code, uint32_t previous,
                           const char *at, const struct bytes *before, struct piece *piece)
{
    struct line_fields fields;
    uint64_t numbers[TEMPLATE_MAX_NUMBERS];
    uint32_t active = 0;
    const char *end = rawmemchr(at, '\n'), *usual_end = cut_active(at, end, &active);
    fields.literal = false;
    line->reader.failed_at = NULL;
    errno = 0;
    uint32_t i = find(line, code, previous, at, usual_end, &fields, numbers);
    if (i != MAP_NONE && usual_end != end && (fields.literal || active == fields.mask)) {
        /* not printed like this */
        usual_end = end;
        i = find(line, code, previous, at, end, &fields, numbers);
    }
    if (i == MAP_NONE)
        return line->reader.failed_at != NULL ? NULL : too_many(line, at);
    insts_follow(previous == MAP_NONE ? code->start : code->insts[previous].next, i);
    if ((fields.literal || before->size > 0) && !add_literal(piece, before, at, end))
        return too_many(line, at);
    if (!piece_add(piece, code, i, fields.mask, &fields.mode, fields.addresses, numbers))
        return too_many(line, at);
    if (usual_end != end)
        piece->actives[piece->count - 1] = active;
    return end + 1;
}
