/* Listings: what is read of an instruction, critical paths worked out by hand. */
#include "estimate/listing.h"
#include "estimate/listing_model.h"
#include "tests/suite.h"

static struct estimate_device device;

static void set_up(void)
{
    struct error err = {0};
    ck_assert_int_eq(estimate_device_open(&device, "gtx970", &err), 0);
}

static struct listing_model model_of(const char *text, double trip)
{
    struct error err = {0};
    struct listing_code listing;
    struct listing_model model;
    char *folder = make_folder(), *path = make_file(folder, "a.sass", text, strlen(text));
    ck_assert_msg(listing_read(&listing, path, NULL, &err) == 0, "%s", err.text);
    set_up();
    listing_model_make(&model, &listing, &device, &trip, 1);
    listing_finish(&listing);
    free(path);
    remove_folder(folder);
    return model;
}

static void check_fails(const char *text, const char *message)
{
    struct error err = {0};
    struct listing_code listing;
    char *folder = make_folder(), *path = make_file(folder, "a.sass", text, strlen(text));
    ck_assert_int_eq(listing_read(&listing, path, NULL, &err), -1);
    ck_assert_msg(strstr(err.text, message) != NULL, "%s", err.text);
    listing_finish(&listing);
    free(path);
    remove_folder(folder);
}

/* An EXIT issues a latency_ilp (3) after what is before it. */
static const struct {
    const char *text;
    double cycles;
} latencies[] = {
    /* independent instructions */
    {"MOV R1, R2;\nMOV R3, R4;\nEXIT;\n", 6},
    {"LOP.XOR R1, R2, R3;\nIADD R4, R5, R6;\nEXIT;\n", 6},
    /* a result is waited for */
    {"MOV R1, R2;\nMOV R3, R1;\nEXIT;\n", 9},
    {"MOV R1, R2;\nIADD R3, R4, -R1.H1;\nEXIT;\n", 9},
    {"MOV R1, R2;\nSTG.E [R4], R1;\nEXIT;\n", 9},
    /* a pair issues at once */
    {"{ MOV R1, R2;\nMOV R3, R4; }\nEXIT;\n", 3},
    {"{ MOV R1, R2;\nMOV R3, R1; }\nEXIT;\n", 9},
    /* a guard reads a predicate, .X the carry */
    {"ISETP.EQ.AND P1, PT, R1, R2, PT;\n@!P1 MOV R3, R4;\nEXIT;\n", 9},
    {"IADD R1.CC, R2, R3;\nIADD.X R4, R5, R6;\nEXIT;\n", 9},
    /* the address of .E and data of .64 take two registers */
    {"MOV R5, R1;\nLDG.E R2, [R4];\nEXIT;\n", 9},
    {"MOV R5, R1;\nLDG R2, [R4];\nEXIT;\n", 6},
    {"LDG.64 R2, [R4];\nMOV R6, R3;\nEXIT;\n", 353},
    /* a guarded EXIT delays what follows by latency_branch_not_taken (10) */
    {"@P0 EXIT;\nEXIT;\n", 10},
    {"BRA 0x28;\nMOV R1, R2;\nMOV R1, R2;\nEXIT;\n", 12},
};

START_TEST(latencies_of_short_code)
{
    struct listing_model model = model_of(latencies[_i].text, 1);
    double bound = listing_count_at(model.latency.bound, 1);
    ck_assert_double_eq(bound - device.latency_block, latencies[_i].cycles);
}
END_TEST

/* The loop's rhythm: sum 6, comparison 6, branch 12. */
static const char loop[] = "MOV R1, RZ;\n"
                           "IADD R1, R1, 0x1;\n"
                           "ISETP.LT.AND P0, PT, R1, R2, PT;\n"
                           "@P0 BRA 0x10;\n"
                           "EXIT;\n";

START_TEST(a_loop_counts_its_iterations)
{
    struct listing_model model = model_of(loop, 10);
    ck_assert_double_eq(model.latency.bound.each, 24);
    ck_assert_double_eq(model.latency.bound.once, 6 + 150);
    ck_assert_double_eq(listing_count_at(model.all, 10), 32);
}
END_TEST

/* Two loops, one in the other: the outer one's period has ten of the inner one. */
START_TEST(loops_in_loops)
{
    struct listing_model model = model_of("/*0008*/ MOV R1, RZ;\n"
                                          "/*0010*/ IADD R1, R1, 0x1;\n"
                                          "/*0018*/ ISETP.LT.AND P0, PT, R1, R2, PT;\n"
                                          "/*0020*/ @P0 BRA 0x10;\n"
                                          "/*0028*/ IADD R3, R3, 0x1;\n"
                                          "/*0030*/ ISETP.LT.AND P1, PT, R3, R2, PT;\n"
                                          "/*0038*/ @P1 BRA 0x8;\n"
                                          "/*0040*/ EXIT;\n"
                                          "/*0048*/ BRA 0x48;\n"
                                          "/*0050*/ NOP;\n",
                                          10);
    /* MOV 6, ten times 24, then 6, 6 and 12. */
    ck_assert_double_eq(model.latency.bound.once, 10 * (6 + 240 + 24) + 150);
    ck_assert_double_eq(model.all.once, 1 + 10 * 4 + 10 * 10 * 3);
}
END_TEST

START_TEST(code_of_later_cards)
{
    struct listing_model model =
        model_of("\tcode for sm_90\n\t\tFunction : f\n"
                 "        /*0000*/   LDG.E.128 R4, desc[UR4][R2.64] ;  /* 0x000000 */\n"
                 "                                                     /* 0x000000 */\n"
                 "        /*0010*/   HMMA.16816.F32 R8, R4, R6, RZ ;   /* 0x000000 */\n"
                 "        /*0020*/   MUFU.RCP R1, R2 ;                 /* 0x000000 */\n"
                 "        /*0030*/   EXIT ;                            /* 0x000000 */\n"
                 "        /*0040*/   BRA 0x40;                         /* 0x000000 */\n",
                 1);
    ck_assert_double_eq(model.all.once, 4);
    ck_assert_double_eq(model.cuda.once, 1);
    ck_assert_double_eq(model.bytes.once, 512);
    ck_assert_double_eq(model.latency.memory, 350);
}
END_TEST

START_TEST(what_is_no_listing)
{
    check_fails("", "no instructions");
    check_fails("MOV R1, R2;\nwhat;\nEXIT;\n", "a.sass:2: expected an instruction");
    check_fails("{ MOV R1, R2;\nMOV R1, R2;\nEXIT;\n", "a.sass:2: expected \"}\"");
    check_fails("/*0008*/ MOV R1\n", "expected an instruction and \";\"");
    check_fails("Function : a\nEXIT;\nFunction : b\nEXIT;\n", "several functions");
    check_fails("/*0008*/ MOV R1, R1;\n/*0010*/ MOV R2, R1;\n/*0018*/ @P0 BRA 0x8;\n"
                "/*0020*/ @P0 BRA 0x10;\nEXIT;\n",
                "a.sass:4: a loop");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_loop_counts_its_iterations, loops_in_loops,
                                  code_of_later_cards, what_is_no_listing};
    const TTest *const loops[] = {latencies_of_short_code};
    return RUN_LOOPS("listing", tests, loops, (int)(sizeof latencies / sizeof *latencies));
}
