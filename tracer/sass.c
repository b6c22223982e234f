#define _GNU_SOURCE /* asprintf */
#include "tracer/sass.h"
#include "tracer/pool.h"
#include "traces/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers share a word with the mode of addresses. */
#define MOST_INSTS  POOL_INSTS
#define MOST_OPCODE 128   /* characters */
#define MOST_NOTE   65000 /* its line is to be readable: SOURCE_LINE_MAX */

static void free_notes(struct sass_inst *item)
{
    free(item->note);
    free(item->waits);
}

static void free_function(struct sass_function *function)
{
    free(function->name);
    free(function->between);
}

void sass_finish(struct sass *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        free_notes(&code->items[i]);
    for (size_t i = 0; i < code->opcode_count; i++)
        free(code->opcodes[i]);
    for (size_t i = 0; i < code->function_count; i++)
        free_function(&code->functions[i]);
    free(code->items);
    free(code->opcodes);
    free(code->functions);
    *code = (struct sass){0};
}

/* Where TEXT is in the sorted opcodes, or belongs. */
static size_t search(const struct sass *code, const char *text, bool *found)
{
    size_t low = 0, high = code->opcode_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(text, code->opcodes[middle]);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    *found = false;
    return low;
}

/* The code's copy of TEXT; NULL when memory ran out. */
static const char *intern(struct sass *code, const char *text)
{
    bool found;
    size_t at = search(code, text, &found);
    if (found)
        return code->opcodes[at];
    char *copy = strdup(text);
    char **more = reallocarray(code->opcodes, code->opcode_count + 1, sizeof *more);
    if (more != NULL)
        code->opcodes = more;
    if (copy == NULL || more == NULL) {
        free(copy);
        return NULL;
    }
    memmove(&more[at + 1], &more[at], (code->opcode_count++ - at) * sizeof *more);
    return more[at] = copy;
}

/* Whether TEXT can stand in a line of a trace. */
static bool is_word(const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return length > 0 && length < MOST_OPCODE;
}

static int check(const struct sass *code, const struct tracer_inst *inst, struct error *err)
{
    if (code->count == MOST_INSTS)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "too many instructions");
    if (!is_word(inst->opcode))
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "the instruction at %#x has an invalid opcode", inst->pc);
    if (inst->dst_count > TRACE_MAX_DST || inst->src_count > TRACE_MAX_SRC)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "%s at %#x has too many registers",
                         inst->opcode, inst->pc);
    int values = inst->memory ? TRACER_MOST_VALUES : TRACE_MAX_VALUES;
    if (inst->values > (inst->second ? 0 : values) || (inst->second && !inst->memory))
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "%s at %#x has too many values",
                         inst->opcode, inst->pc);
    return 0;
}

/* What the opcode says. The operand decides about addresses, as in Accel-Sim's
 * tracer: an opcode alone does not tell constant operands from memory. */
static void classify(struct sass_inst *item, const struct tracer_inst *inst)
{
    struct trace_inst meaning = {0};
    trace_inst_decode(&meaning, inst->binary_version, inst->opcode, inst->memory);
    item->unit = meaning.unit;
    item->access = meaning.access;
    item->space = meaning.space;
    item->meaning = meaning.flags;
    if (inst->memory) {
        item->flags |= SASS_ADDRESSES | (inst->second ? SASS_SECOND : 0);
        item->inst.width = meaning.width != 0 ? meaning.width : 4;
        if (trace_inst_in_memory_view(&meaning))
            item->flags |= SASS_IN_MEMORY;
    }
    if (meaning.flags & TRACE_INST_EXIT)
        item->flags |= SASS_LEAVES | SASS_IN_MEMORY;
}

/* Whether lines with TEXT and the function's name can be read. */
static bool is_short(const struct tracer_inst *inst, const char *text)
{
    return strlen(inst->function) + strlen(text) <= MOST_NOTE &&
           strpbrk(inst->function, "\r\n") == NULL && strpbrk(text, "\r\n") == NULL;
}

/* Returns 0, or -1 when memory ran out. */
static int make_waits(struct sass *code, struct sass_inst *item, const struct tracer_inst *inst)
{
    uint32_t first;
    if (!waits_add(&code->waits, inst, &first) || !is_short(inst, ""))
        return 0;
    if (asprintf(&item->waits, "# waits %s %04x %04x", inst->function, first, inst->pc) >= 0)
        return 0;
    item->waits = NULL;
    return -1;
}

