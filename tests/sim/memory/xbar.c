/* One direction of the crossbar alone. */
#include "tests/sim/support.h"

#include <stdio.h>

#include "sim/memory/xbar.h"

static struct xbar xbar;
static char log_text[400]; /* "INPUT>OUTPUT@CYCLE " of every packet granted */

/* A packet's output is its slice; its sm is the input that it came from. */
static void deliver(void *data, uint32_t output, const struct packet *packet, uint64_t now)
{
    (void)data;
    char one[40];
    snprintf(one, sizeof one, "%u>%u@%lu ", packet->sm, output, (unsigned long)now);
    strcat(log_text, one);
}

/* Three inputs, three outputs; inputs are nodes 0 to 2, or 3 to 5. */
static void start(enum xbar_arbiter arbiter, uint32_t first_input, uint32_t limit,
                  uint32_t cycles)
{
    struct xbar_spec spec = {.inputs = 3,
                             .outputs = 3,
                             .nodes = 6,
                             .first_input = first_input,
                             .output_limit = limit,
                             .output_rate = 1,
                             .arbiter = arbiter,
                             .grant_cycles = cycles};
    ck_assert(xbar_init(&xbar, &spec));
    log_text[0] = '\0';
}

static void push(uint32_t input, uint32_t output, uint64_t ready)
{
    struct packet packet = {.sm = (uint16_t)input, .slice = (uint16_t)output};
    xbar_push(&xbar, input, &packet, ready);
}

static void run(uint64_t from, uint64_t to)
{
    for (uint64_t now = from; now <= to; now++)
        xbar_advance(&xbar, now, deliver, NULL);
}

static void finish(const char *expected)
{
    ck_assert_str_eq(log_text, expected);
    xbar_finish(&xbar);
}

/* One packet a cycle into an output; different outputs do not disturb each
 * other. */
START_TEST(one_a_cycle)
{
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 2, 5);
    push(1, 2, 5);
    push(2, 1, 5);
    run(1, 8);
    ck_assert_uint_eq(xbar.packets, 0);
    ck_assert_uint_eq(xbar.out_count[2], 2);
    ck_assert_uint_eq(xbar.out_count[1], 1);
    finish("2>1@5 0>2@5 1>2@6 ");
}
END_TEST

static void push_write(uint32_t input, uint32_t output, bool masked, uint64_t ready)
{
    struct packet packet = {.kind = PACKET_WRITE,
                            .sm = (uint16_t)input,
                            .slice = (uint16_t)output,
                            .masked = masked};
    xbar_push(&xbar, input, &packet, ready);
}

/* Inputs 0 and 1 send 48 bytes of writes a cycle together. */
static void limit_senders(enum xbar_arbiter arbiter)
{
    static const uint16_t groups[] = {0, 0, 1};
    start(arbiter, 0, 100, 1);
    xbar.spec.senders = 2;
    xbar.spec.sender_bytes = 48;
    xbar.spec.sender_of = groups;
}

/* Packets that wait after each cycle from 11 on. */
static void expect_waiting(const uint32_t *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        xbar_advance(&xbar, 11 + i, deliver, NULL);
        ck_assert_msg(xbar.packets == waiting[i], "%u wait after %s", xbar.packets, log_text);
    }
    xbar_finish(&xbar);
}

/* Two sectors in one cycle, 48 - 64 = -16, and one in the next, 32 - 32. With masks each is 64
 * bytes: 48 - 64 = -16, 32 - 64 = -32, 16 - 64 = -48, none at 0, and one at 48. Input 2 sends
 * as much by itself, and reads do not wait. */
START_TEST(senders)
{
    const enum xbar_arbiter arbiters[] = {XBAR_ISLIP, XBAR_ROUND_ROBIN};
    for (size_t i = 0; i < 2; i++) {
        limit_senders(arbiters[i]);
        for (int n = 0; n < 3; n++) {
            push_write(0, 0, false, 11);
            push_write(1, 1, false, 11);
        }
        expect_waiting((const uint32_t[]){4, 3, 1, 0}, 4);
        limit_senders(arbiters[i]);
        for (int n = 0; n < 2; n++) {
            push_write(0, 0, true, 11);
            push_write(1, 1, true, 11);
        }
        expect_waiting((const uint32_t[]){3, 2, 1, 1, 0}, 5);
        limit_senders(arbiters[i]);
        for (int n = 0; n < 4; n++) {
            push_write(0, 0, true, 11);
            push_write(2, 2, true, 11);
            push(1, 1, 11);
        }
        expect_waiting((const uint32_t[]){9, 6, 3, 2, 0}, 5);
    }
}
END_TEST

/* iSLIP: an output's search begins behind the input that it served last.
 * Inputs 0, 1 and 2 always want output 0: 0 1 2 0 1 2. Then only 0 and 2, the
 * pointer stands at 0: 0 2 0 2. */
