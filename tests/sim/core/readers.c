/* Write after read (-hearth_war_scoreboard).
 *
 * An instruction issued in t takes a collector in t+1. A bank gives it one
 * register in t+1, two in each cycle after (see collect.c). R1, R3, R5 ... of
 * warp 0 are in the same bank: five of them, issued in 2, have been read in 5.
 * An instruction that waited for it is issued in 5; DFMA comes a cycle behind
 * and ends its launch 69 cycles after its own issue. There are collectors enough. */
#include "tests/sim/support.h"

#define FIVE "FFMA R1 R3 R5 R7 R9; "

static uint64_t issue_of_dfma(const char *readers, const char *program)
{
    char set[40], text[200];
    strcat(strcpy(set, "hearth_war_scoreboard="), readers);
    strcat(strcpy(text, program), "; DFMA; EXIT");
    return cycles_of(SETS(set, "gpgpu_operand_collector_num_units_gen=32"), text) - 69;
}

/* The write of a register that is still to be read. */
START_TEST(writer)
{
    ck_assert_uint_eq(issue_of_dfma("0", FIVE "R9 = MOV"), 4);
    ck_assert_uint_eq(issue_of_dfma("255", FIVE "R9 = MOV"), 6);
    /* Sources are free together, when the last has been read. */
    ck_assert_uint_eq(issue_of_dfma("255", FIVE "R1 = MOV"), 6);
    ck_assert_uint_eq(issue_of_dfma("255", FIVE "R11 = MOV"), 4);
    /* What an instruction reads itself does not hold it up. */
    ck_assert_uint_eq(issue_of_dfma("1", "R9 = FFMA R1 R3 R5 R7 R9; MOV"), 4);
}
END_TEST

/* Three of a bank are read in 4, one in the cycle after its issue: then the
 * next instruction need not wait. */
START_TEST(time_of_reads)
{
    ck_assert_uint_eq(issue_of_dfma("63", "FFMA R1 R3 R5; R1 = MOV"), 5);
    ck_assert_uint_eq(issue_of_dfma("63", "FFMA R1; R1 = MOV"), 4);
    ck_assert_uint_eq(issue_of_dfma("63", "FFMA R1 R2; R1 = MOV"), 4);
}
END_TEST

/* Readers wait when as many as can be counted are in front of them. The second
 * FFMA R1 reads behind the five, the third one is issued in 4 or, when two can
 * be counted, in 5. */
START_TEST(readers)
{
    ck_assert_uint_eq(issue_of_dfma("0", FIVE "FFMA R1"), 4);
    ck_assert_uint_eq(issue_of_dfma("1", FIVE "FFMA R1"), 6);
    ck_assert_uint_eq(issue_of_dfma("2", FIVE "FFMA R1"), 4);
    ck_assert_uint_eq(issue_of_dfma("1", FIVE "FFMA R2"), 4);
    ck_assert_uint_eq(issue_of_dfma("2", FIVE "FFMA R1; FFMA R1"), 6);
    ck_assert_uint_eq(issue_of_dfma("3", FIVE "FFMA R1; FFMA R1"), 5);
}
END_TEST

/* RZ is read and written, but holds nothing. */
START_TEST(zero)
{
    ck_assert_uint_eq(issue_of_dfma("1", "FFMA R1 R3 R5 R7 R255; R255 = MOV"), 4);
    ck_assert_uint_eq(issue_of_dfma("1", "FFMA R1 R3 R5 R7 R255; FFMA R255"), 4);
}
END_TEST

/* Warps have registers of their own: warp 4, of the same scheduler, writes its
 * R1. LRR: warp 0 in 2, warp 4 in 3, 0 in 4, 4 in 5 ... */
START_TEST(warps)
{
    uint64_t cycles[2];
    for (int on = 0; on < 2; on++) {
        struct sim_result result =
            launch_on(on ? SETS("hearth_war_scoreboard=1") : NO_SETS,
                      &(struct launch_text){.threads = 160,
                                            .program = FIVE "EXIT | EXIT | EXIT | EXIT | "
                                                            "R1 = MOV; DFMA; EXIT"});
        cycles[on] = result_cycles(&result);
    }
    ck_assert_uint_eq(cycles[0], cycles[1]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {writer, time_of_reads, readers, zero, warps};
    return RUN_TESTS("readers", tests);
}
