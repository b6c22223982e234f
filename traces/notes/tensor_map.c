#include <string.h>

#include "traces/notes.h"
#include "traces/notes/values.h"
#include "traces/text/scan.h"

/* Reads the bytes of the map. Returns what follows, or NULL. */
static const char *read_bytes(const char *at, struct trace_tensor_map *map)
{
    for (int i = 0; i < TRACE_TENSOR_MAP_BYTES; i++, at += 2) {
        uint8_t high = scan_hex_digit[(uint8_t)at[0]];
        uint8_t low = high < 16 ? scan_hex_digit[(uint8_t)at[1]] : 16;
        if (low > 15)
            return NULL;
        map->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return at;
}

/* What the CUDA Driver API demands: cuTensorMapEncodeTiled(), cuTensorMapEncodeIm2col(). */
#define MOST_ELEMENTS (UINT64_C(1) << 32) /* of a dimension of the tensor */
#define MOST_STRIDE   ((UINT64_C(1) << 40) - 1)
#define MOST_STEP     8
#define MOST_BOX      256 /* elements of a dimension; channels */
#define MOST_PIXELS   1024

static bool are_within(const uint32_t *numbers, uint32_t count, uint32_t most)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == 0 || numbers[i] > most)
            return false;
    return true;
}

static bool tensor_is_right(const struct trace_tensor_map *map)
{
    for (uint32_t i = 0; i < map->rank; i++)
        if (map->dims[i] == 0 || map->dims[i] > MOST_ELEMENTS || map->strides[i] > MOST_STRIDE)
            return false;
    return are_within(map->steps, map->rank, MOST_STEP);
}

/* What both kinds have. */
static bool read_tensor(const char *line, struct trace_tensor_map *map)
{
    int rank = values_list(line, "dims=", 5, map->dims);
    map->rank = (uint32_t)rank;
    if (rank < 1 || !values_one(line, "type=", UINT32_MAX, &map->type) ||
        values_list(line, "address=", 1, &map->address) != 1 ||
        values_list32(line, "steps=", 5, map->steps) != rank)
        return false;
    map->strides[0] = trace_tensor_map_element(map);
    if (rank > 1 && values_list(line, "strides=", 4, map->strides + 1) != rank - 1)
        return false;
    return values_one(line, "interleave=", UINT32_MAX, &map->interleave) &&
           values_one(line, "swizzle=", UINT32_MAX, &map->swizzle) &&
           values_one(line, "promotion=", UINT32_MAX, &map->promotion) &&
           values_one(line, "fill=", UINT32_MAX, &map->fill);
}

static bool read_im2col(const char *line, struct trace_tensor_map *map)
{
    int corner = (int)map->rank - 2;
    uint32_t lower[3] = {0}, upper[3] = {0};
    if (corner < 1 || values_list32(line, "lower=", 3, lower) != corner ||
        values_list32(line, "upper=", 3, upper) != corner)
        return false;
    memcpy(map->lower, lower, sizeof lower);
    memcpy(map->upper, upper, sizeof upper);
    return values_one(line, "channels=", MOST_BOX, &map->channels) &&
           values_one(line, "pixels=", MOST_PIXELS, &map->pixels) && map->channels > 0 &&
           map->pixels > 0;
}

bool trace_note_tensor_map(const char *line, struct trace_tensor_map *map)
{
    *map = (struct trace_tensor_map){0};
    const char *at = read_bytes(line + strlen("# tensormap "), map);
    if (at == NULL || !read_tensor(at, map) || !tensor_is_right(map))
        return false;
    map->im2col = strncmp(at, " im2col ", 8) == 0;
    if (map->im2col)
        return read_im2col(at, map);
    return strncmp(at, " tiled ", 7) == 0 &&
           values_list32(at, "box=", 5, map->box) == (int)map->rank &&
           are_within(map->box, map->rank, MOST_BOX);
}

uint32_t trace_tensor_map_element(const struct trace_tensor_map *map)
{
    /* CUtensorMapDataType: integers of 1 to 8 bytes, floating point, TF32. */
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return map->type < sizeof bytes ? bytes[map->type] : 0;
}

uint64_t trace_tensor_map_bytes(const struct trace_tensor_map *map)
{
    uint64_t bytes = trace_tensor_map_element(map);
    if (map->im2col)
        return bytes * map->channels * map->pixels;
    for (uint32_t i = 0; i < map->rank; i++) /* elements between steps are not copied */
        bytes *= map->steps[i] > 0 ? (map->box[i] + map->steps[i] - 1) / map->steps[i] : 0;
    return bytes;
}
