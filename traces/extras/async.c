#include "traces/async.h"

#include <string.h>

/* A new barrier's word counts arrivals up from minus their number, from bit 1 of its low half
 * on. */
#define MOST_ARRIVALS 0x100000
/* Copies of blocks count their bytes in these. */
#define BLOCK_UNIT 16

/* ---- opcodes ----------------------------------------------------------- */

/* Whether OPCODE has the part PART, "3D": between dots, or at the end. */
static bool has(const char *opcode, const char *part)
{
    size_t n = strlen(part);
    for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, part, n) == 0 && (at[1 + n] == '.' || at[1 + n] == '\0'))
            return true;
    return false;
}

static enum trace_async_kind find_kind(const char *opcode)
{
    static const struct {
        const char *name, *part;
        enum trace_async_kind kind;
    } names[] = {
        {"SYNCS", "EXCH", TRACE_ASYNC_INIT},
        {"SYNCS", "ARRIVE", TRACE_ASYNC_ARRIVE},
        {"SYNCS", "PHASECHK", TRACE_ASYNC_WAIT},
        {"UTMALDG", NULL, TRACE_ASYNC_TENSOR_LOAD},
        {"UTMASTG", NULL, TRACE_ASYNC_TENSOR_STORE},
        {"UTMAREDG", NULL, TRACE_ASYNC_TENSOR_REDUCE},
        {"UTMAPF", NULL, TRACE_ASYNC_TENSOR_PREFETCH},
        {"UBLKCP", "S.G", TRACE_ASYNC_BLOCK_LOAD},
        {"UBLKCP", "S.S", TRACE_ASYNC_BLOCK_SHARE},
        {"UBLKCP", "G.S", TRACE_ASYNC_BLOCK_STORE},
        {"UBLKRED", NULL, TRACE_ASYNC_BLOCK_REDUCE},
        {"UBLKPF", NULL, TRACE_ASYNC_BLOCK_PREFETCH},
    };
    size_t n = strcspn(opcode, ".");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && memcmp(opcode, names[i].name, n) == 0 &&
            (names[i].part == NULL || has(opcode, names[i].part)))
            return names[i].kind;
    return TRACE_ASYNC_NONE;
}

/* The counts of an arrival: ".A1T0", ".A0TR" ...; one arrival and bytes of a register if the
 * OPCODE does not say. */
static void find_counts(struct trace_async_form *form, const char *opcode)
{
    form->arrivals = '1';
    form->bytes = 'R';
    for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
        if (strcspn(at + 1, ".") == 4 && at[1] == 'A' && at[3] == 'T') {
            form->arrivals = at[2];
            form->bytes = at[4];
        }
}

struct trace_async_form trace_async_form(const char *opcode)
{
    struct trace_async_form form = {.kind = find_kind(opcode)};
    if (form.kind == TRACE_ASYNC_ARRIVE)
        find_counts(&form, opcode);
    form.multicast = has(opcode, "MULTICAST");
    if (form.kind < TRACE_ASYNC_TENSOR_LOAD || form.kind > TRACE_ASYNC_TENSOR_PREFETCH)
        return form;
    for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
        if (at[1] >= '1' && at[1] <= '5' && at[2] == 'D')
            form.dimensions = (uint8_t)(at[1] - '0');
    form.im2col = has(opcode, "IM2COL");
    return form;
}

/* ---- values ------------------------------------------------------------ */

static uint64_t join(const uint32_t *numbers)
{
    return numbers[0] | (uint64_t)numbers[1] << 32;
}

static bool decode_arrive(struct trace_async *async, const struct trace_async_form *form,
                          const struct trace_extras *extras)
{
    uint32_t used = 0;
    async->arrivals = form->arrivals == '1';
    async->bytes = form->bytes == '1';
    if (form->arrivals == 'R' && used < extras->number_count)
        async->arrivals = extras->numbers[used++];
    if ((form->bytes == 'R' || form->bytes == 'X') && used < extras->number_count)
        async->bytes = extras->numbers[used++];
    if (form->bytes == 'X')
        async->bytes = -async->bytes;
    return used ==
           (unsigned)(form->arrivals == 'R') + (form->bytes == 'R' || form->bytes == 'X');
}

