#include "traces/packed/models/code.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/packed/models/template.h"

/* How PRE is written: bits beside enum code_flag. */
enum {
    PRE_PC = 1 << 4,    /* a program counter */
    PRE_LINE = 1 << 5,  /* a source line before it */
    SAME_TAIL = 1 << 6, /* the last one with addresses */
};

#define FLAGS (CODE_ADDRESSES | CODE_WIDE | CODE_DYNAMIC | CODE_MEMORY)

void code_finish(struct code *code)
{
    bytes_finish(&code->text);
    free(code->insts);
    map_finish(&code->by_text);
    *code = (struct code){0};
}

static bool same(const struct code *code, const struct code_inst *inst,
                 const struct code_text *text)
{
    const char *at = code_pre(code, inst);
    return inst->flags == text->flags && inst->pre == text->length[0] &&
           inst->post == text->length[1] && inst->tail == text->length[2] &&
           memcmp(at, text->text[0], inst->pre) == 0 &&
           memcmp(at + inst->pre, text->text[1], inst->post) == 0 &&
           memcmp(at + inst->pre + inst->post, text->text[2], inst->tail) == 0;
}

static uint32_t append(struct code *code, const struct code_text *text)
{
    if (code->count == CODE_MOST_INSTS)
        return MAP_NONE;
    if (code->count == code->capacity) {
        uint32_t capacity = code->capacity > 0 ? 2 * code->capacity : 64;
        void *more = reallocarray(code->insts, capacity, sizeof *code->insts);
        if (more == NULL)
            return MAP_NONE;
        code->insts = more;
        code->capacity = capacity;
    }
    int numbers = text->flags & CODE_DYNAMIC
                      ? template_count((const uint8_t *)text->text[2], text->length[2])
                      : 0;
    if (numbers < 0 || code->text.size > UINT32_MAX / 2)
        return MAP_NONE;
    struct code_inst *inst = &code->insts[code->count];
    *inst = (struct code_inst){.at = (uint32_t)code->text.size,
                               .pre = (uint16_t)text->length[0],
                               .post = (uint16_t)text->length[1],
                               .tail = (uint16_t)text->length[2],
                               .flags = text->flags,
                               .numbers = (uint8_t)numbers,
                               .memory = code->memory_count,
                               .next = {MAP_NONE, MAP_NONE}};
    for (int i = 0; i < 3; i++)
        bytes_put(&code->text, text->text[i], text->length[i]);
    if (code->text.failed)
        return MAP_NONE;
    code->memory_count += (text->flags & CODE_MEMORY) != 0;
    return code->count++;
}

uint32_t code_add(struct code *code, const struct code_text *text)
{
    uint64_t key = text->flags;
    for (int i = 0; i < 3; i++) {
        if (text->length[i] > UINT16_MAX)
            return MAP_NONE;
        key = XXH3_64bits_withSeed(text->text[i], text->length[i], key);
    }
    if (code->count == 0)
        code->start[0] = code->start[1] = MAP_NONE;
    for (uint32_t i; (i = map_get(&code->by_text, key)) != MAP_NONE; key++)
        if (same(code, &code->insts[i], text))
            return i;
    uint32_t i = append(code, text);
    return i != MAP_NONE && map_set(&code->by_text, key, i) ? i : MAP_NONE;
}

/* ---- PRE as numbers ---------------------------------------------------- */

struct code_position {
    uint64_t line, pc;
};

static void print_pre(struct bytes *out, unsigned form, const struct code_position *position)
{
    if (form & PRE_LINE) {
        template_decimal(out, position->line);
        bytes_byte(out, ' ');
    }
    template_hex(out, position->pc, 4);
    bytes_byte(out, ' ');
}

/* The form in which PRE is two numbers, or one; 0 if it is other text. */
static unsigned split_pre(const char *pre, size_t length, struct code_position *position)
{
    char text[64];
    uint8_t printed[64]; /* more than two numbers take */
    struct bytes again = {.data = printed, .capacity = sizeof printed};
    unsigned form = PRE_PC;
    if (length >= sizeof text)
        return 0;
    memcpy(text, pre, length);
    text[length] = '\0';
    char *blank = strchr(text, ' ');
    if (blank == NULL)
        return 0;
    if (blank + 1 < text + length) {
        form |= PRE_LINE;
        position->line = strtoull(text, NULL, 10);
        position->pc = strtoull(blank + 1, NULL, 16);
    } else
        position->pc = strtoull(text, NULL, 16);
    print_pre(&again, form, position);
    return again.size == length && memcmp(printed, pre, length) == 0 ? form : 0;
}

