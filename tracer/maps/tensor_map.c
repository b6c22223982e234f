#include "tracer/maps/tensor_map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "traces/traces.h"

#define WORDS 32
/* Words: where things are. */
enum {
    ADDRESS = 0, /* two words */
    MODE = 2,
    STRIDES = 3,      /* of dimensions 1 to 4, in 16 bytes */
    STRIDES_HIGH = 7, /* four bits more of each */
    DIMS = 8,         /* less one */
    STEPS = 13,       /* less one, three bits each; in the highest byte channels or box[0] */
    BOX = 14,    /* from box[1] on, less one, a byte each; or corners of the box of pixels */
    PIXELS = 15, /* less one */
    BOX_BYTES = 16,
    SWIZZLE_BYTES = 18,
};

/* Bits of MODE. */
#define MODE_IM2COL    1u
#define MODE_SHORT     2u /* set in cuBLAS's maps, never in the driver's */
#define MODE_RANK      4
#define MODE_TYPE      7
#define MODE_TYPE_HIGH 16
#define MODE_RESERVED  0xfff8000cu

#define MOST_DIMS   5
#define MOST_PIXELS 1024
#define MOST_BYTES  (227u << 10) /* shared memory of a block: boxes must fit in it */
#define NO_TYPE     UINT8_MAX

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static uint32_t bits(uint32_t word, unsigned first, unsigned count)
{
    return word >> first & ((UINT32_C(1) << count) - 1);
}

/* COUNT bits that have a sign. */
static int32_t signed_bits(uint32_t word, unsigned first, unsigned count)
{
    int32_t value = (int32_t)bits(word, first, count);
    return value < INT32_C(1) << (count - 1) ? value : value - (INT32_C(1) << count);
}

static bool are_zero(const uint32_t *words, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (words[i] != 0)
            return false;
    return true;
}

/* CUtensorMapDataType by the format's code. */
static uint32_t type_of(uint32_t mode)
{
    static const uint8_t types[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9};
    uint32_t code = bits(mode, MODE_TYPE, 4);
    if (bits(mode, MODE_TYPE_HIGH, 1) != 0)
        return code == 7 ? 11 : code == 8 ? 12 : NO_TYPE; /* TF32: as FP32 and its FTZ */
    return code < sizeof types ? types[code] : NO_TYPE;
}

static bool read_mode(const uint32_t *words, struct trace_tensor_map *map)
{
    uint32_t mode = words[MODE];
    map->im2col = (mode & MODE_IM2COL) != 0;
    map->type = type_of(mode);
    map->rank = bits(mode, MODE_RANK, 3) + 1;
    map->interleave = bits(mode, 11, 2);
    map->swizzle = bits(mode, 13, 2);
    map->fill = bits(mode, 15, 1);
    map->promotion = bits(mode, 17, 2);
    map->address = (uint64_t)words[ADDRESS + 1] << 32 | words[ADDRESS];
    uint32_t least_rank = map->im2col || map->interleave != 0 ? 3 : 1;
    return (mode & MODE_RESERVED) == 0 && map->type != NO_TYPE && map->rank >= least_rank &&
           map->rank <= MOST_DIMS && map->interleave < 3 &&
           (map->fill == 0 || map->type >= 6); /* NaN, of floating point */
}

/* Addresses and strides are multiples of 16, and of 32 with CU_TENSOR_MAP_INTERLEAVE_32B. */
static bool read_tensor(const uint32_t *words, struct trace_tensor_map *map)
{
    const uint32_t rank = map->rank, align = map->interleave == 2 ? 32 : 16;
    map->strides[0] = trace_tensor_map_element(map);
    for (uint32_t i = 0; i < rank; i++) {
        map->dims[i] = (uint64_t)words[DIMS + i] + 1;
        map->steps[i] = bits(words[STEPS], 3 * i, 3) + 1;
        if (i > 0)
            map->strides[i] = ((uint64_t)bits(words[STRIDES_HIGH], 4 * (i - 1), 4) << 32 |
                               words[STRIDES + i - 1]) *
                              16;
        if (i > 0 && map->strides[i] % align != 0)
            return false;
    }
    /* cuBLAS's maps have a number, whose meaning is unknown, after the last stride. */
    return map->address != 0 && map->address % align == 0 &&
           ((words[MODE] & MODE_SHORT) != 0 ||
            are_zero(words, STRIDES + rank - 1, STRIDES_HIGH)) &&
           words[STRIDES_HIGH] >> 4 * (rank - 1) == 0 && are_zero(words, DIMS + rank, STEPS) &&
           bits(words[STEPS], 3 * rank, 24 - 3 * rank) == 0;
}

/* The corners of the box of pixels: as many bits as there is room for. */
static bool read_corners(uint32_t word, struct trace_tensor_map *map)
{
    static const uint8_t widths[] = {16, 8, 5};
    const unsigned count = map->rank - 2, width = widths[count - 1];
    for (unsigned i = 0; i < count; i++) {
        map->lower[i] = signed_bits(word, width * i, width);
        map->upper[i] = signed_bits(word, 16 + width * i, width);
    }
    return count < 3 || (word & 0x80008000) == 0;
}

