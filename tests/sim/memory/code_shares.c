/* Requests for code of the SMs of a GPC, which go to L2 as one. */
#include "tests/sim/support.h"

#include "sim/memory/network/code_shares.h"

static struct packet code_of(uint16_t sm, uint64_t address)
{
    struct packet packet = packet_of(PACKET_CODE, address);
    packet.sm = sm;
    return packet;
}

/* Of two GPCs: even SMs are in one, odd ones in the other. */
static const uint16_t gpcs[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};

static struct code_shares make(const uint16_t *of)
{
    struct code_shares shares;
    code_shares_init(&shares, &(struct code_shares_spec){.gpcs = of, .cycles = 100});
    return shares;
}

/* Whether one request goes with an earlier one. */
static bool joins(struct code_shares *shares, uint16_t sm, uint64_t address, uint64_t ready)
{
    struct packet packet = code_of(sm, address);
    code_shares_offer(shares, &packet, ready);
    code_shares_join(shares);
    return packet.op == CODE_SHARES_JOINED;
}

static struct {
    uint64_t count, sms, cycle, address;
} delivered;

static void deliver(void *data, const struct code_shares_answer *answer, uint32_t sm)
{
    (void)data;
    delivered.count++;
    delivered.sms |= 1ull << sm;
    delivered.cycle = answer->cycle;
    delivered.address = answer->packet.address;
}

static void answer(struct code_shares *shares, uint16_t sm, uint64_t address, uint64_t cycle)
{
    const struct packet packet = code_of(sm, address);
    memset(&delivered, 0, sizeof delivered);
    code_shares_answer(shares, &packet, cycle);
    code_shares_take(shares, deliver, NULL);
}

/* SMs of the same GPC, the same sector, less than 100 cycles after the first. All get its
 * answer. */
START_TEST(members)
{
    struct code_shares shares = make(gpcs);
    ck_assert(!joins(&shares, 0, 0x1000, 50));
    ck_assert(joins(&shares, 2, 0x1000, 50));
    ck_assert(joins(&shares, 4, 0x1000, 149));
    ck_assert(!joins(&shares, 1, 0x1000, 60)); /* another GPC */
    ck_assert(!joins(&shares, 2, 0x1020, 60)); /* another sector */
    ck_assert(!joins(&shares, 6, 0x1000, 150));
    ck_assert(joins(&shares, 8, 0x1000, 249)); /* with that one */
    answer(&shares, 0, 0x1000, 400);
    ck_assert_uint_eq(delivered.count, 3);
    ck_assert_uint_eq(delivered.sms, 1 << 0 | 1 << 2 | 1 << 4);
    ck_assert_uint_eq(delivered.cycle, 400);
    ck_assert_uint_eq(delivered.address, 0x1000);
    answer(&shares, 6, 0x1000, 450);
    ck_assert_uint_eq(delivered.sms, 1 << 6 | 1 << 8);
    answer(&shares, 2, 0x1020, 451);
    ck_assert_uint_eq(delivered.sms, 1 << 2);
    answer(&shares, 1, 0x1000, 452);
    ck_assert_uint_eq(delivered.sms, 1 << 1);
    ck_assert(!joins(&shares, 2, 0x1000, 140)); /* answered: none is on its way */
    code_shares_finish(&shares);
}
END_TEST

/* Whatever the order of the SMs: the request that leaves first is the one that goes. */
START_TEST(first_goes)
{
    struct code_shares shares = make(gpcs);
    struct packet late = code_of(0, 0x1000), early = code_of(2, 0x1000),
                  last = code_of(4, 0x1000);
    code_shares_offer(&shares, &late, 90);
    code_shares_offer(&shares, &early, 10);
    code_shares_offer(&shares, &last, 110);
    code_shares_join(&shares);
    ck_assert_uint_eq(late.op, CODE_SHARES_JOINED);
    ck_assert_uint_eq(early.op, 0);
    ck_assert_uint_eq(last.op, 0);
    code_shares_finish(&shares);
}
END_TEST

/* Without a cache of GPCs each SM asks by itself. */
START_TEST(apart)
{
    struct code_shares shares = make(NULL);
    ck_assert(!joins(&shares, 0, 0x1000, 50));
    ck_assert(!joins(&shares, 2, 0x1000, 50));
    answer(&shares, 2, 0x1000, 300);
    ck_assert_uint_eq(delivered.sms, 1 << 2);
    code_shares_finish(&shares);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {members, first_goes, apart};
    return RUN_TESTS("code_shares", tests);
}
