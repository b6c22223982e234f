/* Addresses to slices, banks, rows. */
#include "tests/sim/support.h"

#include "sim/memory/address.h"

static struct sim_config *config;
static struct address_spec spec;

static void start(const char *const *sets)
{
    struct error err = {0};
    const char *source = "rtx3070";
    unsigned count = 0;
    while (sets[count] != NULL)
        count++;
    config = sim_config_create(&source, 1, sets, count, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_msg(address_init(&spec, config, &err) == 0, "%s", err.text);
}

static void stop(void)
{
    sim_config_destroy(config);
}

/* dramid@8;...0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS with 16 channels: bits 8 to
 * 11 are taken out for the channel; what remains above moves up by four: bits
 * 12 to 15 column, 16 to 18 bank, 19 to 31 row; bit 7 is the lowest of the
 * bank and chooses the slice. The slice is hashed with bits 13 and up:
 * x^5 + x^2 + 1, see hash.c. */
static const struct {
    uint64_t address;
    uint32_t slice, bank, row;
    uint64_t in_slice; /* without bits 7 to 11 */
} rtx3070[] = {
    {0x0, 0, 0, 0, 0x0},
    {0x7f, 0, 0, 0, 0x7f},
    {0x80, 1, 1, 0, 0x0},
    {0x100, 2, 0, 0, 0x0},
    {0x180, 3, 1, 0, 0x0},
    {0xf80, 31, 1, 0, 0x0},
    {0x1000, 0, 0, 0, 0x80},
    {0x2000, 5, 0, 0, 0x100},
    {0x2080, 4, 1, 0, 0x100},
    {0x4000, 10, 0, 0, 0x200},
    {0x10000, 13, 2, 0, 0x800},
    {0x20000, 26, 4, 0, 0x1000},
    {0x70000, 13 ^ 26 ^ 17, 14, 0, 0x3800},
    {0x80000000, 0, 0, 0x1000, 0x4000000},
    {0x10000000, 0, 0, 0x200, 0x800000},
};

START_TEST(known)
{
    start(NO_SETS);
    for (size_t i = 0; i < sizeof rtx3070 / sizeof *rtx3070; i++) {
        uint64_t address = rtx3070[i].address;
        ck_assert_msg(address_slice(&spec, address) == rtx3070[i].slice, "%lx: slice %u",
                      (unsigned long)address, address_slice(&spec, address));
        ck_assert_uint_eq(address_bank(&spec, address), rtx3070[i].bank);
        ck_assert_uint_eq(address_row(&spec, address), rtx3070[i].row);
        ck_assert_uint_eq(address_in_slice(&spec, address), rtx3070[i].in_slice);
    }
    stop();
}
END_TEST

/* Each aligned 4 KiB are spread evenly over the 32 slices: a line each. */
START_TEST(even)
{
    start(NO_SETS);
    for (uint64_t block = 0; block < 500; block++) {
        uint32_t seen = 0;
        for (uint64_t at = 0; at < 4096; at += 128)
            seen |= 1u << address_slice(&spec, 0x7f0000000000 + block * 4096 + at);
        ck_assert_uint_eq(seen, UINT32_MAX);
    }
    stop();
}
END_TEST

/* Two addresses of one slice never look the same inside it: in 1 MiB each
 * pair of slice and inner address comes once. */
START_TEST(one_to_one)
{
    static bool seen[32][1 << 20 >> 12];
    start(NO_SETS);
    for (uint64_t at = 0; at < 1 << 20; at += 128) {
        bool *one = &seen[address_slice(&spec, at)][address_in_slice(&spec, at) >> 7];
        ck_assert(!*one);
        *one = true;
    }
    stop();
}
END_TEST

/* Plain: channel and bit 7 as they are. */
START_TEST(plain)
{
    start(SETS("gpgpu_memory_partition_indexing=0"));
    ck_assert_uint_eq(address_slice(&spec, 0x2000), 0);
    ck_assert_uint_eq(address_slice(&spec, 0xfffffff80), 31);
    ck_assert_uint_eq(address_slice(&spec, 0x580), 11);
    stop();
}
END_TEST

/* Xor of the channel with bits 13 and up. */
START_TEST(xor)
{
    start(SETS("gpgpu_memory_partition_indexing=1"));
    ck_assert_uint_eq(address_slice(&spec, 0x100), 2);
    ck_assert_uint_eq(address_slice(&spec, 0x2000), 2);
    ck_assert_uint_eq(address_slice(&spec, 0x2180), 1);
    stop();
}
END_TEST

/* Six channels: the channel is the remainder of what lies above bit 8, and
 * the rest of the map applies to the quotient. */
START_TEST(six_channels)
{
    start(SETS("gpgpu_n_mem=6", "gpgpu_memory_partition_indexing=0"));
    for (uint64_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(address_slice(&spec, i << 8), i % 6 * 2);
        ck_assert_uint_eq(address_slice(&spec, i << 8 | 0x80), i % 6 * 2 + 1);
        ck_assert_uint_eq(address_in_slice(&spec, i << 8), i / 6 << 7);
    }
    /* Row: quotient bit 15; bank: bits 12 to 14 and 7. */
    ck_assert_uint_eq(address_row(&spec, (0x8000 >> 8) * 6ull << 8), 1);
    ck_assert_uint_eq(address_bank(&spec, (0x1000 >> 8) * 6ull << 8), 2);
    stop();
    /* Hashed over 16 (8 channels of two slices), the remainder of it taken:
     * all slices are used. */
    start(SETS("gpgpu_n_mem=6"));
    unsigned count[12] = {0};
    for (uint64_t i = 0; i < 12000; i++) {
        uint32_t slice = address_slice(&spec, i << 7);
        ck_assert_uint_lt(slice, 12);
        count[slice]++;
    }
    for (int s = 0; s < 12; s++)
        ck_assert_uint_gt(count[s], 0);
    stop();
}
END_TEST

/* The bank hashed with the row. */
START_TEST(bank_hash)
{
    start(SETS("dram_bnk_indexing_policy=1"));
    ck_assert_uint_eq(address_bank(&spec, 0x80000), 1);
    ck_assert_uint_eq(address_bank(&spec, 0x180080), 1 ^ 3);
    stop();
    start(SETS("dram_bnk_indexing_policy=2"));
    ck_assert_uint_eq(address_bank(&spec, 0x80000), 3); /* x^4 = x + 1 */
    ck_assert_uint_eq(address_bank(&spec, 0x100080), 6 ^ 1);
    stop();
}
END_TEST

/* A map with the channel as a mask of its own: 'D'. */
START_TEST(channel_mask)
{
    start(SETS("gpgpu_n_mem=4", "gpgpu_n_sub_partition_per_mchannel=1",
               "gpgpu_memory_partition_indexing=0",
               "gpgpu_mem_addr_mapping=00000000.00000000.00000000.00000000."
               "0000RRRR.RRRRRRRR.BBBCCCCB.DDCSSSSS"));
    ck_assert_uint_eq(address_slice(&spec, 0x40), 1);
    ck_assert_uint_eq(address_slice(&spec, 0xc0), 3);
    ck_assert_uint_eq(address_bank(&spec, 0x100), 1);
    ck_assert_uint_eq(address_bank(&spec, 0x2000), 2);
    ck_assert_uint_eq(address_row(&spec, 0x10000), 1);
    stop();
}
END_TEST

/* 6 channels of 2 slices, chunks of 256 bytes: each group of 6 chunks has one in each channel,
 * places in a slice stay as without rotation, and a stride of 6 chunks, which would stay in one
 * channel, uses all of them about equally. */
START_TEST(rotation)
{
    uint32_t hits[6] = {0};
    struct address_spec plain_spec;
    start(SETS("gpgpu_n_mem=6", "gpgpu_memory_partition_indexing=0"));
    plain_spec = spec;
    stop();
    start(SETS("gpgpu_n_mem=6", "gpgpu_memory_partition_indexing=0",
               "hearth_channel_rotation=1"));
    for (uint64_t group = 0; group < 600; group++) {
        uint32_t seen = 0;
        for (uint64_t chunk = 0; chunk < 6; chunk++) {
            uint64_t address = (group * 6 + chunk) * 256 + 128 * (chunk & 1);
            uint32_t slice = address_slice(&spec, address);
            ck_assert_uint_lt(slice, 12);
            seen |= 1u << slice / 2;
            ck_assert_uint_eq(slice % 2, address_slice(&plain_spec, address) % 2);
            ck_assert_uint_eq(address_in_slice(&spec, address),
                              address_in_slice(&plain_spec, address));
        }
        ck_assert_uint_eq(seen, 63);
        hits[address_slice(&spec, group * 6 * 256) / 2]++;
    }
    for (int channel = 0; channel < 6; channel++)
        ck_assert_msg(hits[channel] >= 70 && hits[channel] <= 130, "%u", hits[channel]);
    stop();
}
END_TEST

/* 6 channels of 2 slices in two halves, each of three; bits 12, 13 and 16 tell the half. */
#define HALVES(...)                                                                            \
    SETS("gpgpu_n_mem=6", "gpgpu_memory_partition_indexing=0", "hearth_l2_far_latency=100",    \
         "hearth_l2_half_bits=12,13,16", "hearth_channel_rotation=1", __VA_ARGS__)

static uint32_t half_of(uint64_t address)
{
    return address_slice(&spec, address) / 6;
}

START_TEST(halves_by_bits)
{
    static const struct {
        uint64_t address;
        uint32_t half;
    } rows[] = {{0x0, 0},     {0xfff, 0},   {0x1000, 1},  {0x1f80, 1},  {0x2000, 1},
                {0x3000, 0},  {0x4000, 0},  {0x8000, 0},  {0x10000, 1}, {0x12000, 0},
                {0x13000, 1}, {0x20000, 0}, {0x1fffff, 1}};
    start(HALVES("hearth_l2_half_seed=0"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(half_of(rows[i].address) == rows[i].half, "%lx: half %u",
                      (unsigned long)rows[i].address, half_of(rows[i].address));
    stop();
}
END_TEST

/* A slice has each place once, and the slices of a half get as many lines as each other but for
 * what is left of a group. */
static void check_one_to_one(uint32_t spread)
{
    static bool seen[12][1 << 20 >> 10];
    uint32_t lines[12] = {0};
    memset(seen, 0, sizeof seen);
    for (uint64_t at = 0x7f0000200000; at < 0x7f0000200000 + (1 << 20); at += 128) {
        uint32_t slice = address_slice(&spec, at);
        uint64_t place = (address_in_slice(&spec, at) >> 7) % (sizeof *seen);
        ck_assert_msg(!seen[slice][place], "%lx", (unsigned long)at);
        seen[slice][place] = true;
        lines[slice]++;
    }
    for (uint32_t slice = 0; slice < 12; slice++)
        ck_assert_msg(lines[slice] + spread >= 682 && lines[slice] <= 683 + spread, "%u: %u",
                      slice, lines[slice]);
}

START_TEST(halves_are_one_to_one)
{
    start(HALVES("hearth_l2_half_seed=7"));
    check_one_to_one(2);
    stop();
}
END_TEST

/* Chunks of 256 bytes, and of 16 KB, both larger than what lies below the lowest such bit. */
START_TEST(halves_within_a_chunk)
{
    start(HALVES("hearth_l2_half_bits=7,9"));
    check_one_to_one(2);
    stop();
    start(HALVES("gpgpu_mem_addr_mapping=dramid@14;00000000.00000000.00000000.00000000."
                 "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS"));
    check_one_to_one(64);
    stop();
}
END_TEST

static void check_half_of(uint32_t count)
{
    ck_assert_msg(count > 450 && count < 550, "%u", count);
}

/* About half of the pages of 2 MB begin in the second half, whatever the half of the page
 * before them, and others with another seed; within a page the bits decide. */
START_TEST(halves_of_pages)
{
    static uint32_t half[2][1000];
    uint32_t second[2] = {0}, turned[2] = {0}, moved = 0;
    for (uint32_t seed = 0; seed < 2; seed++) {
        start(seed == 0 ? HALVES("hearth_l2_half_seed=0") : HALVES("hearth_l2_half_seed=1"));
        for (uint64_t page = 1; page < 1000; page++) {
            half[seed][page] = half_of(page << 21);
            second[seed] += half[seed][page];
            turned[seed] += page > 1 && half[seed][page] != half[seed][page - 1];
            ck_assert_uint_eq(half_of(page << 21 | 0x1000), !half[seed][page]);
            ck_assert_uint_eq(half_of(page << 21 | 0x1ff000), !half[seed][page]);
        }
        stop();
    }
    for (uint32_t page = 1; page < 1000; page++)
        moved += half[0][page] != half[1][page];
    for (uint32_t seed = 0; seed < 2; seed++) {
        check_half_of(second[seed]);
        check_half_of(turned[seed]);
    }
    check_half_of(moved);
}
END_TEST

START_TEST(halves_refused)
{
    struct error err = {0};
    start(NO_SETS);
    config->options.hearth_l2_far_latency = 100;
    config->l2_half_bits = 0x1000;
    ck_assert_int_eq(address_init(&spec, config, &err), -1);
    ck_assert_str_eq(err.text, "-hearth_l2_half_bits: needs an even number of channels that is "
                               "no power of two (16, -gpgpu_n_mem), and "
                               "-gpgpu_memory_partition_indexing 0");
    stop();
}
END_TEST

START_TEST(rotation_refused)
{
    struct error err = {0};
    start(NO_SETS);
    config->options.hearth_channel_rotation = true;
    ck_assert_int_eq(address_init(&spec, config, &err), -1);
    ck_assert_str_eq(err.text, "-hearth_channel_rotation: 16 channels are a power of two; use "
                               "-gpgpu_memory_partition_indexing");
    stop();
}
END_TEST

START_TEST(refused)
{
    struct error err = {0};
    start(NO_SETS);
    config->options.gpgpu_n_sub_partition_per_mchannel = 3;
    ck_assert_int_eq(address_init(&spec, config, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.text,
                     "-gpgpu_n_sub_partition_per_mchannel 3: expected a power of two");
    stop();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        known,
        even,
        one_to_one,
        plain,
        xor,
        six_channels,
        bank_hash,
        channel_mask,
        rotation,
        rotation_refused,
        refused,
        halves_by_bits,
        halves_are_one_to_one,
        halves_within_a_chunk,
        halves_of_pages,
        halves_refused,
    };
    return RUN_TESTS("address", tests);
}
