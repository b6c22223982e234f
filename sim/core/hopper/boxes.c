#include "sim/core/hopper/boxes.h"

#include "sim/packet.h"

void box_row(struct copy_box *box, uint64_t address, uint64_t count)
{
    *box =
        (struct copy_box){.bytes = count, .left = 1, .next = address, .end = address + count};
}

/* The bytes of the elements FROM to END of dimension 0, as far as the tensor has them, in the
 * row whose other elements are AT. */
static void set_row(struct copy_box *box, int64_t from, int64_t end, const int64_t *at)
{
    const struct trace_tensor_map *map = &box->map;
    uint64_t address = map->address;
    box->next = box->end = 0;
    for (uint32_t d = 1; d < map->rank; d++) {
        if (at[d] < 0 || (uint64_t)at[d] >= map->dims[d])
            return;
        address += (uint64_t)at[d] * map->strides[d];
    }
    from = from < 0 ? 0 : from;
    end = end < (int64_t)map->dims[0] ? end : (int64_t)map->dims[0];
    if (from >= end)
        return;
    box->next = address + (uint64_t)from * map->strides[0];
    box->end = address + (uint64_t)end * map->strides[0];
}

/* ---- boxes ---- */

static void set_tiled_row(struct copy_box *box)
{
    int64_t at[BOX_DIMENSIONS] = {0};
    for (uint32_t d = 0; d < box->map.rank; d++)
        at[d] = box->first[d] + box->at[d];
    set_row(box, at[0], at[0] + box->map.box[0], at);
}

static uint32_t step_of(const struct trace_tensor_map *map, uint32_t dimension)
{
    return map->steps[dimension] > 0 ? map->steps[dimension] : 1;
}

/* Elements of the box in DIMENSION that are in the tensor: from the first one, a multiple of
 * the step, which is less than `ends`. Returns how many. */
static uint64_t clip(struct copy_box *box, uint32_t dimension)
{
    const struct trace_tensor_map *map = &box->map;
    uint64_t step = step_of(map, dimension), end = map->box[dimension];
    uint64_t outside = box->first[dimension] < 0 ? (uint64_t)-box->first[dimension] : 0;
    uint64_t start = (outside + step - 1) / step * step;
    uint64_t inside = (uint64_t)(box->first[dimension] + (int64_t)outside);
    uint64_t rest = map->dims[dimension] > inside ? map->dims[dimension] - inside : 0;
    if (rest < end && outside + rest < end)
        end = outside + rest;
    if (start >= end)
        return 0;
    box->starts[dimension] = box->at[dimension] = (uint32_t)start;
    box->ends[dimension] = (uint32_t)end;
    return (end - start + step - 1) / step;
}

/* Rows outside of the tensor are not visited: a box may have many more than requests. */
static void begin_tiled(struct copy_box *box)
{
    const struct trace_tensor_map *map = &box->map;
    box->left = clip(box, 0) > 0;
    for (uint32_t d = 1; d < map->rank; d++)
        box->left *= clip(box, d);
    box->at[0] = 0;
    if (box->left > 0)
        set_tiled_row(box);
}

static void next_tiled(struct copy_box *box)
{
    for (uint32_t d = 1; d < box->map.rank; d++) {
        box->at[d] += step_of(&box->map, d);
        if (box->at[d] < box->ends[d])
            break;
        box->at[d] = box->starts[d];
    }
    set_tiled_row(box);
}

/* ---- columns of pixels ---- */

static void set_pixel(struct copy_box *box)
{
    int64_t at[BOX_DIMENSIONS] = {0};
    uint32_t inner = box->map.rank - 1;
    for (uint32_t d = 0; d < box->map.rank; d++)
        at[d] = box->first[d] + (d > 0 && d < inner ? box->offset[d - 1] : 0);
    set_row(box, at[0], at[0] + box->map.channels, at);
}

/* Pixels follow each other in the box of the tensor's corners, then in that of the next image.
 */
static void next_pixel(struct copy_box *box)
{
    const struct trace_tensor_map *map = &box->map;
    for (uint32_t d = 1; d + 1 < map->rank; d++) {
        box->first[d] += step_of(map, d);
        if (box->first[d] < (int64_t)map->dims[d] + map->upper[d - 1])
            break;
        box->first[d] = map->lower[d - 1];
        if (d + 2 == map->rank)
            box->first[d + 1]++;
    }
    set_pixel(box);
}

bool box_tensor(struct copy_box *box, const struct trace_tensor_map *map,
                const struct trace_async *asks)
{
    *box = (struct copy_box){.tensor = true, .map = *map, .bytes = trace_tensor_map_bytes(map)};
    if (box->bytes == 0 || box->bytes > BOX_MOST_BYTES || map->interleave != 0 ||
        map->rank != asks->dimensions || map->rank == 0 || step_of(map, 0) != 1)
        return false;
    for (uint32_t d = 0; d < map->rank; d++)
        box->first[d] = asks->coordinates[d];
    if (!map->im2col) {
        begin_tiled(box);
        return true;
    }
    for (uint32_t d = 1; d + 1 < map->rank; d++) /* each has its part of the 16 bits */
        box->offset[d - 1] = asks->offsets >> (16 / (map->rank - 2)) * (d - 1) &
                             ((1u << 16 / (map->rank - 2)) - 1);
    box->left = map->pixels;
    set_pixel(box);
    return box->left != 0;
}

bool box_next(struct copy_box *box, uint64_t *sector, uint32_t *bytes)
{
    while (box->next >= box->end) {
        if (box->left <= 1)
            return false;
        box->left--;
        if (box->map.im2col)
            next_pixel(box);
        else
            next_tiled(box);
    }
    uint32_t from = box->next % SECTOR_BYTES;
    *sector = box->next - from;
    uint64_t rest = box->end - *sector;
    uint32_t to = rest < SECTOR_BYTES ? (uint32_t)rest : SECTOR_BYTES;
    *bytes = (to < 32 ? (1u << to) - 1 : ~0u) & ~((1u << from) - 1);
    box->next = *sector + SECTOR_BYTES;
    return true;
}