START_TEST(islip_pointer)
{
    start(XBAR_ISLIP, 0, 100, 1);
    for (int i = 0; i < 6; i++)
        push((uint32_t)i % 3, 0, 1);
    run(1, 6);
    push(2, 0, 7);
    push(2, 0, 7);
    push(0, 0, 7);
    push(0, 0, 7);
    run(7, 10);
    finish("0>0@1 1>0@2 2>0@3 0>0@4 1>0@5 2>0@6 0>0@7 2>0@8 0>0@9 2>0@10 ");
}
END_TEST

/* Each output has a pointer of its own: output 1 serves input 0 first, although output 0 is
 * at input 1. */
START_TEST(islip_pointer_of_output)
{
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 0, 1);
    run(1, 1);
    push(0, 1, 2);
    push(1, 1, 2);
    run(2, 3);
    push(0, 0, 4);
    push(1, 0, 4);
    run(4, 5);
    finish("0>0@1 0>1@2 1>1@3 1>0@4 0>0@5 ");
}
END_TEST

/* Pointers run over the nodes of both sides. Inputs are nodes 3 to 5: behind
 * input 2 comes node 0, behind which input 0 is the first. */
START_TEST(islip_nodes)
{
    start(XBAR_ISLIP, 3, 100, 1);
    push(2, 0, 1);
    run(1, 1);
    ck_assert_uint_eq(xbar.pointer[0], 0);
    push(0, 0, 2);
    push(1, 0, 2);
    run(2, 2);
    ck_assert_uint_eq(xbar.pointer[0], 4);
    run(3, 3);
    finish("2>0@1 0>0@2 1>0@3 ");
}
END_TEST

/* With grant cycles of 2 an output's pointer moves in every second cycle only:
 * input 0 is served twice where it asks. */
START_TEST(islip_grant_cycles)
{
    start(XBAR_ISLIP, 0, 100, 2);
    for (int i = 0; i < 4; i++) {
        push(0, 0, 1);
        push(1, 0, 1);
    }
    run(1, 8);
    finish("0>0@1 0>0@2 1>0@3 1>0@4 0>0@5 0>0@6 1>0@7 1>0@8 ");
}
END_TEST

/* The head of a queue blocks what is behind it: input 1's packet for the free
 * output 1 waits behind one for output 0, for which input 0 goes first. */
START_TEST(head_of_line)
{
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 0, 1);
    push(1, 0, 1);
    push(1, 2, 1);
    run(1, 4);
    /* In cycle 2 the second packet comes to the front of its queue, and may
     * still win an output that has not been looked at. */
    finish("0>0@1 1>0@2 1>2@2 ");
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 2, 1);
    push(1, 2, 1);
    push(1, 0, 1);
    run(1, 4);
    finish("0>2@1 1>2@2 1>0@3 ");
}
END_TEST

/* A packet is not granted before it is ready, nor what stands behind it. */
START_TEST(ready)
{
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 0, 5);
    push(0, 1, 6);
    ck_assert_uint_eq(xbar_next(&xbar, 0), 5);
    ck_assert_uint_eq(xbar_next(&xbar, 9), 9);
    run(1, 5);
    ck_assert_uint_eq(xbar_next(&xbar, 6), 6);
    run(6, 6);
    ck_assert_uint_eq(xbar_next(&xbar, 7), UINT64_MAX);
    finish("0>0@5 0>1@6 ");
}
END_TEST

/* A full output takes nothing until its user has taken a packet away. */
START_TEST(output_limit)
{
    for (int arbiter = XBAR_ROUND_ROBIN; arbiter <= XBAR_ISLIP; arbiter++) {
        start((enum xbar_arbiter)arbiter, 0, 2, 1);
        for (int i = 0; i < 4; i++)
            push(0, 0, 1);
        run(1, 5);
        ck_assert_uint_eq(xbar.out_count[0], 2);
        ck_assert_uint_eq(xbar_next(&xbar, 6), 6);
        xbar_leave(&xbar, 0);
        run(6, 8);
        finish("0>0@1 0>0@2 0>0@6 ");
    }
}
END_TEST

/* Round robin: the search begins at node cycle % 6, moving every cycle. Cycle
 * 1: from node 1, so input 1; cycle 2: input 2; 3, 4, 5: nodes 3 to 5 are no
 * inputs, so input 0 comes first. */
START_TEST(round_robin)
{
    start(XBAR_ROUND_ROBIN, 0, 100, 1);
    for (int i = 0; i < 9; i++)
        push((uint32_t)i % 3, 0, 1);
    run(1, 6);
    finish("1>0@1 2>0@2 0>0@3 0>0@4 0>0@5 1>0@6 ");
}
END_TEST

/* An input gives one packet a cycle, its output one. */
START_TEST(round_robin_outputs)
{
    start(XBAR_ROUND_ROBIN, 0, 100, 1);
    push(0, 0, 6);
    push(0, 1, 6);
    push(1, 0, 6);
    push(2, 2, 6);
    run(6, 8);
    /* 6: from input 0; 7: from input 1; */
    finish("0>0@6 2>2@6 1>0@7 0>1@7 ");
}
END_TEST

