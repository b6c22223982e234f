#define _GNU_SOURCE /* qsort_r */
#include "traces/insts.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define FIRST_CAPACITY 256
#define FIRST_SLOTS    1024 /* power of two, at least twice the instructions */
#define FIRST_POOL     16384
#define POOL_PADDING   8 /* scan_equal() loads beyond the end */

int insts_init(struct insts *insts, const struct opcode_table *table)
{
    *insts = (struct insts){.table = table,
                            .capacity = FIRST_CAPACITY,
                            .pool_size = FIRST_POOL,
                            .slot_mask = FIRST_SLOTS - 1,
                            .start = {INSTS_NONE, INSTS_NONE}};
    insts->items = malloc(FIRST_CAPACITY * sizeof *insts->items);
    insts->texts = malloc(FIRST_CAPACITY * sizeof *insts->texts);
    insts->counts = malloc(FIRST_CAPACITY * sizeof *insts->counts);
    insts->pool = calloc(1, FIRST_POOL);
    insts->slots = malloc(FIRST_SLOTS * sizeof *insts->slots);
    if (!insts->items || !insts->texts || !insts->counts || !insts->pool || !insts->slots) {
        insts_finish(insts);
        return -1;
    }
    memset(insts->slots, 0xff, FIRST_SLOTS * sizeof *insts->slots);
    return 0;
}

void insts_finish(struct insts *insts)
{
    free(insts->items);
    free(insts->texts);
    free(insts->counts);
    free(insts->pool);
    free(insts->slots);
    *insts = (struct insts){0};
}

/* Doubles *ARRAY, of COUNT elements of SIZE bytes. */
static bool grow(void *array, size_t count, size_t size)
{
    void **at = array;
    void *larger = reallocarray(*at, 2 * count, size);
    if (larger != NULL)
        *at = larger;
    return larger != NULL;
}

static bool grow_items(struct insts *insts)
{
    if (insts->capacity >= INSTS_MAX)
        return false;
    if (!grow(&insts->items, insts->capacity, sizeof *insts->items) ||
        !grow(&insts->texts, insts->capacity, sizeof *insts->texts) ||
        !grow(&insts->counts, insts->capacity, sizeof *insts->counts))
        return false;
    insts->capacity *= 2;
    return true;
}

static bool grow_slots(struct insts *insts)
{
    size_t count = (size_t)insts->slot_mask + 1;
    uint32_t *slots = malloc(2 * count * sizeof *slots);
    if (slots == NULL)
        return false;
    memset(slots, 0xff, 2 * count * sizeof *slots);
    uint32_t mask = (uint32_t)(2 * count - 1);
    for (uint32_t i = 0; i < insts->count; i++) {
        uint32_t slot = (uint32_t)insts->texts[i].hash & mask;
        while (slots[slot] != INSTS_NONE)
            slot = (slot + 1) & mask;
        slots[slot] = i;
    }
    free(insts->slots);
    insts->slots = slots;
    insts->slot_mask = mask;
    return true;
}

static bool grow_pool(struct insts *insts, size_t more)
{
    while (insts->pool_used + more + POOL_PADDING > insts->pool_size) {
        if (insts->pool_size > UINT32_MAX / 4 || !grow(&insts->pool, insts->pool_size, 1))
            return false;
        memset(insts->pool + insts->pool_size, 0, insts->pool_size);
        insts->pool_size *= 2;
    }
    return true;
}

static uint32_t append(struct insts *insts, const char *text, size_t length)
{
    uint32_t at = (uint32_t)insts->pool_used;
    memcpy(insts->pool + at, text, length);
    insts->pool_used += length;
    return at;
}

static uint64_t hash_line(const struct insts_line *line)
{
    uint64_t pc = XXH3_64bits(line->pc_text, line->pc_length);
    return XXH3_64bits_withSeed(line->text, line->length, pc);
}

static bool same_text(const struct insts *insts, const struct insts_text *text,
                      const struct insts_line *line, uint64_t hash)
{
    const char *at = insts->pool + text->at;
    return text->hash == hash && text->pc_length == line->pc_length &&
           text->length == line->length && text->has_imm == line->has_imm &&
           memcmp(at, line->pc_text, line->pc_length) == 0 &&
           memcmp(at + line->pc_length, line->text, line->length) == 0;
}

