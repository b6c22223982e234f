#include "sim/core/coalesce.h"

#include <string.h>

#include "sim/packet.h"
#include "traces/address.h"

const uint64_t *coalesce_lanes(const struct trace_record *record, const uint64_t *addresses,
                               uint64_t room[32], uint32_t *count)
{
    const uint64_t *words = addresses + record->address;
    *count =
        record->mode == TRACE_ADDRESS_NONE ? 0 : (uint32_t)__builtin_popcount(record->mask);
    return address_lanes(record, words, room);
}

bool coalesce_first(const struct trace_record *record, const uint64_t *addresses,
                    uint64_t *address)
{
    uint64_t room[32];
    uint32_t count;
    const uint64_t *lanes = coalesce_lanes(record, addresses, room, &count);
    if (count != 0)
        *address = lanes[0];
    return count != 0;
}

#define LINE_BYTES 128u

/* Adds BYTES of the sector at ADDRESS, keeping the list in order. Neighbouring
 * lanes mostly hit the last sector or the one after it. */
static void add_sector(struct access_list *list, uint64_t address, uint32_t bytes)
{
    uint32_t at = list->count;
    while (at > 0 && list->sectors[at - 1].address > address)
        at--;
    if (at > 0 && list->sectors[at - 1].address == address) {
        list->sectors[at - 1].bytes |= bytes;
        list->sectors[at - 1].lanes++;
        return;
    }
    if (list->count == COALESCE_MAX)
        return;
    if (at < list->count)
        memmove(&list->sectors[at + 1], &list->sectors[at],
                (list->count - at) * sizeof list->sectors[0]);
    list->sectors[at] = (struct access_sector){.address = address, .bytes = bytes, .lanes = 1};
    list->count++;
}

static void add_access(struct access_list *list, uint64_t address, uint32_t width)
{
    uint32_t offset = (uint32_t)address & (SECTOR_BYTES - 1);
    uint64_t sector = address - offset;
    add_sector(list, sector, coalesce_bytes(offset, width));
    if (offset + width > SECTOR_BYTES)
        add_sector(list, sector + SECTOR_BYTES,
                   coalesce_bytes(0, offset + width - SECTOR_BYTES));
}

/* Whether any lane's bytes continue in the sector after its first one. */
static bool crosses(const uint64_t *lanes, uint32_t count, uint32_t width)
{
    uint64_t over = 0;
    for (uint32_t i = 0; i < count; i++)
        over |= (lanes[i] & (SECTOR_BYTES - 1)) + width - 1;
    return over >= SECTOR_BYTES;
}

const uint64_t *coalesce_wide_lanes(const struct trace_record *record,
                                    const uint64_t *addresses, uint64_t room[32],
                                    uint32_t *count, uint32_t *width)
{
    const uint64_t *words = addresses + record->address;
    uint32_t shift = address_row_shift(record->mode);
    uint32_t rows = (uint32_t)__builtin_popcount(record->mask) >> shift;
    if (!address_is_rows(record->mode) || (words[rows] != *width && words[rows] != 0))
        return coalesce_lanes(record, addresses, room, count);
    uint32_t bytes = words[rows] == 0 ? *width : *width << shift;
    if (crosses(words, rows, bytes))
        return coalesce_lanes(record, addresses, room, count);
    *count = rows;
    *width = bytes;
    return words;
}

/* A list of lanes that touch one sector each, all near the first one's; false for others. Each
 * lane goes to its sector without a branch, in whatever order they come. */
static bool coalesce_near(const uint64_t *lanes, uint32_t count, uint32_t width,
                          struct access_list *list)
{
    uint32_t bytes[COALESCE_SECTORS] = {0}, ones = coalesce_bytes(0, width);
    uint8_t sharing[COALESCE_SECTORS] = {0};
    uint64_t base =
        (lanes[0] & ~(uint64_t)(SECTOR_BYTES - 1)) - COALESCE_SECTORS / 2 * SECTOR_BYTES;
    uint64_t far = 0, used = 0;
    for (uint32_t i = 0; i < count; i++)
        far |= (lanes[i] - base) / SECTOR_BYTES;
    if (far >= COALESCE_SECTORS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(lanes[i] - base) / SECTOR_BYTES;
        used |= 1ull << at;
        bytes[at] |= ones << (lanes[i] & (SECTOR_BYTES - 1));
        sharing[at]++;
    }
    list->count = 0;
    for (; used != 0; used &= used - 1) {
        uint32_t at = (uint32_t)__builtin_ctzll(used);
        list->sectors[list->count++] =
            (struct access_sector){base + at * SECTOR_BYTES, bytes[at], sharing[at], 0};
    }
    return true;
}