/* Two packets a cycle into an output, also of one input; each arbiter's turn goes on with every
 * packet. */
START_TEST(two_a_cycle)
{
    for (int arbiter = XBAR_ROUND_ROBIN; arbiter <= XBAR_ISLIP; arbiter++) {
        start((enum xbar_arbiter)arbiter, 0, 100, 1);
        xbar.spec.output_rate = 2;
        push(0, 0, 1);
        push(0, 0, 1);
        push(1, 0, 1);
        push(2, 0, 1);
        push(2, 1, 1);
        run(1, 3);
        /* round robin begins at node 1, then 2, then 3 */
        finish(arbiter == XBAR_ISLIP ? "0>0@1 1>0@1 2>0@2 0>0@2 2>1@2 "
                                     : "1>0@1 2>0@1 2>1@2 0>0@2 0>0@3 ");
    }
}
END_TEST

/* A queue with room for one packet takes one of two. */
START_TEST(two_a_cycle_but_full)
{
    start(XBAR_ISLIP, 0, 1, 1);
    xbar.spec.output_rate = 2;
    push(0, 0, 1);
    push(1, 0, 1);
    run(1, 2);
    xbar_leave(&xbar, 0);
    run(3, 3);
    finish("0>0@1 1>0@3 ");
}
END_TEST

START_TEST(reset)
{
    start(XBAR_ISLIP, 0, 100, 1);
    push(0, 0, 1);
    push(1, 0, 1);
    push(2, 1, 9);
    run(1, 1);
    xbar_reset(&xbar);
    ck_assert_uint_eq(xbar.packets, 0);
    ck_assert_uint_eq(xbar.out_count[0], 0);
    ck_assert_uint_eq(xbar_next(&xbar, 0), UINT64_MAX);
    push(0, 0, 2);
    push(1, 0, 2);
    run(2, 3);
    finish("0>0@1 0>0@2 1>0@3 ");
}
END_TEST

/* 256 inputs on one output, from the pointer on and around. */
START_TEST(many_ports)
{
    struct xbar_spec spec = {.inputs = 256,
                             .outputs = 1,
                             .nodes = 257,
                             .output_limit = 1000,
                             .output_rate = 1,
                             .arbiter = XBAR_ISLIP,
                             .grant_cycles = 1};
    ck_assert(xbar_init(&xbar, &spec));
    log_text[0] = '\0';
    push(200, 0, 1);
    run(1, 1);
    push(255, 0, 2);
    push(63, 0, 2);
    push(64, 0, 2);
    push(200, 0, 2);
    run(2, 5);
    finish("200>0@1 255>0@2 63>0@3 64>0@4 200>0@5 ");
}
END_TEST

/* Outputs of one group share a packet a cycle; which is asked first changes. Those of three
 * groups do not disturb each other. Of two groups, of outputs 0 and 1 and of output 2, the
 * first takes two cycles. */
START_TEST(groups)
{
    const enum xbar_arbiter arbiters[] = {XBAR_ISLIP, XBAR_ROUND_ROBIN};
    static const uint16_t of[3][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 2}};
    const char *const expected[2][3] = {
        {"2>2@5 0>0@6 1>1@7 ", "2>2@5 0>0@5 1>1@6 ", "2>2@5 0>0@5 1>1@5 "},
        {"0>0@5 1>1@6 2>2@7 ", "0>0@5 2>2@5 1>1@6 ", "0>0@5 1>1@5 2>2@5 "}};
    for (int a = 0; a < 2; a++)
        for (uint32_t count = 1; count <= 3; count++) {
            start(arbiters[a], 0, 100, 1);
            xbar.spec.groups = count;
            xbar.spec.group_rate = 1;
            xbar.spec.group_of = of[count - 1];
            for (uint32_t i = 0; i < 3; i++)
                push(i, i, 5);
            run(1, 7);
            finish(expected[a][count - 1]);
        }
}
END_TEST

/* A read takes others of its sector with it that wait for the same output, up to two here. */
static bool join(void *data, struct packet *packet, const struct packet *other)
{
    (void)data;
    (void)other;
    return packet->merged++ < 2;
}

START_TEST(joins)
{
    start(XBAR_ISLIP, 0, 100, 1);
    xbar.join = join;
    push(0, 1, 5);
    push(1, 1, 6);
    push(2, 1, 5);
    push(2, 1, 5);
    run(1, 6);
    ck_assert_uint_eq(xbar.packets, 0);
    ck_assert_uint_eq(xbar.out_count[1], 2);
    finish("0>1@5 1>1@6 ");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_a_cycle,
        islip_pointer,
        islip_pointer_of_output,
        islip_nodes,
        islip_grant_cycles,
        head_of_line,
        ready,
        output_limit,
        round_robin,
        round_robin_outputs,
        two_a_cycle,
        two_a_cycle_but_full,
        reset,
        many_ports,
        groups,
        joins,
        senders,
    };
    return RUN_TESTS("xbar", tests);
}
