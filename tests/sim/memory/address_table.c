/* Where lines live, by tables and worked out: the same for every card and every hash. */
#include "tests/sim/support.h"

#include "sim/memory/address_table.h"

static void compare(const char *source, const char *const *sets, bool whole)
{
    struct error err = {0};
    struct address_spec spec;
    struct address_table_map map;
    uint64_t random = 1;
    size_t count = 0;
    while (sets[count] != NULL)
        count++;
    struct sim_config *config = sim_config_create(&source, 1, sets, count, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_msg(address_init(&spec, config, &err) == 0, "%s", err.text);
    bool parities = (spec.channels & (spec.channels - 1)) == 0;
    const char indices[] = {'L', 'P', 'X', 'H'};
    for (unsigned i = 0; i < sizeof indices; i++) {
        const struct tags_spec tags = {
            .sets = 64, .ways = 16, .line_bytes = 128, .set_index = indices[i]};
        address_table_init(&map, &spec, &tags);
        ck_assert_int_eq(map.whole, whole);
        ck_assert_int_eq(map.sets.linear, parities && whole);
        for (int n = 0; n < 4000; n++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t address = random >> (n % 40); /* short and long ones */
            uint32_t own, row, slice = address_table_of(&map, address, &own);
            uint64_t inside = address_in_slice(&spec, address & ~(uint64_t)127);
            ck_assert_uint_eq(slice, address_slice(&spec, address));
            ck_assert_uint_eq(own, tags_set_of(&tags, inside));
            ck_assert_uint_eq(address_table_bank(&map, address, &row),
                              address_bank(&spec, address));
            ck_assert_uint_eq(row, address_row(&spec, address));
        }
    }
    sim_config_destroy(config);
}

START_TEST(of_every_card)
{
    for (const struct sim_bundled_config *card = sim_bundled_configs; card->name; card++)
        compare(card->name, NO_SETS, true);
}
END_TEST

START_TEST(of_every_hash)
{
    compare("rtx3070",
            SETS("gpgpu_n_mem=4", "gpgpu_n_sub_partition_per_mchannel=1",
                 "gpgpu_memory_partition_indexing=0",
                 "gpgpu_mem_addr_mapping=00000000.00000000.00000000.00000000."
                 "0000RRRR.RRRRRRRR.BBBCCCCB.DDCSSSSS"),
            false);
    compare("rtx3070", SETS("gpgpu_memory_partition_indexing=0"), true);
    compare("rtx3070", SETS("gpgpu_memory_partition_indexing=1"), true);
    compare("rtx3070", SETS("gpgpu_n_mem=6"), true);
    compare("rtx3070", SETS("gpgpu_n_mem=1"), true);
    compare("rtx3070", SETS("dram_bnk_indexing_policy=1"), true);
    compare("rtx3070", SETS("dram_bnk_indexing_policy=2"), true);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {of_every_card, of_every_hash};
    return RUN_TESTS("place", tests);
}