static int make_note(struct sass_inst *item, const struct tracer_inst *inst)
{
    if (inst->predicates == NULL || *inst->predicates == '\0' ||
        !is_short(inst, inst->predicates))
        return 0;
    if (asprintf(&item->note, "# predicates %s %04x %s", inst->function, inst->pc,
                 inst->predicates) >= 0)
        return 0;
    item->note = NULL;
    return -1;
}

/* Notes that INST is added: whether it is of another function than the last one, or of one that
 * was loaded again. Returns 0, or -1 when memory ran out. */
static int follow_function(struct sass *code, const struct tracer_inst *inst)
{
    size_t n = code->function_count;
    if (n > 0 && strcmp(code->functions[n - 1].name, inst->function) == 0 &&
        code->items[code->count - 1].inst.pc < inst->pc)
        return 0;
    char *name = strdup(inst->function);
    if (name == NULL || !array_room(&code->functions, n, sizeof *code->functions)) {
        free(name);
        return -1;
    }
    code->functions[code->function_count++] =
        (struct sass_function){.name = name, .first = code->count};
    return 0;
}

uint32_t sass_add(struct sass *code, const struct tracer_inst *inst, struct error *err)
{
    if (check(code, inst, err) != 0)
        return UINT32_MAX;
    if (code->count == code->capacity) {
        uint32_t capacity = code->capacity == 0 ? 1024 : 2 * code->capacity;
        struct sass_inst *more = reallocarray(code->items, capacity, sizeof *more);
        if (more == NULL) {
            error_no_memory_for(err, ERROR_OUTPUT, NULL);
            return UINT32_MAX;
        }
        code->items = more;
        code->capacity = capacity;
    }
    struct sass_inst *item = &code->items[code->count];
    *item = (struct sass_inst){
        .inst = {.pc = inst->pc,
                 .imm = (uint32_t)inst->imm,
                 .line = inst->line,
                 .opcode = intern(code, inst->opcode),
                 .dst_count = inst->dst_count,
                 .src_count = inst->src_count},
    };
    item->values = inst->values;
    memcpy(item->inst.dst, inst->dst, sizeof item->inst.dst);
    memcpy(item->inst.src, inst->src, sizeof item->inst.src);
    classify(item, inst);
    if (item->inst.opcode == NULL || follow_function(code, inst) != 0 ||
        (!inst->unsent && (make_note(item, inst) != 0 || make_waits(code, item, inst) != 0))) {
        free_notes(item);
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return UINT32_MAX;
    }
    return code->count++;
}

/* ---- between memory instructions --------------------------------------- */

static struct trace_inst meaning_of(const struct sass_inst *item)
{
    struct trace_inst inst = {.pc = item->inst.pc,
                              .flags = item->meaning,
                              .unit = item->unit,
                              .access = item->access,
                              .space = item->space,
                              .dst_count = item->inst.dst_count,
                              .src_count = item->inst.src_count};
    memcpy(inst.dst, item->inst.dst, sizeof inst.dst);
    memcpy(inst.src, item->inst.src, sizeof inst.src);
    return inst;
}

/* On the heap: of the instructions from FIRST up to END. NULL when memory ran out. */
static char *make_between(const struct sass *code, uint32_t first, uint32_t end)
{
    struct trace_inst *insts = calloc(end - first + 1, sizeof *insts);
    for (uint32_t i = first; insts != NULL && i < end; i++)
        insts[i - first] = meaning_of(&code->items[i]);
    char *text = insts != NULL ? trace_between_text(insts, end - first) : NULL;
    free(insts);
    return text;
}

const char *sass_between(struct sass *code, const char *name)
{
    size_t f = code->function_count;
    while (f > 0 && strcmp(code->functions[f - 1].name, name) != 0)
        f--;
    if (f == 0)
        return TRACE_BETWEEN_NONE;
    struct sass_function *function = &code->functions[f - 1];
    uint32_t end = f < code->function_count ? code->functions[f].first : code->count;
    if (function->between == NULL || function->between_end != end) {
        free(function->between);
        function->between = make_between(code, function->first, end);
        function->between_end = end;
    }
    return function->between;
}