/* Where the line stands in the hash table, or the free slot for it. */
static uint32_t *find_slot(struct insts *insts, const struct insts_line *line, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & insts->slot_mask;
    while (insts->slots[slot] != INSTS_NONE &&
           !same_text(insts, &insts->texts[insts->slots[slot]], line, hash))
        slot = (slot + 1) & insts->slot_mask;
    return &insts->slots[slot];
}

static void fill(struct insts *insts, uint32_t i, const struct insts_line *line, uint64_t hash)
{
    struct insts_text *text = &insts->texts[i];
    *text = (struct insts_text){.pc_length = line->pc_length,
                                .length = line->length,
                                .has_addresses = line->has_addresses,
                                .has_imm = line->has_imm,
                                .next = {INSTS_NONE, INSTS_NONE},
                                .hash = hash};
    text->at = append(insts, line->pc_text, line->pc_length);
    append(insts, line->text, line->length);
    insts->counts[i] = 0;
    struct trace_inst *inst = &insts->items[i];
    *inst = line->inst;
    inst->opcode = append(insts, line->opcode, line->opcode_length);
    insts->pool[insts->pool_used++] = '\0';
    opcode_decode(insts->table, line->opcode, line->opcode_length, line->width, inst);
}

uint32_t insts_add(struct insts *insts, const struct insts_line *line)
{
    uint64_t hash = hash_line(line);
    uint32_t *slot = find_slot(insts, line, hash);
    if (*slot != INSTS_NONE)
        return *slot;
    size_t bytes = (size_t)line->pc_length + line->length + line->opcode_length + 1;
    if (insts->count == insts->capacity && !grow_items(insts))
        return INSTS_NONE;
    if (!grow_pool(insts, bytes))
        return INSTS_NONE;
    if (insts->count > insts->slot_mask / 2) {
        if (!grow_slots(insts))
            return INSTS_NONE;
        slot = find_slot(insts, line, hash);
    }
    uint32_t i = insts->count++;
    *slot = i;
    fill(insts, i, line, hash);
    return i;
}

/* ---- unknown opcodes --------------------------------------------------- */

/* The dotted opcode of instruction I, and the length of its first token. */
static const char *opcode_of(const struct insts *insts, uint32_t i, size_t *name_length)
{
    const char *opcode = insts->pool + insts->items[i].opcode;
    *name_length = opcode_name_length(opcode, strlen(opcode));
    return opcode;
}

/* Orders instructions, given by their numbers, by name. */
static int compare_names(const void *a, const void *b, void *insts)
{
    size_t m, n;
    const char *x = opcode_of(insts, *(const uint32_t *)a, &m);
    const char *y = opcode_of(insts, *(const uint32_t *)b, &n);
    int order = memcmp(x, y, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

/* The numbers of the instructions with TRACE_INST_UNKNOWN, sorted by name. */
static uint32_t *find_unknown(const struct insts *insts, uint32_t *count)
{
    uint32_t *found = malloc(((size_t)insts->count + 1) * sizeof *found);
    *count = 0;
    for (uint32_t i = 0; found != NULL && i < insts->count; i++)
        if (insts->items[i].flags & TRACE_INST_UNKNOWN)
            found[(*count)++] = i;
    if (found != NULL)
        qsort_r(found, *count, sizeof *found, compare_names, (void *)insts);
    return found;
}

void insts_unknown(const struct insts *insts,
                   void (*note)(void *data, const char *opcode, uint64_t count), void *data)
{
    uint32_t count, end;
    uint32_t *found = find_unknown(insts, &count);
    for (uint32_t i = 0; found != NULL && i < count; i = end) {
        uint64_t records = 0;
        size_t length;
        for (end = i; end < count; end++) {
            if (compare_names(&found[i], &found[end], (void *)insts) != 0)
                break;
            records += insts->counts[found[end]];
        }
        const char *opcode = opcode_of(insts, found[i], &length);
        char *name = strndup(opcode, length);
        if (name != NULL && records > 0)
            note(data, name, records);
        free(name);
    }
    free(found);
}