/* Where a window begins that holds the lowest lane. */
static uint64_t window_base(const uint64_t *lanes, uint32_t count)
{
    uint64_t lowest = lanes[0];
    for (uint32_t i = 1; i < count; i++)
        lowest = lanes[i] < lowest ? lanes[i] : lowest;
    return lowest & ~127ull;
}

/* Whether all lanes touch one sector of the window each. */
static bool in_window(const uint64_t *lanes, uint32_t count, uint32_t width, uint64_t base)
{
    uint64_t far = 0, over = 0;
    for (uint32_t i = 0; i < count; i++) {
        far |= lanes[i] - base;
        over |= (lanes[i] & (SECTOR_BYTES - 1)) + width - 1;
    }
    return far < COALESCE_SECTORS * SECTOR_BYTES && over < SECTOR_BYTES;
}

bool coalesce_window(const uint64_t *lanes, uint32_t count, uint32_t width, bool bytes,
                     struct coalesce_window *window)
{
    uint64_t base = window_base(lanes, count), used = 0;
    uint32_t ones = coalesce_bytes(0, width);
    if (!in_window(lanes, count, width, base))
        return false;
    for (uint32_t i = 0; i < count; i++)
        used |= 1ull << (lanes[i] - base) / SECTOR_BYTES;
    window->base = base;
    window->used = used;
    if (!bytes)
        return true;
    memset(window->bytes, 0, sizeof window->bytes);
    for (uint32_t i = 0; i < count; i++)
        window->bytes[(lanes[i] - base) / SECTOR_BYTES] |= ones
                                                           << (lanes[i] & (SECTOR_BYTES - 1));
    return true;
}

/* Without a branch a lane: lists that are not in order mostly begin as if they were. */
static bool is_sorted(const uint64_t *lanes, uint32_t count)
{
    bool sorted = true;
    for (uint32_t i = 1; i < count; i++)
        sorted &= lanes[i] >= lanes[i - 1];
    return sorted;
}

/* The lanes in the order of their sectors: SORTED, or LANES if they already are in order. The
 * position of a lane is the number of lanes that sort before it; counting takes no branches. */
static const uint64_t *sort_lanes(const uint64_t *lanes, uint32_t count, uint64_t sorted[32])
{
    if (is_sorted(lanes, count))
        return lanes;
    int64_t keys[32], before[32] = {0}; /* signed: hosts compare these at once */
    for (uint32_t i = 0; i < 32; i++)
        keys[i] = INT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (int64_t)(((lanes[i] & ~(uint64_t)(SECTOR_BYTES - 1)) | i) ^ 1ull << 63);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < 32; j++)
            before[j] += keys[i] < keys[j];
    for (uint32_t i = 0; i < count; i++)
        sorted[before[i]] = lanes[i];
    return sorted;
}

const uint64_t *coalesce_order(const uint64_t *lanes, uint32_t count, uint32_t width,
                               uint64_t room[32])
{
    return crosses(lanes, count, width) ? NULL : sort_lanes(lanes, count, room);
}

void coalesce_sectors(const uint64_t *lanes, uint32_t count, uint32_t width,
                      struct access_list *list)
{
    uint64_t sorted[32];
    bool across = crosses(lanes, count, width);
    if (count != 0 && !across && coalesce_near(lanes, count, width, list))
        return;
    lanes = sort_lanes(lanes, count, sorted);
    list->count = 0;
    for (uint32_t i = 0; across && i < count; i++)
        add_access(list, lanes[i], width);
    if (across)
        return;
    struct access_sector *last = NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)lanes[i] & (SECTOR_BYTES - 1);
        uint64_t sector = lanes[i] - offset;
        if (last == NULL || last->address != sector) {
            last = &list->sectors[list->count++];
            *last = (struct access_sector){.address = sector};
        }
        last->bytes |= coalesce_bytes(offset, width);
        last->lanes++;
    }
}