static bool read_box(const uint32_t *words, struct trace_tensor_map *map)
{
    const uint32_t first = (words[STEPS] >> 24) + 1, inner = first * (uint32_t)map->strides[0];
    if (inner % 16 != 0 ||
        (map->interleave == 0 && map->swizzle != 0 && inner > UINT32_C(16) << map->swizzle))
        return false;
    if (map->im2col) {
        map->channels = first;
        map->pixels = words[PIXELS] + 1;
        return words[PIXELS] < MOST_PIXELS && read_corners(words[BOX], map);
    }
    map->box[0] = first;
    for (uint32_t i = 1; i < map->rank; i++)
        map->box[i] = bits(words[BOX], 8 * (i - 1), 8) + 1;
    return words[PIXELS] == 0 &&
           (map->rank == MOST_DIMS || words[BOX] >> 8 * (map->rank - 1) == 0);
}

/* Bytes of a box as the driver writes them: it rounds steps down. */
static uint64_t box_bytes(const struct trace_tensor_map *map)
{
    if (map->im2col)
        return trace_tensor_map_bytes(map);
    uint64_t bytes = map->strides[0];
    for (uint32_t i = 0; i < map->rank; i++)
        bytes *= map->box[i] / map->steps[i];
    return bytes;
}

/* Whether the second half is the driver's, or 0. */
static bool is_long(const uint32_t *words, const struct trace_tensor_map *map)
{
    const uint32_t swizzle = map->swizzle == 0 ? 16 : UINT32_C(128) << map->swizzle;
    return (words[BOX_BYTES] == 0 || words[BOX_BYTES] == box_bytes(map)) &&
           (words[SWIZZLE_BYTES] == 0 || words[SWIZZLE_BYTES] == swizzle) &&
           words[BOX_BYTES + 1] == 0 && are_zero(words, SWIZZLE_BYTES + 1, WORDS);
}

static bool decode(struct trace_tensor_map *map, const void *bytes, size_t size)
{
    uint32_t words[WORDS] = {0};
    const bool whole = size >= TENSOR_MAP_BYTES;
    *map = (struct trace_tensor_map){0};
    if (size < TENSOR_MAP_SHORT)
        return false;
    memcpy(map->bytes, bytes, whole ? TENSOR_MAP_BYTES : TENSOR_MAP_SHORT);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = word_at(map->bytes + 4 * i);
    if (!read_mode(words, map) || !read_tensor(words, map) || !read_box(words, map) ||
        box_bytes(map) > MOST_BYTES)
        return false;
    if (whole && is_long(words, map))
        return true;
    memset(map->bytes + TENSOR_MAP_SHORT, 0, TENSOR_MAP_BYTES - TENSOR_MAP_SHORT);
    return (words[MODE] & MODE_SHORT) != 0;
}

/* ---- the line -------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add(struct tensor_map_note *note,
                                                      const char *format, ...)
{
    const size_t length = strlen(note->text);
    va_list values;
    va_start(values, format);
    vsnprintf(note->text + length, sizeof note->text - length, format, values);
    va_end(values);
}

static void add_long(struct tensor_map_note *note, const char *name, const uint64_t *numbers,
                     uint32_t count)
{
    add(note, " %s=", name);
    for (uint32_t i = 0; i < count; i++)
        add(note, "%s%" PRIu64, i > 0 ? "," : "", numbers[i]);
}

static void add_short(struct tensor_map_note *note, const char *name, const int32_t *numbers,
                      uint32_t count)
{
    add(note, " %s=", name);
    for (uint32_t i = 0; i < count; i++)
        add(note, "%s%" PRId32, i > 0 ? "," : "", numbers[i]);
}

/* As the tool has it for calls (nvbit/tensor_maps.cc). */
static void describe(struct tensor_map_note *note, const struct trace_tensor_map *map)
{
    memcpy(note->bytes, map->bytes, sizeof note->bytes);
    strcpy(note->text, "# tensormap ");
    for (size_t i = 0; i < TENSOR_MAP_BYTES; i++)
        add(note, "%02x", map->bytes[i]);
    add(note, " %s type=%" PRIu32 " address=0x%016" PRIx64, map->im2col ? "im2col" : "tiled",
        map->type, map->address);
    add_long(note, "dims", map->dims, map->rank);
    add_long(note, "strides", map->strides + 1, map->rank - 1);
    add_short(note, "steps", (const int32_t *)map->steps, map->rank);
    if (map->im2col) {
        add_short(note, "lower", map->lower, map->rank - 2);
        add_short(note, "upper", map->upper, map->rank - 2);
        add(note, " channels=%" PRIu32 " pixels=%" PRIu32, map->channels, map->pixels);
    } else {
        add_short(note, "box", (const int32_t *)map->box, map->rank);
    }
    add(note, " interleave=%" PRIu32 " swizzle=%" PRIu32 " promotion=%" PRIu32 " fill=%" PRIu32,
        map->interleave, map->swizzle, map->promotion, map->fill);
}

bool tensor_map_decode(const void *bytes, size_t size, struct tensor_map_note *note)
{
    struct trace_tensor_map map;
    if (!decode(&map, bytes, size))
        return false;
    describe(note, &map);
    return true;
}
