/* A DRAM scheduler of this file, which meson.build adds to the table by one line:
 * configuration, help, error messages and the model know it. */
#include "sim/memory/dram/dram_parts.h"
#include "tests/sim/support.h"

/* What a bank turns to: its newest request. Its state counts them. */
static uint32_t turns;

static struct dram_choice choose(struct dram *dram, uint64_t idle, int which)
{
    uint32_t bank = dram_first_bank(dram, idle);
    uint32_t *count = dram->state;
    turns = ++count[bank];
    return (struct dram_choice){bank, dram->banks[bank].last[which]};
}

const struct dram_scheduler dram_scheduler_lifo = {
    .policy = {"lifo", "newest", "last in, first out"},
    .state_size = sizeof(uint32_t),
    .choose = choose,
};

/* Three requests of a bank, all there before it turns to one. */
START_TEST(order)
{
    struct dram_spec spec = {
        .timing = {.banks = 2, .bank_groups = 1, .ccd = 1, .rcd = 2, .rp = 2, .cl = 1},
        .atom = 32,
        .queue_max = 8,
        .return_max = 8,
        .scheduler = dram_scheduler_find("newest"),
    };
    struct dram dram;
    ck_assert(dram_init(&dram, &spec));
    for (uint32_t i = 0; i < 3; i++) {
        struct packet packet = packet_of(PACKET_READ, i), done;
        bool has_done;
        dram_push(&dram, &packet, 1, i, 32);
        if (i == 2)
            for (uint64_t tick = 1; tick < 100; tick++)
                dram_tick(&dram, tick, &done, &has_done);
    }
    for (uint32_t i = 3; i-- > 0; dram_pop_reply(&dram))
        ck_assert_uint_eq(queue_head(&dram.returned)->packet.address, i);
    ck_assert_uint_eq(turns, 3);
    dram_finish(&dram);
}
END_TEST

START_TEST(model)
{
    const struct launch_text text = {.program = "R1 = LDG.E R2 [ 4 1 0x10000 4 ]; EXIT"};
    turns = 0;
    struct sim_result result = launch_on(SETS("gpgpu_dram_scheduler=lifo"), &text);
    ck_assert_uint_eq(result.counters.dram_reads, 4);
    ck_assert_uint_gt(turns, 0);
    turns = 0;
    launch_on(SETS("gpgpu_dram_scheduler=0"), &text);
    launch_on(SETS("gpgpu_dram_scheduler=1"), &text);
    ck_assert_uint_eq(turns, 0);
}
END_TEST

START_TEST(help)
{
    char range[SIM_OPTION_RANGE];
    const struct sim_option_info *option = sim_option_find("gpgpu_dram_scheduler");
    ck_assert_str_eq(sim_option_range(option, range, sizeof range), "fifo, frfcfs or lifo");
    ck_assert_str_eq(sim_option_policies(option)[2]->description, "last in, first out");
}
END_TEST

START_TEST(errors)
{
    const char *source = "rtx3070", *set = "gpgpu_dram_scheduler=2";
    struct error err = {0};
    ck_assert_ptr_null(sim_config_create(&source, 1, &set, 1, NULL, NULL, &err));
    ck_assert_str_eq(err.text, "--set gpgpu_dram_scheduler=2: -gpgpu_dram_scheduler: expected "
                               "fifo, frfcfs or lifo; got '2'");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {order, model, help, errors};
    return RUN_TESTS("new DRAM scheduler", tests);
}