/* The number after that of the last sector in the line of sector I. */
static uint32_t end_of_line(const struct access_list *list, uint32_t i)
{
    const uint64_t line = list->sectors[i].address / LINE_BYTES;
    while (++i < list->count && list->sectors[i].address / LINE_BYTES == line)
        continue;
    return i;
}

void coalesce_note_lines(struct access_list *list)
{
    for (uint32_t i = 0, next; i < list->count; i = next) {
        uint8_t mask = 0;
        next = end_of_line(list, i);
        for (uint32_t at = i; at < next; at++)
            mask |= (uint8_t)(1u << list->sectors[at].address % LINE_BYTES / SECTOR_BYTES);
        for (uint32_t at = i; at < next; at++)
            list->sectors[at].together = mask;
    }
}

uint32_t coalesce_note_masks(struct access_list *list)
{
    uint32_t lines = 0;
    for (uint32_t i = 0, next; i < list->count; i = next) {
        uint32_t bytes = UINT32_MAX;
        next = end_of_line(list, i);
        for (uint32_t at = i; at < next; at++)
            bytes &= list->sectors[at].bytes;
        list->sectors[next - 1].masked = bytes != UINT32_MAX; /* which goes first */
        lines += bytes != UINT32_MAX;
    }
    return lines;
}

void coalesce_join(struct access_list *earlier, struct access_list *later)
{
    uint32_t at = 0, left = 0;
    if (earlier->count == 0 || later->count == 0 ||
        later->sectors[0].address > earlier->sectors[earlier->count - 1].address)
        return;
    for (uint32_t i = 0; i < later->count; i++) {
        const struct access_sector *sector = &later->sectors[i];
        while (at < earlier->count && earlier->sectors[at].address < sector->address)
            at++;
        if (at < earlier->count && earlier->sectors[at].address == sector->address &&
            !(earlier->sectors[at].bytes & sector->bytes))
            earlier->sectors[at].bytes |= sector->bytes;
        else
            later->sectors[left++] = *sector;
    }
    later->count = left;
}

void coalesce_atomic(const uint64_t *lanes, uint32_t count, uint32_t width,
                     struct access_list *list)
{
    list->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)lanes[i] & (SECTOR_BYTES - 1);
        uint64_t sector = lanes[i] - offset;
        uint32_t bytes = coalesce_bytes(offset, width), at = 0;
        while (at < list->count && list->sectors[at].address < sector)
            at++;
        while (at < list->count && list->sectors[at].address == sector &&
               (list->sectors[at].bytes & bytes))
            at++;
        if (at < list->count && list->sectors[at].address == sector) {
            list->sectors[at].bytes |= bytes;
            list->sectors[at].lanes++;
            continue;
        }
        memmove(&list->sectors[at + 1], &list->sectors[at],
                (list->count - at) * sizeof list->sectors[0]);
        list->sectors[at] =
            (struct access_sector){.address = sector, .bytes = bytes, .lanes = 1};
        list->count++;
    }
}

/* Where local memory begins: as in the reference, below its global heap. */
#define LOCAL_START 0x1f880000u

struct local_map coalesce_local_map(const struct local_layout *layout, uint32_t sm,
                                    uint32_t warp)
{
    struct local_map map = {.word_stride = layout->word_stride};
    uint64_t first = warp * 32u, slot = first / layout->threads;
    uint64_t group = sm + slot * layout->groups;
    uint64_t base = group * layout->threads + first % layout->threads;
    for (uint32_t lane = 0; lane < 32; lane++)
        map.thread_base[lane] = LOCAL_START + 4 * (base + lane);
    return map;
}

void coalesce_local(const uint64_t *lanes, uint32_t mask, uint32_t width,
                    const struct local_map *map, struct access_list *list)
{
    list->count = 0;
    uint32_t words = width >= 4 ? width / 4 : 1, bytes = width >= 4 ? 4 : width;
    for (uint32_t i = 0; mask != 0; mask &= mask - 1, i++) {
        uint64_t base = map->thread_base[__builtin_ctz(mask)];
        for (uint32_t w = 0; w < words; w++)
            add_access(list, (lanes[i] / 4 + w) * map->word_stride + lanes[i] % 4 + base,
                       bytes);
    }
}