/* ---- writing ----------------------------------------------------------- */

static void write_text(struct coder *flow, const char *text, size_t length)
{
    bytes_put(&flow->out[CODER_STATIC_TEXT], text, length);
    bytes_byte(&flow->out[CODER_STATIC_TEXT], '\n');
}

static void write_inst(const struct code *code, const struct code_inst *inst,
                       const struct code_inst *tailed, struct code_position *last,
                       struct coder *flow)
{
    struct code_position now = *last;
    const char *pre = code_pre(code, inst), *post = pre + inst->pre;
    unsigned form = split_pre(pre, inst->pre, &now);
    bool same_tail = inst->flags & CODE_ADDRESSES && tailed != NULL &&
                     tailed->tail == inst->tail &&
                     memcmp(code_pre(code, tailed) + tailed->pre + tailed->post,
                            post + inst->post, inst->tail) == 0;
    bytes_byte(&flow->out[CODER_STATIC],
               (uint8_t)(inst->flags | form | (same_tail ? SAME_TAIL : 0)));
    if (form == 0)
        write_text(flow, pre, inst->pre);
    if (form & PRE_LINE)
        coder_signed(flow, CODER_STATIC, now.line - last->line, false);
    if (form & PRE_PC)
        coder_signed(flow, CODER_STATIC, now.pc - last->pc, false);
    write_text(flow, post, inst->post);
    if (inst->flags & CODE_ADDRESSES && !same_tail)
        write_text(flow, post + inst->post, inst->tail);
    if (form != 0)
        *last = now;
}

void code_write(const struct code *code, struct coder *flow)
{
    struct code_position last = {0};
    const struct code_inst *tailed = NULL;
    coder_number(flow, CODER_STATIC, code->count, false);
    for (uint32_t i = 0; i < code->count; i++) {
        write_inst(code, &code->insts[i], tailed, &last, flow);
        if (code->insts[i].flags & CODE_ADDRESSES)
            tailed = &code->insts[i];
    }
}

/* ---- reading ----------------------------------------------------------- */

static bool read_text(struct coder *flow, struct code_text *text, int part)
{
    struct byte_reader *in = &flow->in[CODER_STATIC_TEXT];
    const uint8_t *end =
        in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
    if (end == NULL)
        return false;
    text->text[part] = (const char *)in->at;
    text->length[part] = (size_t)(end - in->at);
    in->at = end + 1;
    return true;
}

static bool read_inst(struct code *code, struct code_text *tail, struct code_position *last,
                      struct bytes *pre, struct coder *flow)
{
    uint8_t form = coder_byte(flow, CODER_STATIC, 0, true);
    struct code_text text = {.text = {"", "", ""}, .flags = form & FLAGS};
    if ((form & (CODE_ADDRESSES | CODE_MEMORY)) == CODE_ADDRESSES)
        return false; /* addresses are read from the memory stream */
    if ((form & (PRE_PC | PRE_LINE)) == 0 && !read_text(flow, &text, 0))
        return false;
    if (form & PRE_LINE)
        last->line += coder_signed(flow, CODER_STATIC, 0, true);
    if (form & PRE_PC)
        last->pc += coder_signed(flow, CODER_STATIC, 0, true);
    if (form & (PRE_PC | PRE_LINE)) {
        pre->size = 0;
        print_pre(pre, form, last);
        text.text[0] = (const char *)pre->data;
        text.length[0] = pre->size;
    }
    if (!read_text(flow, &text, 1))
        return false;
    if (form & CODE_ADDRESSES) {
        if (!(form & SAME_TAIL) && !read_text(flow, tail, 2))
            return false;
        text.text[2] = tail->text[2];
        text.length[2] = tail->length[2];
    }
    if (text.length[0] > UINT16_MAX || text.length[1] > UINT16_MAX ||
        text.length[2] > UINT16_MAX || pre->failed)
        return false;
    return append(code, &text) != MAP_NONE;
}

bool code_read(struct code *code, struct coder *flow)
{
    struct code_position last = {0};
    struct code_text tail = {.text = {"", "", ""}};
    struct bytes pre = {0};
    uint64_t count = coder_number(flow, CODER_STATIC, 0, true);
    bool ok = count < CODE_MOST_INSTS;
    for (uint64_t i = 0; ok && i < count; i++)
        ok = read_inst(code, &tail, &last, &pre, flow) && !flow->in[CODER_STATIC].bad;
    bytes_finish(&pre);
    return ok;
}
