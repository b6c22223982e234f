/* Where lines live, by tables and worked out: the same for every card and every hash. */
#include "tests/sim/support.h"

#include "sim/memory/place.h"

static void compare(const char *source, const char *set)
{
    struct error err = {0};
    struct address_spec spec;
    struct place_map map;
    uint64_t random = 1;
    struct sim_config *config =
        sim_config_create(&source, 1, &set, set != NULL, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    ck_assert_msg(address_init(&spec, config, &err) == 0, "%s", err.text);
    const char indices[] = {'L', 'P', 'X', 'H'};
    for (unsigned i = 0; i < sizeof indices; i++) {
        const struct tags tags = {
            .spec = {.sets = 64, .ways = 16, .line_bytes = 128, .set_index = indices[i]}};
        place_init(&map, &spec, &tags);
        ck_assert_int_eq(map.linear, (spec.channels & (spec.channels - 1)) == 0);
        for (int n = 0; n < 20000; n++) {
            uint32_t set_there;
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t line = random >> (n % 40) & ~(uint64_t)127; /* short and long ones */
            uint32_t slice = place_of(&map, line, &set_there);
            ck_assert_uint_eq(slice, address_slice(&spec, line));
            ck_assert_uint_eq(set_there, tags_set(&tags, address_in_slice(&spec, line)));
        }
    }
    sim_config_destroy(config);
}

START_TEST(of_every_card)
{
    for (const struct sim_bundled_config *card = sim_bundled_configs; card->name; card++)
        compare(card->name, NULL);
}
END_TEST

START_TEST(of_every_hash)
{
    compare("rtx3070", "gpgpu_memory_partition_indexing=0");
    compare("rtx3070", "gpgpu_memory_partition_indexing=1");
    compare("rtx3070", "gpgpu_n_mem=6");
    compare("rtx3070", "gpgpu_n_mem=1");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {of_every_card, of_every_hash};
    return RUN_TESTS("place", tests);
}