/* Whether each of WORDS lies in a bank of its own, at most 32, but for neighbours in the list
 * that are equal: most accesses are so. A word that comes again later counts as a conflict
 * here. Always 32 words and no branches, so that hosts take several at once. */
static bool without_conflict(const uint32_t words[32], uint32_t banks)
{
    uint32_t used = 1u << (words[0] & (banks - 1)), different = 1;
    for (uint32_t i = 1; i < 32; i++) {
        used |= 1u << (words[i] & (banks - 1));
        different += words[i] != words[i - 1];
    }
    return (uint32_t)__builtin_popcount(used) == different;
}

uint32_t coalesce_shared(const uint64_t *lanes, uint32_t count, uint32_t banks)
{
    /* The distinct words of each bank, as a list through `next`. */
    uint32_t words[32];
    uint8_t first[64], next[32], in_bank[64];
    uint64_t used = 0;
    uint32_t most = 1;
    if (count == 0)
        return 1;
    for (uint32_t i = 0; i < count; i++)
        words[i] = (uint32_t)(lanes[i] / 4);
    for (uint32_t i = count; i < 32; i++)
        words[i] = words[count - 1];
    if (banks <= 32 && without_conflict(words, banks))
        return 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words[i], bank = word & (banks - 1);
        next[i] = UINT8_MAX;
        if (!(used >> bank & 1)) {
            used |= 1ull << bank;
            first[bank] = (uint8_t)i;
            in_bank[bank] = 1;
            continue;
        }
        uint8_t at = first[bank];
        while (words[at] != word && next[at] != UINT8_MAX)
            at = next[at];
        if (words[at] == word)
            continue;
        next[at] = (uint8_t)i;
        if (++in_bank[bank] > most)
            most = in_bank[bank];
    }
    return most;
}

uint32_t coalesce_matrices(const uint64_t *lanes, uint32_t count, uint32_t width,
                           uint32_t banks)
{
    enum { ROWS = 8 };
    uint32_t passes = 0;
    for (uint32_t from = 0; from < count && from < width / 4 * ROWS; from += ROWS)
        passes +=
            coalesce_shared(lanes + from, count - from < ROWS ? count - from : ROWS, banks);
    return passes != 0 ? passes : 1;
}

/* The bank accesses of one group of lanes when only one word can be broadcast:
 * of the first bank with a word for several lanes, the lowest such word. */
static uint32_t limited_broadcast(const uint64_t *lanes, uint32_t count, uint32_t banks)
{
    uint32_t in_bank[64] = {0}, broadcast = 0, broadcast_word = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = (uint32_t)(lanes[i] / 4), bank = word & (banks - 1), same = 0;
        in_bank[bank]++;
        for (uint32_t j = 0; j < count; j++)
            same += (uint32_t)(lanes[j] / 4) == word;
        uint32_t best = broadcast_word & (banks - 1);
        if (same > 1 &&
            (broadcast == 0 || bank < best || (bank == best && word < broadcast_word))) {
            broadcast = same;
            broadcast_word = word;
        }
    }
    if (broadcast != 0)
        in_bank[broadcast_word & (banks - 1)] -= broadcast - 1;
    for (uint32_t bank = 0; bank < banks; bank++)
        if (in_bank[bank] > most)
            most = in_bank[bank];
    return most;
}

uint32_t coalesce_shared_parts(const uint64_t *lanes, uint32_t mask, uint32_t banks,
                               uint32_t parts, bool limited)
{
    uint32_t cycles = 0, width = 32 / parts;
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t group = mask >> (part * width);
        if (width < 32)
            group &= (1u << width) - 1;
        uint32_t count = (uint32_t)__builtin_popcount(group);
        if (count != 0)
            cycles += limited ? limited_broadcast(lanes, count, banks)
                              : coalesce_shared(lanes, count, banks);
        lanes += count;
    }
    return cycles != 0 ? cycles : 1;
}
