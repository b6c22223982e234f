/* From lanes' addresses to sectors, and to cycles of shared memory. */
#include "tests/sim/support.h"

#include "sim/core/coalesce.h"
#include "traces/address.h"

static struct access_list list;
static uint64_t lanes[32];

/* COUNT lanes, STRIDE bytes apart from BASE on. */
static void stride(uint64_t base, int64_t bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        lanes[i] = base + i * (uint64_t)bytes;
}

static uint32_t sectors(uint64_t base, int64_t bytes, uint32_t width)
{
    stride(base, bytes, 32);
    coalesce_sectors(lanes, 32, width, &list);
    for (uint32_t i = 1; i < list.count; i++)
        ck_assert_uint_lt(list.sectors[i - 1].address, list.sectors[i].address);
    return list.count;
}

/* 32 lanes of 4 bytes side by side are 128 bytes, four sectors. */
START_TEST(contiguous)
{
    ck_assert_uint_eq(sectors(0x1000, 4, 4), 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(list.sectors[i].address, 0x1000 + 32 * i);
        ck_assert_uint_eq(list.sectors[i].bytes, UINT32_MAX);
        ck_assert_uint_eq(list.sectors[i].lanes, 8);
    }
    ck_assert_uint_eq(sectors(0x1000, 1, 1), 1);
    ck_assert_uint_eq(sectors(0x1000, 2, 2), 2);
    ck_assert_uint_eq(sectors(0x1000, 8, 8), 8);
    ck_assert_uint_eq(sectors(0x1000, 16, 16), 16);
    ck_assert_uint_eq(sectors(0x107c, -4, 4), 4);
}
END_TEST

/* Of lines whose sectors are not written whole, the sector that is sent first has the mask: the
 * last one. 32 lanes of 4 bytes, 8 apart, write halves of the sectors of two lines; side by
 * side whole sectors. */
START_TEST(masks)
{
    sectors(0x1000, 8, 4);
    ck_assert_uint_eq(coalesce_note_masks(&list), 2);
    for (uint32_t i = 0; i < list.count; i++)
        ck_assert_uint_eq(list.sectors[i].masked, i == 3 || i == 7);
    sectors(0x1000, 4, 4);
    ck_assert_uint_eq(coalesce_note_masks(&list), 0);
    ck_assert(!list.sectors[3].masked);
    sectors(0x1000, 128, 4);
    ck_assert_uint_eq(coalesce_note_masks(&list), 32);
    sectors(0x1010, 4, 4); /* half a sector on either side, of two lines */
    ck_assert_uint_eq(coalesce_note_masks(&list), 2);
}
END_TEST

START_TEST(strided)
{
    ck_assert_uint_eq(sectors(0x1000, 0, 4), 1);
    ck_assert_uint_eq(list.sectors[0].bytes, 0xf);
    ck_assert_uint_eq(sectors(0x1000, 8, 4), 8);
    ck_assert_uint_eq(list.sectors[0].bytes, 0x0f0f0f0f);
    ck_assert_uint_eq(sectors(0x1000, 32, 4), 32);
    ck_assert_uint_eq(sectors(0x1000, 128, 4), 32);
    ck_assert_uint_eq(sectors(0x1000, -128, 4), 32);
    ck_assert_uint_eq(sectors(0x7f0000000000, 1 << 20, 16), 32);
}
END_TEST

