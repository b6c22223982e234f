/* The bundled cards as simulators: each takes launches, spreads addresses over all of
 * its slices, and holds what its file says of latencies. */
#include "tests/sim/support.h"
#include "tests/suite.h"

#include <stdio.h>

#include "sim/memory/address.h"

static struct sim_config *card(const char *name, const char *const *sets, unsigned count)
{
    struct error err = {0};
    struct sim_config *config = sim_config_create(&name, 1, sets, count, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    return config;
}

static uint64_t run(const struct sim_config *config, const char *program)
{
    struct error err = {0};
    struct sim_result result;
    struct sim *sim = sim_create(config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    struct trace_kernel *kernel =
        test_kernel(&(struct launch_text){.regs = 16, .program = program});
    ck_assert_msg(sim_launch(sim, kernel, NULL, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    sim_destroy(sim);
    return result_cycles(&result);
}

/* Consecutive lines come to all slices alike. */
START_TEST(all_slices)
{
    struct error err = {0};
    struct address_spec spec;
    struct sim_config *config = card(sim_bundled_configs[_i].name, NULL, 0);
    uint32_t slices =
        config->options.gpgpu_n_mem * config->options.gpgpu_n_sub_partition_per_mchannel;
    ck_assert_msg(address_init(&spec, config, &err) == 0, "%s", err.text);
    unsigned seen[1024] = {0};
    /* Whole turns of all slices, 8 KiB each: the widest step between two of a channel. */
    uint64_t bytes = (uint64_t)slices * (1 << 20);
    for (uint64_t at = 0; at < bytes; at += 128)
        seen[address_slice(&spec, at)]++;
    for (uint32_t s = 0; s < slices; s++)
        ck_assert_uint_eq(seen[s], bytes / 128 / slices);
    sim_config_destroy(config);
}
END_TEST

/* The difference of 10 and 20 dependent instructions. */
static uint64_t link(const struct sim_config *config, const char *inst)
{
    char part[100];
    strcat(strcpy(part, inst), ";");
    uint64_t some = run(config, repeated("%EXIT", 10, part));
    return (run(config, repeated("%EXIT", 20, part)) - some) / 10;
}

static const struct {
    const char *name;
    unsigned shared, l1, l2;
} measured[] = {{"a100", 30, 33, 206}, {"h100", 23, 33, 277},     {"b200", 23, 39, 295},
                {"v100", 25, 28, 212}, {"rtxa6000", 34, 33, 250}, {"rtx4090", 34, 35, 285},
                {"l40s", 34, 35, 274}};

/* What the files say that loads take. */
START_TEST(latencies)
{
    const char *const sets[] = {"gpgpu_kernel_launch_latency=0"};
    struct sim_config *config = card(measured[_i].name, sets, 1);
    ck_assert_uint_eq(link(config, "R1 = LDS R1 [ 4 1 0x0 4 ]"), measured[_i].shared);
    ck_assert_uint_eq(link(config, "R1 = LDG.E R1 [ 4 1 0x1000 0 ]"), measured[_i].l1);
    /* the mean over slices */
    const char *const near_sets[] = {"gpgpu_kernel_launch_latency=0", "hearth_l2_spread=0"};
    struct sim_config *near = card(measured[_i].name, near_sets, 2);
    ck_assert_uint_eq(link(near, "R1 = LDG.E.STRONG.GPU R1 [ 4 1 0x1000 0 ]") +
                          config->options.hearth_l2_spread / 2,
                      measured[_i].l2);
    sim_config_destroy(near);
    sim_config_destroy(config);
}
END_TEST

/* Loads from memory, each of another row: their latency is the file's, within the
 * waits for clocks that do not match. That of h100 is 19 cycles below its card's, 697, as
 * misses leave L1 after 3 cycles, not after the 22 of a hit (hearth_l1_lookup_latency). */
START_TEST(from_memory)
{
    static const struct {
        const char *name;
        unsigned cycles;
    } cards[] = {{"a100", 520},     {"h100", 678},    {"b200", 854}, {"v100", 430},
                 {"rtxa6000", 548}, {"rtx4090", 607}, {"l40s", 607}};
    for (size_t c = 0; c < sizeof cards / sizeof *cards; c++) {
        const char *const sets[] = {"gpgpu_kernel_launch_latency=0", "hearth_page_walk=0"};
        struct sim_config *config = card(cards[c].name, sets, 2);
        char program[20000] = "";
        uint64_t cycles[2];
        for (unsigned n = 0; n < 220; n++) { /* many refreshes */
            char inst[80];
            /* multiples of 1 MB without a pattern that refreshes could keep step with */
            snprintf(inst, sizeof inst, "R1 = LDG.E R1 [ 4 1 0x%llx 0 ];",
                     ((n + 1) * 2654435761u >> 20) * 1ull << 20);
            if (n == 20)
                cycles[0] = run(config, strcat(strcpy((char[20100]){0}, program), "EXIT"));
            strcat(program, inst);
        }
        cycles[1] = run(config, strcat(program, "EXIT"));
        double each = (double)(cycles[1] - cycles[0]) / 200;
        ck_assert_double_ge(each, cards[c].cycles - 20);
        ck_assert_double_le(each, cards[c].cycles + 20);
        sim_config_destroy(config);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cards");
    TCase *tcase = tcase_create("cards");
    tcase_set_timeout(tcase, 60);
    int cards = 0;
    while (sim_bundled_configs[cards].name != NULL)
        cards++;
    tcase_add_loop_test(tcase, all_slices, 0, cards);
    tcase_add_loop_test(tcase, latencies, 0, sizeof measured / sizeof *measured);
    tcase_add_test(tcase, from_memory);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
