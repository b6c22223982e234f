/* What core models share: pools of numbered elements, and timing wheels. */
#include "sim/core/pool.h"

#include <stdlib.h>

#include "sim/core/wheel.h"
#include "tests/suite.h"

struct item {
    uint32_t value;
    uint16_t next;
};

/* Elements that are free are linked in order, those in use stay as they are, and there are no
 * more than can be numbered. */
START_TEST(pool)
{
    struct item *items = NULL;
    uint32_t count = 0, used = 0;
    uint16_t first = POOL_NONE;
    while (used < POOL_NONE) {
        void *room = items;
        ck_assert(pool_grow(&room, &count, &first, sizeof *items, offsetof(struct item, next)));
        items = room;
        for (; first != POOL_NONE && first == used; used++) {
            first = items[used].next;
            items[used].value = used;
        }
        ck_assert_uint_eq(first, POOL_NONE);
        ck_assert_uint_eq(used, count);
    }
    while (used != 0 && items[used - 1].value == used - 1)
        used--;
    ck_assert_uint_eq(used, 0);
    void *room = items;
    ck_assert(!pool_grow(&room, &count, &first, sizeof *items, offsetof(struct item, next)));
    ck_assert_ptr_eq(room, items);
    ck_assert_uint_eq(count, POOL_NONE);
    ck_assert_uint_eq(first, POOL_NONE);
    free(items);
}
END_TEST

/* From each cycle on, with one slot planned: it is found as many cycles ahead as it is slots
 * ahead, round the end of the wheel, too. */
START_TEST(wheel)
{
    ck_assert_uint_eq(wheel_next((uint64_t[4]){0}, 4, 5), UINT64_MAX);
    for (uint64_t now = 1000; now < 1256; now++)
        for (uint64_t cycle = now; cycle < now + 256; cycle++) {
            uint64_t bits[4] = {0};
            bits[cycle % 256 / 64] = 1ull << cycle % 64;
            if (wheel_next(bits, 4, now) != cycle)
                ck_abort_msg("from %u on, %u was not found", (unsigned)now, (unsigned)cycle);
            bits[now % 256 / 64] |= 1ull << now % 64;
            if (wheel_next(bits, 4, now) != now)
                ck_abort_msg("%u was not found before %u", (unsigned)now, (unsigned)cycle);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {pool, wheel};
    return RUN_TESTS("pool", tests);
}
