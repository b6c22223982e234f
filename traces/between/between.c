#include "traces/between/between.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"
#include "traces/text/scan.h"
#include "traces/text/source.h"

#define BARRIER  'B'
#define REGISTER 'R'

/* Every reader takes the line that writers make of a table: with a newline, and "\r" if
 * somebody adds that. */
_Static_assert(sizeof BETWEEN_KEY + 1 + BETWEEN_MOST_TEXT <= SOURCE_LINE_MAX, "");

void between_finish(struct between *between)
{
    free(between->items);
    *between = (struct between){0};
}

static bool is_there(const struct trace_between *item)
{
    uint64_t all = 0;
    for (int i = 0; i < 4; i++)
        all |= item->registers[i];
    return item->barrier || all != 0;
}

static bool append(struct between *between, const struct trace_between *item)
{
    if (!array_room(&between->items, between->count, sizeof *between->items))
        return false;
    between->items[between->count++] = *item;
    return true;
}

/* ---- making ------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const struct trace_inst *x = *(const struct trace_inst *const *)a;
    const struct trace_inst *y = *(const struct trace_inst *const *)b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static bool is_memory(const struct trace_inst *inst)
{
    return inst->access != TRACE_ACCESS_NONE && trace_inst_in_memory_view(inst);
}

static void set(uint64_t registers[4], const uint8_t *from, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        if (from[i] != TRACE_REG_ZERO)
            registers[from[i] / 64] |= UINT64_C(1) << from[i] % 64;
}

/* The registers that memory instructions write. Of atomics behind a predicate, traces list the
 * result as the first source. */
static void find_loaded(const struct trace_inst *const *insts, size_t count, uint64_t loaded[4])
{
    for (size_t i = 0; i < count; i++) {
        const struct trace_inst *inst = insts[i];
        if (!is_memory(inst))
            continue;
        set(loaded, inst->dst, inst->dst_count);
        if (inst->access == TRACE_ACCESS_ATOMIC && inst->dst_count == 0)
            set(loaded, inst->src, inst->src_count > 0);
    }
}

static void note(struct trace_between *item, const struct trace_inst *inst)
{
    item->barrier |= (inst->flags & TRACE_INST_BARRIER) && !(inst->flags & TRACE_INST_ARRIVE);
    set(item->registers, inst->dst, inst->dst_count);
    set(item->registers, inst->src, inst->src_count);
}

static void print_item(const struct trace_between *item, struct bytes *out)
{
    const char *mark = ":";
    template_hex(out, item->pc, 4);
    if (item->barrier) {
        bytes_put(out, ":B", 2);
        mark = ",";
    }
    for (unsigned i = 0; i < 256; i++) {
        if (!(item->registers[i / 64] >> i % 64 & 1))
            continue;
        bytes_byte(out, (uint8_t)*mark);
        bytes_byte(out, REGISTER);
        template_decimal(out, i);
        mark = ",";
    }
}

/* Adds ITEM unless the text, whose SIZE grows, gets too long. */
static bool add(struct between *between, const struct trace_between *item, size_t *size)
{
    struct bytes text = {0};
    print_item(item, &text);
    *size += text.size + 1;
    bool ok = !text.failed && (*size > BETWEEN_MOST_TEXT || append(between, item));
    bytes_finish(&text);
    return ok;
}

bool between_make(struct between *between, const struct trace_inst **insts, size_t count)
{
    uint64_t loaded[4] = {0};
    struct trace_between item = {0};
    size_t size = 0;
    bool ok = true;
    if (count > 0)
        qsort(insts, count, sizeof *insts, compare);
    find_loaded(insts, count, loaded);
    for (size_t i = 0, next; ok && i < count; i = next) { /* those with the same PC at once */
        bool memory = false;
        for (next = i; next < count && insts[next]->pc == insts[i]->pc; next++)
            memory |= is_memory(insts[next]);
        if (memory) {
            item.pc = insts[i]->pc;
            for (int w = 0; w < 4; w++)
                item.registers[w] &= loaded[w];
            ok = !is_there(&item) || add(between, &item, &size);
            item = (struct trace_between){0};
        }
        for (size_t k = i; k < next; k++)
            if (!is_memory(insts[k]))
                note(&item, insts[k]);
    }
    return ok;
}

/* ---- text -------------------------------------------------------------- */

char *between_text(const struct between *between)
{
    struct bytes out = {0};
    for (size_t i = 0; i < between->count; i++) {
        if (i > 0)
            bytes_byte(&out, ' ');
        print_item(&between->items[i], &out);
    }
    if (between->count == 0)
        bytes_put(&out, TRACE_BETWEEN_NONE, strlen(TRACE_BETWEEN_NONE));
    bytes_byte(&out, '\0');
    if (!out.failed)
        return (char *)out.data;
    bytes_finish(&out);
    return NULL;
}

char *trace_between_text(const struct trace_inst *insts, size_t count)
{
    struct between between = {0};
    const struct trace_inst **list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] = &insts[i];
    bool ok = list != NULL && between_make(&between, list, count);
    char *text = ok ? between_text(&between) : NULL;
    between_finish(&between);
    free(list);
    return text;
}

/* Reads what follows a PC. */
static const char *read_parts(struct trace_between *item, const char *at)
{
    uint64_t number;
    if (at[0] == ':' && at[1] == BARRIER) {
        item->barrier = true;
        at += 2;
    }
    while (*at == (is_there(item) ? ',' : ':')) {
        if (at[1] != REGISTER)
            return NULL;
        at = scan_decimal(at + 2, TRACE_REG_ZERO - 1, &number);
        if (at == NULL)
            return NULL;
        item->registers[number / 64] |= UINT64_C(1) << number % 64;
    }
    return is_there(item) ? at : NULL;
}

/* Whether only blanks follow in the line at AT. */
static bool is_last(const char *at)
{
    at = scan_blanks(at);
    return *at == '\n' || *at == '\0';
}

const char *between_read(struct between *between, const char *at)
{
    if (strncmp(at, TRACE_BETWEEN_NONE, strlen(TRACE_BETWEEN_NONE)) == 0)
        return at + strlen(TRACE_BETWEEN_NONE);
    for (;;) {
        struct trace_between item = {0};
        uint64_t pc;
        const char *end = scan_hex(at, 8, &pc);
        if (end == NULL || (end = read_parts(&item, end)) == NULL ||
            (between->count > 0 && between->items[between->count - 1].pc >= pc))
            return NULL;
        item.pc = (uint32_t)pc;
        if (!append(between, &item)) {
            errno = ENOMEM;
            return NULL;
        }
        if (*end != ' ' || is_last(end))
            return end;
        at = end + 1;
    }
}

const struct trace_between *between_find(const struct between *between, uint32_t pc)
{
    size_t low = 0, high = between->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (between->items[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < between->count && between->items[low].pc == pc ? &between->items[low] : NULL;
}