/* 4 bytes off, 128 bytes touch five sectors; one lane across an end, two. */
START_TEST(unaligned)
{
    ck_assert_uint_eq(sectors(0x1004, 4, 4), 5);
    ck_assert_uint_eq(list.sectors[0].bytes, 0xfffffff0);
    ck_assert_uint_eq(list.sectors[4].bytes, 0x0000000f);
    lanes[0] = 0x101e;
    coalesce_sectors(lanes, 1, 4, &list);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_uint_eq(list.sectors[0].address, 0x1000);
    ck_assert_uint_eq(list.sectors[0].bytes, 0xc0000000);
    ck_assert_uint_eq(list.sectors[1].address, 0x1020);
    ck_assert_uint_eq(list.sectors[1].bytes, 0x3);
    /* All 32 lanes across: two each. */
    ck_assert_uint_eq(sectors(0x1018, 128, 16), 64);
    coalesce_sectors(lanes, 0, 4, &list);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

/* Any order of lanes gives the same list. */
START_TEST(scattered)
{
    const uint64_t order[] = {0x2040, 0x1000, 0x2000, 0x1004, 0x2040, 0x0};
    const uint64_t expected[] = {0x0, 0x1000, 0x2000, 0x2040};
    coalesce_sectors(order, 6, 4, &list);
    ck_assert_uint_eq(list.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(list.sectors[i].address, expected[i]);
    ck_assert_uint_eq(list.sectors[1].lanes, 2);
}
END_TEST

/* Bytes of lanes are counted one by one: those of each sector, and its lanes. */
static void check_each_byte(uint32_t count, uint32_t width)
{
    uint32_t all = 0;
    for (uint32_t s = 0; s < list.count; s++) {
        const struct access_sector *sector = &list.sectors[s];
        uint32_t bytes = 0, sharing = 0;
        ck_assert(s == 0 || list.sectors[s - 1].address < sector->address);
        for (uint32_t i = 0; i < count; i++) {
            bool touched = false;
            for (uint64_t at = lanes[i]; at < lanes[i] + width; at++)
                if (at / 32 == sector->address / 32) {
                    bytes |= 1u << at % 32;
                    touched = true;
                }
            sharing += touched;
        }
        ck_assert_uint_eq(sector->bytes, bytes);
        ck_assert_uint_eq(sector->lanes, sharing);
        all += sharing;
    }
    for (uint32_t i = 0; i < count; i++)
        all -= 1 + (lanes[i] / 32 != (lanes[i] + width - 1) / 32);
    ck_assert_uint_eq(all, 0);
}

/* The lanes in order: those sectors, one after the other; none where one crosses. */
static void check_order(uint32_t count, uint32_t width)
{
    uint64_t room[32];
    const uint64_t *ordered = coalesce_order(lanes, count, width, room);
    bool crosses = false;
    for (uint32_t i = 0; i < count; i++)
        crosses |= lanes[i] / 32 != (lanes[i] + width - 1) / 32;
    ck_assert_int_eq(ordered == NULL, crosses);
    for (uint32_t s = 0, i = 0; s < list.count && !crosses; s++) {
        uint32_t bytes = 0, first = i;
        for (; i < first + list.sectors[s].lanes; i++) {
            ck_assert_uint_eq(ordered[i] / 32, list.sectors[s].address / 32);
            bytes |= ((1u << width) - 1) << ordered[i] % 32;
        }
        ck_assert_uint_eq(bytes, list.sectors[s].bytes);
    }
}

/* The lanes in rows of EACH, SPAN bytes apart at most, as records that know of them have them:
 * the same bytes, of the same sectors. */
static void check_wide(uint32_t each, uint32_t width, uint64_t random, uint64_t span, bool same)
{
    uint64_t words[32], room[32];
    uint32_t count, wide = width;
    for (uint32_t k = 0; k < 32; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t at = (random >> 17 & span) * (random >> 60 == 0 ? 1 : width);
        words[k] = lanes[k] = k % each == 0 ? 0x7f0000000000 + at
                              : same        ? lanes[k - 1]
                                            : lanes[k - 1] + width;
    }
    struct trace_record record = {.mask = UINT32_MAX};
    record.mode = address_rows(words, UINT32_MAX);
    coalesce_sectors(lanes, 32, width, &list);
    const struct access_list expected = list;
    const uint64_t *found = coalesce_wide_lanes(&record, words, room, &count, &wide);
    bool crosses = false;
    for (uint32_t i = 0; i < count; i++)
        crosses |= found[i] % 32 + wide > 32;
    ck_assert(!crosses || (count == 32 && wide == width));
    if (found == words && record.mode > TRACE_ADDRESS_LIST)
        ck_assert_uint_le(count, 16);
    coalesce_sectors(found, count, wide, &list);
    ck_assert_uint_eq(list.count, expected.count);
    for (uint32_t s = 0; s < list.count; s++) {
        ck_assert_uint_eq(list.sectors[s].address, expected.sectors[s].address);
        ck_assert_uint_eq(list.sectors[s].bytes, expected.sectors[s].bytes);
    }
}

START_TEST(wide_lanes)
{
    uint64_t random = 1;
    for (int i = 0; i < 6000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t width = 1u << (random >> 50) % 5, each = 1u << (random >> 40) % 6;
        check_wide(each, width, random, (1u << (4 + i % 20)) - 1, i % 5 == 0);
    }
    /* Rows of eight words: one lane of 32 bytes each. */
    uint64_t words[] = {0x1000, 0x2000, 0x2020, 0x100, 4}, room[32];
    struct trace_record record = {.mode = TRACE_ADDRESS_ROWS_8, .mask = UINT32_MAX};
    uint32_t count, width = 4;
    ck_assert_ptr_eq(coalesce_wide_lanes(&record, words, room, &count, &width), words);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(width, 32);
    words[1] += 4; /* across a sector's end */
    width = 4;
    ck_assert_ptr_eq(coalesce_wide_lanes(&record, words, room, &count, &width), room);
    ck_assert_uint_eq(count, 32);
    ck_assert_uint_eq(width, 4);
    ck_assert_uint_eq(room[8], 0x2004);
}
END_TEST

/* Lanes anywhere within 2^4 to 2^46 bytes, in order or not, across sectors or not. */
START_TEST(any_lanes)
{
    uint64_t random = 1;
    for (int i = 0; i < 6000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t count = 1 + (random >> 40) % 32, width = 1u << (random >> 50) % 5;
        uint64_t span = (1ull << (4 + (random >> 56) % 43)) - 1;
        uint64_t align = i % 3 == 0 ? 1 : width;
        for (uint32_t k = 0; k < count; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            lanes[k] = 0x7f0000000000 + (random >> 17 & span) / align * align;
        }
        coalesce_sectors(lanes, count, width, &list);
        check_each_byte(count, width);
        check_order(count, width);
    }
}
END_TEST

/* Atomics: lanes on the same word need a transaction each, on different words
 * of a sector they share one. */
START_TEST(atomics)
{
    stride(0x1000, 0, 32);
    coalesce_atomic(lanes, 32, 4, &list);
    ck_assert_uint_eq(list.count, 32);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(list.sectors[i].lanes, 1);
    stride(0x1000, 4, 32);
    coalesce_atomic(lanes, 32, 4, &list);
    ck_assert_uint_eq(list.count, 4);
    ck_assert_uint_eq(list.sectors[0].lanes, 8);
    /* Two words, 16 lanes each: 16 transactions of two lanes. */
    for (uint32_t i = 0; i < 32; i++)
        lanes[i] = 0x1000 + i % 2 * 4;
    coalesce_atomic(lanes, 32, 4, &list);
    ck_assert_uint_eq(list.count, 16);
    ck_assert_uint_eq(list.sectors[15].lanes, 2);
    /* Half a word shared is shared. */
    lanes[0] = 0x1000;
    lanes[1] = 0x1002;
    coalesce_atomic(lanes, 2, 4, &list);
    ck_assert_uint_eq(list.count, 2);
}
END_TEST

/* Local memory: the same word of 32 threads is 128 bytes side by side; the
 * next word follows a stride behind, which all threads of the GPU fill. */
START_TEST(local)
{
    struct local_map map = {.word_stride = 0x10000};
    for (uint32_t lane = 0; lane < 32; lane++)
        map.thread_base[lane] = 0x400 + 4 * lane;
    stride(0x20, 0, 32);
    coalesce_local(lanes, UINT32_MAX, 4, &map, &list);
    ck_assert_uint_eq(list.count, 4);
    ck_assert_uint_eq(list.sectors[0].address, 0x8 * 0x10000 + 0x400);
    ck_assert_uint_eq(list.sectors[0].bytes, UINT32_MAX);
    /* 16 bytes are four words. */
    coalesce_local(lanes, UINT32_MAX, 16, &map, &list);
    ck_assert_uint_eq(list.count, 16);
    ck_assert_uint_eq(list.sectors[15].address, 0xb * 0x10000 + 0x400 + 96);
    /* A byte within its word. */
    lanes[0] = 0x23;
    coalesce_local(lanes, 1u << 9, 1, &map, &list);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.sectors[0].address, 0x8 * 0x10000 + 0x420);
    ck_assert_uint_eq(list.sectors[0].bytes, 1u << (4 + 3));
    /* Every thread at an offset of its own: a sector each. */
    stride(0x20, 4, 32);
    coalesce_local(lanes, UINT32_MAX, 4, &map, &list);
    ck_assert_uint_eq(list.count, 32);
    /* The most that there can be. */
    stride(0x20, 16, 32);
    coalesce_local(lanes, UINT32_MAX, 16, &map, &list);
    ck_assert_uint_eq(list.count, 128);
}
END_TEST

/* The most words of one of 32 banks; lanes on one word count once. */
START_TEST(shared)
{
    const struct {
        uint64_t bytes;
        uint32_t cycles;
    } rows[] = {{4, 1},   {0, 1},    {8, 2}, {12, 1},  {16, 4},
                {64, 16}, {128, 32}, {2, 1}, {132, 1}, {256, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stride(0, (int64_t)rows[i].bytes, 32);
        ck_assert_uint_eq(coalesce_shared(lanes, 32, 32), rows[i].cycles);
    }
    /* Two words of bank 0, all other lanes in banks of their own. */
    stride(0, 4, 32);
    lanes[1] = 128;
    ck_assert_uint_eq(coalesce_shared(lanes, 32, 32), 2);
    lanes[1] = 0;
    ck_assert_uint_eq(coalesce_shared(lanes, 32, 32), 1);
    ck_assert_uint_eq(coalesce_shared(lanes, 0, 32), 1);
    stride(0, 4, 32);
    ck_assert_uint_eq(coalesce_shared(lanes, 32, 16), 2);
}
END_TEST

/* Cards before Fermi: half warps, and one word for several lanes. */
START_TEST(shared_memory_of_old_cards)
{
    stride(0, 4, 32);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, UINT32_MAX, 16, 2, false), 2);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, 0xffff, 16, 2, false), 1);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, 0, 16, 2, false), 1);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, UINT32_MAX, 32, 1, true), 1);
    /* All lanes read one word: free in any case. */
    stride(0, 0, 32);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, UINT32_MAX, 32, 1, true), 1);
    /* Four lanes each read one of eight words: one is broadcast, the others take
     * four cycles. */
    for (uint32_t lane = 0; lane < 32; lane++)
        lanes[lane] = lane / 4 * 4;
    ck_assert_uint_eq(coalesce_shared_parts(lanes, UINT32_MAX, 32, 1, true), 4);
    ck_assert_uint_eq(coalesce_shared_parts(lanes, UINT32_MAX, 32, 1, false), 1);
}
END_TEST