/* SYNCS. Returns whether all values are there. */
static bool decode_barrier(struct trace_async *async, const struct trace_async_form *form,
                           const struct trace_extras *extras)
{
    if (form->kind == TRACE_ASYNC_ARRIVE)
        return decode_arrive(async, form, extras);
    uint32_t value = extras->number_count > 0 ? extras->numbers[0] : 0;
    if (form->kind == TRACE_ASYNC_INIT)
        async->arrivals = (MOST_ARRIVALS - (value >> 1)) % MOST_ARRIVALS;
    else
        async->phase = value >> 31;
    return extras->number_count > 0;
}

/* Of the registers from the first memory operand on, loads have a place and a barrier, stores a
 * place, and prefetches nothing before the coordinates. The tracer has two more than
 * dimensions. */
static bool decode_tensor(struct trace_async *async, const struct trace_async_form *form,
                          const struct trace_extras *extras)
{
    const uint32_t *numbers = extras->numbers;
    uint32_t n = form->dimensions, map = 2 + n;
    bool load = form->kind == TRACE_ASYNC_TENSOR_LOAD;
    bool mask = load && (form->im2col || form->multicast);
    if (n == 0 || extras->number_count < map + 2 + mask)
        return false;
    uint32_t first = load ? 2 : form->kind != TRACE_ASYNC_TENSOR_PREFETCH;
    async->shared = first > 0 ? numbers[0] : 0;
    async->barrier = load ? numbers[1] : 0;
    memcpy(async->coordinates, numbers + first, n * sizeof *numbers);
    async->map = join(numbers + map);
    async->offsets = mask && form->im2col ? (uint16_t)numbers[map + 2] : 0;
    async->blocks = mask && form->multicast ? (uint16_t)(numbers[map + 2] >> 16) : 0;
    return true;
}

/* Two registers of the target, two of the source, one of the size; prefetches have no target.
 * For several blocks of a cluster the upper half of the size says which. */
static bool decode_block(struct trace_async *async, const struct trace_async_form *form,
                         const struct trace_extras *extras)
{
    const uint32_t *numbers = extras->numbers;
    bool prefetch = form->kind == TRACE_ASYNC_BLOCK_PREFETCH;
    bool load = form->kind == TRACE_ASYNC_BLOCK_LOAD,
         share = form->kind == TRACE_ASYNC_BLOCK_SHARE;
    if (extras->number_count < (prefetch ? 3 : 5))
        return false;
    if (load || share) {
        async->shared = numbers[0];
        async->barrier = numbers[1];
        async->global = load ? join(numbers + 2) : numbers[2];
    } else {
        async->global = join(numbers);
        async->shared = prefetch ? 0 : numbers[2];
    }
    uint32_t size = numbers[prefetch ? 2 : 4];
    if (form->multicast) {
        async->blocks = (uint16_t)(size >> 16);
        size &= UINT16_MAX;
    }
    async->bytes = (int64_t)size * BLOCK_UNIT;
    return true;
}

struct trace_async trace_async_decode(const struct trace_async_form *form,
                                      const struct trace_extras *extras)
{
    struct trace_async async = {.kind = form->kind, .dimensions = form->dimensions};
    if (form->kind == TRACE_ASYNC_NONE)
        return async;
    if (form->kind <= TRACE_ASYNC_WAIT) {
        async.barrier = (uint32_t)extras->address;
        async.is_known = decode_barrier(&async, form, extras);
    } else if (form->kind <= TRACE_ASYNC_TENSOR_PREFETCH)
        async.is_known = decode_tensor(&async, form, extras);
    else
        async.is_known = decode_block(&async, form, extras);
    return async;
}