/* The lanes' addresses of each kind of record. */
START_TEST(lane_addresses)
{
    const uint64_t words[] = {7, 0x100, (uint64_t)-8, 0x30, 0x20};
    struct trace_record record = {.mode = TRACE_ADDRESS_STRIDE, .mask = 0x111, .address = 1};
    uint32_t count;
    const uint64_t *found = coalesce_lanes(&record, words, lanes, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(found[0], 0x100);
    ck_assert_uint_eq(found[1], 0xf8);
    ck_assert_uint_eq(found[2], 0xf0);
    record = (struct trace_record){.mode = TRACE_ADDRESS_LIST, .mask = 0x3, .address = 3};
    found = coalesce_lanes(&record, words, lanes, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(found[0], 0x30);
    ck_assert_uint_eq(found[1], 0x20);
    record.mode = TRACE_ADDRESS_NONE;
    coalesce_lanes(&record, words, lanes, &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* Lines of 128 bytes know which of their sectors are in the list. */
START_TEST(sectors_of_lines)
{
    ck_assert_uint_eq(sectors(0x1004, 4, 4), 5);
    coalesce_note_lines(&list);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(list.sectors[i].together, i < 4 ? 15 : 1);
    ck_assert_uint_eq(sectors(0x1040, 64, 4), 32);
    coalesce_note_lines(&list);
    ck_assert_uint_eq(list.sectors[0].together, 4);
    ck_assert_uint_eq(list.sectors[1].together, 5);
    ck_assert_uint_eq(list.sectors[31].together, 1);
}
END_TEST

/* The other half of 16 sectors is taken, and leaves nothing; of bytes that both have, and of
 * other sectors, all stay. */
START_TEST(joined)
{
    static struct access_list later;
    ck_assert_uint_eq(sectors(0x1000, 16, 8), 16);
    later = list;
    coalesce_join(&list, &later);
    ck_assert_uint_eq(later.count, 16);
    ck_assert_uint_eq(list.sectors[0].bytes, 0x00ff00ff);
    ck_assert_uint_eq(sectors(0x1008, 16, 8), 16);
    coalesce_join(&later, &list);
    ck_assert_uint_eq(list.count, 0);
    for (uint32_t i = 0; i < 16; i++)
        ck_assert_uint_eq(later.sectors[i].bytes, UINT32_MAX);
    ck_assert_uint_eq(sectors(0x10f8, 32, 4), 32);
    ck_assert_uint_eq(list.sectors[0].address, 0x10e0);
    later.count = 8; /* up to 0x10ff */
    later.sectors[7].bytes = 0xffff;
    coalesce_join(&later, &list);
    ck_assert_uint_eq(list.count, 31);
    ck_assert_uint_eq(list.sectors[0].address, 0x1100);
    ck_assert_uint_eq(later.sectors[7].bytes, 0x0f00ffff);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        contiguous,     strided,    unaligned,
        scattered,      any_lanes,  atomics,
        local,          shared,     shared_memory_of_old_cards,
        lane_addresses, wide_lanes, sectors_of_lines,
        joined,         masks,
    };
    return RUN_TESTS("coalesce", tests);
}
