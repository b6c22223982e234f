/* Methods that cluster: pks, pks-artifact, tbpoint and photon on launches that
 * can be worked out by hand. */
#define _GNU_SOURCE /* fmemopen */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sampling/sampling.h"
#include "tests/sampling/math/golden.h"

#define HEADER                                                                                 \
    "launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts,thread_insts,"      \
    "gld_sectors,gst_sectors,lld_sectors,gld_insts,gst_insts,lld_insts,sld_insts,sst_insts,"   \
    "gatom_insts,divergence,mem_requests,cta_insts_cov,cycles,gld_insts_on,gst_insts_on\n"
/* A launch of kernel NAME: all features but two follow from N. */
#define LAUNCH(id, name, grid, n, cov, cycles)                                                 \
#id "," name "," #grid ",1,1,64,1,1," #n "," #n "0," #n "," #n ",0," #n "," #n             \
        ",0,7,7,0,10," #n "," #cov "," #cycles "," #n "," #n "\n"

struct fixture {
    struct profile *profile;
    struct sampling_options options;
    struct sampling *selection;
    struct error err;
};

static void start(struct fixture *f, const char *csv)
{
    *f = (struct fixture){0};
    FILE *in = fmemopen((void *)csv, strlen(csv), "r");
    f->profile = profile_read(in, "p.csv", &f->err);
    ck_assert_msg(f->profile != NULL, "%s", f->err.text);
    fclose(in);
    sampling_options_init(&f->options);
}

static void set(struct fixture *f, enum sampling_option_id id, const char *value)
{
    ck_assert_int_eq(sampling_option_set(&f->options, id, value, &f->err), 0);
}

static bool run(struct fixture *f, const char *method)
{
    sampling_destroy(f->selection);
    f->err = (struct error){0};
    const struct sampling_method *m = sampling_find_method(method, &f->err);
    f->selection = sampling_select(f->profile, m, &f->options, &f->err);
    return f->selection != NULL;
}

static void finish(struct fixture *f)
{
    sampling_destroy(f->selection);
    profile_destroy(f->profile);
}

/* "1,2|3*": launches by stratum, with a star behind representatives. */
static void assert_strata(const struct fixture *f, const char *expected)
{
    char got[1024] = "";
    const struct sampling *s = f->selection;
    ck_assert_msg(s != NULL, "%s", f->err.text);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->strata[i].count; k++) {
            size_t row = s->members[s->strata[i].first + k];
            sprintf(got + strlen(got), "%s%d%s",
                    k > 0   ? ","
                    : i > 0 ? "|"
                            : "",
                    (int)s->profile->rows[row].launch,
                    row == s->reps[s->strata[i].first_rep] ? "*" : "");
        }
    ck_assert_str_eq(got, expected);
}

static void assert_fails(struct fixture *f, const char *method, const char *expected)
{
    ck_assert(!run(f, method));
    ck_assert_msg(strstr(f->err.text, expected) != NULL, "%s", f->err.text);
}

/* ---- pks --------------------------------------------------------------- */

/* Two kinds of launches, whatever their kernel. */
#define TWO_KINDS                                                                              \
    HEADER LAUNCH(1, "a", 8, 100, 0, 1000) LAUNCH(2, "b", 8, 100, 0, 1000)                     \
        LAUNCH(3, "a", 80, 9000, 0, 50000) LAUNCH(4, "b", 8, 100, 0, 1000)                     \
            LAUNCH(5, "a", 80, 9000, 0, 50000)

START_TEST(two_kinds)
{
    struct fixture f;
    start(&f, TWO_KINDS);
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2,4|3*,5");
    ck_assert_double_eq(f.selection->strata[0].scale, 3);
    ck_assert_double_eq(f.selection->strata[1].scale, 2);
    ck_assert(run(&f, "pks-artifact"));
    assert_strata(&f, "1*,2,4|3*,5");
    const char *const ks[] = {"bic", "silhouette", "2", "20"}; /* 20: no more than differ */
    for (size_t i = 0; i < 4; i++) {
        set(&f, SAMPLING_K, ks[i]);
        ck_assert(run(&f, "pks"));
        assert_strata(&f, "1*,2,4|3*,5");
    }
    set(&f, SAMPLING_K, "1");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2,3,4,5");
    ck_assert_double_eq(f.selection->strata[0].scale, 5);
    finish(&f);
}
END_TEST

/* Equal launches: one cluster, no error; one launch: itself. All features are
 * constant then. */
START_TEST(identical)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 10) LAUNCH(2, "a", 8, 100, 0, 10));
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2");
    ck_assert(run(&f, "pks-artifact"));
    assert_strata(&f, "1*,2");
    finish(&f);
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 10));
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*");
    set(&f, SAMPLING_K, "bic");
    ck_assert(run(&f, "pks"));
    set(&f, SAMPLING_K, "silhouette");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*");
    finish(&f);
}
END_TEST

/* Equal features, unequal cycles: no k makes it better than 1. With k = 1 the
 * prediction is 2 x 100 of 104, an error of 3.8 %: the artifact stops there,
 * and so does the paper, as 1 is the only k. A third, larger launch: with k = 1
 * 300 of 124, with k = 2 200 + 20 of 124, so that 2 it is. */
START_TEST(unequal_cycles)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 100) LAUNCH(2, "a", 8, 100, 0, 4)
                  LAUNCH(3, "a", 9, 900, 0, 20));
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2|3*");
    finish(&f);
    /* 3 x 100 of 306: 2 % is enough for the artifact; the paper goes on to 2 x 100 + 106. */
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 100) LAUNCH(2, "a", 8, 100, 0, 100)
                  LAUNCH(3, "a", 9, 900, 0, 106));
    ck_assert(run(&f, "pks-artifact"));
    assert_strata(&f, "1*,2,3");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2|3*");
    finish(&f);
}
END_TEST

/* 100, 130, 120 around a centre of 116.7: the third is the nearest. */
START_TEST(representatives)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 1) LAUNCH(2, "a", 8, 130, 0, 1)
                  LAUNCH(3, "a", 8, 120, 0, 1));
    set(&f, SAMPLING_K, "1");
    set(&f, SAMPLING_REPRESENTATIVE, "centroid");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1,2,3*");
    set(&f, SAMPLING_REPRESENTATIVE, "first");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,2,3");
    set(&f, SAMPLING_REPRESENTATIVE, "random");
    unsigned seen = 0;
    for (f.options.seed = 0; f.options.seed < 40; f.options.seed++) {
        ck_assert(run(&f, "pks"));
        seen |= 1U << f.selection->reps[0];
    }
    ck_assert_uint_eq(seen, 7);
    finish(&f);
}
END_TEST

/* Launches 5 and on have only name and grid. */
START_TEST(two_levels)
{
    static const char *const kinds[] = {"bayes", "sgd", "mlp"};
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 1) LAUNCH(2, "b", 80, 9000, 0,
                                                         90) LAUNCH(3, "a", 8, 100, 0, 1)
                  LAUNCH(4, "b", 80, 9000, 0,
                         90) "5,b,80,1,1,,,,,,,,,,,,,,,,,,,,\n6,a,8,1,1,,,,,,,,,,,,,,,,,,,,\n"
                             "7,a,9,1,1,,,,,,,,,,,,,,,,,,,,\n");
    assert_fails(&f, "pks", "pks needs");
    for (size_t i = 0; i < 3; i++) {
        set(&f, SAMPLING_CLASSIFIER, kinds[i]);
        ck_assert(run(&f, "pks"));
        assert_strata(&f, "1*,3,6,7|2*,4,5");
        ck_assert_double_eq(f.selection->strata[0].scale, 4);
    }
    set(&f, SAMPLING_DETAILED, "2");
    ck_assert(run(&f, "pks"));
    assert_strata(&f, "1*,3,6,7|2*,4,5");
    set(&f, SAMPLING_CLASSIFIER, "none");
    assert_fails(&f, "pks", "--classifier");
    finish(&f);
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 1) "2,a,,,,,,,,,,,,,,,,,,,,,,,\n");
    set(&f, SAMPLING_CLASSIFIER, "bayes");
    assert_fails(&f, "pks", "p.csv:3: launch 2 has neither");
    finish(&f);
}
END_TEST

START_TEST(pks_errors)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, ) LAUNCH(2, "a", 8, 100, 0, 3));
    assert_fails(&f, "pks", "takes them from a run); --k bic");
    assert_fails(&f, "pks-artifact", "cycles");
    set(&f, SAMPLING_K, "bic");
    ck_assert(run(&f, "pks"));
    finish(&f);
    start(&f, HEADER LAUNCH(1, "a", 8, 100, 0, 0));
    assert_fails(&f, "pks", "all launches have 0 cycles");
    set(&f, SAMPLING_THRESHOLD, "1");
    assert_fails(&f, "pks", "--threshold is no option of pks");
    finish(&f);
}
END_TEST

/* ---- tbpoint ----------------------------------------------------------- */

/* Of kernel a: n of 100, 100, 103, 97, 200 with a mean of 120, so that three
 * features differ by n / 120: 97 and 103 are 0.087 apart, in one cluster; their
 * centre is 100, which the first launch has. Launch 6 has other blocks, 7 is
 * another kernel. The scale is by instructions: 400 of 100. */
START_TEST(tbpoint)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 8, 103, 0, 1) LAUNCH(2, "a", 8, 100, 0, 1)
                  LAUNCH(3, "a", 8, 100, 0, 1) LAUNCH(4, "a", 8, 97, 0, 1)
                      LAUNCH(5, "a", 8, 200, 0, 1) LAUNCH(6, "b", 8, 100, 0, 1)
                          LAUNCH(7, "b", 8, 100, 0.11, 1) LAUNCH(8, "b", 8, 100, 0.1, 1));
    ck_assert(run(&f, "tbpoint"));
    assert_strata(&f, "1,2*,3,4|5*|6*|7*,8");
    ck_assert_double_eq(f.selection->strata[0].scale, 4);
    set(&f, SAMPLING_REPRESENTATIVE, "first");
    ck_assert(run(&f, "tbpoint"));
    assert_strata(&f, "1*,2,3,4|5*|6*|7*,8");
    set(&f, SAMPLING_THRESHOLD, "0");
    ck_assert(run(&f, "tbpoint"));
    assert_strata(&f, "1*|2*,3|4*|5*|6*|7*|8*");
    set(&f, SAMPLING_THRESHOLD, "10");
    ck_assert(run(&f, "tbpoint"));
    assert_strata(&f, "1*,2,3,4,5|6*,7,8");
    finish(&f);
    start(&f, HEADER LAUNCH(1, "a", 8, 100, , 1));
    assert_fails(&f, "tbpoint", "tbpoint needs cta_insts_cov");
    finish(&f);
}
END_TEST

/* Features that are constant, and one that is 0 everywhere, put nothing apart: a
 * mean of 0 divides nothing. */
START_TEST(tbpoint_of_constant_features)
{
    struct fixture f;
    start(&f, "launch,kernel,warp_insts,thread_insts,mem_requests,cta_insts_cov\n"
              "1,a,10,320,0,0\n2,a,10,320,0,0\n3,b,10,320,0,0\n4,a,20,320,0,0\n");
    ck_assert(run(&f, "tbpoint"));
    assert_strata(&f, "1*,2|4*|3*");
    finish(&f);
}
END_TEST

/* ---- photon ------------------------------------------------------------ */

static bool run_blocks(struct fixture *f, const char *method, const char *rows)
{
    char text[4096];
    sprintf(text, "launch,warp_type,warps,pc,insts,count\n%s", rows);
    f->options.bbv = fmemopen(text, strlen(text), "r");
    f->options.bbv_name = "p.bbv.csv";
    bool done = run(f, method);
    fclose(f->options.bbv);
    return done;
}

static bool run_photon(struct fixture *f, const char *rows)
{
    return run_blocks(f, "photon", rows);
}

/* Launches of 80 warps, and of 40 (6, 7): fewer than 64 cores. 1 and 2 are alike; 3 executes
 * twice of everything, which has the same direction, but is another kernel; 4 other blocks; 5
 * the blocks of 1, but half of its warps those of 4. 7 is like 1 but for its warps, 8 has 100
 * of them. */
#define EIGHT                                                                                  \
    HEADER LAUNCH(1, "a", 40, 100, 0, 1) LAUNCH(2, "a", 40, 100, 0, 1)                         \
        LAUNCH(3, "b", 40, 200, 0, 1) LAUNCH(4, "a", 40, 100, 0, 1)                            \
            LAUNCH(5, "a", 40, 100, 0, 1) LAUNCH(6, "a", 20, 100, 0, 1)                        \
                LAUNCH(7, "a", 20, 100, 0, 1) LAUNCH(8, "a", 50, 100, 0, 1)
#define ALIKE(launch, warps) #launch ",1," #warps ",0,8,1\n" #launch ",1," #warps ",128,5,3\n"
#define DIFFERENT                                                                              \
    ALIKE(1, 80)                                                                               \
    ALIKE(2, 80)                                                                               \
    "3,1,80,0,8,2\n3,1,80,128,5,6\n"                                                           \
    "4,1,80,4096,8,1\n"                                                                        \
    "5,1,40,0,8,1\n5,1,40,128,5,3\n5,2,40,4096,8,1\n" ALIKE(6, 40) ALIKE(7, 40) ALIKE(8, 100)
#define ALL_ALIKE                                                                              \
    ALIKE(1, 80)                                                                               \
    ALIKE(2, 80) ALIKE(3, 80) ALIKE(4, 80) ALIKE(5, 80) ALIKE(6, 40) ALIKE(7, 40) ALIKE(8, 100)

START_TEST(photon)
{
    struct fixture f;
    start(&f, EIGHT);
    set(&f, SAMPLING_CORES, "64");
    ck_assert_msg(run_photon(&f, DIFFERENT), "%s", f.err.text);
    assert_strata(&f, "1*,2,8|3*|4*|5*|6*,7");
    ck_assert_double_eq(f.selection->strata[0].scale, 3);
    set(&f, SAMPLING_CORES, "40");
    ck_assert(run_photon(&f, ALL_ALIKE));
    assert_strata(&f, "1*,2,4,5,6,7,8|3*");
    set(&f, SAMPLING_DISTANCE, "0"); /* nothing is nearer than 0 */
    ck_assert(run_photon(&f, ALL_ALIKE));
    assert_strata(&f, "1*|2*|3*|4*|5*|6*|7*|8*");
    finish(&f);
}
END_TEST

/* Blocks at the same PC differ by their length, and by more than the low 16 bits of the PC. */
START_TEST(photon_blocks)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 40, 100, 0, 1) LAUNCH(2, "a", 40, 100, 0, 1)
                  LAUNCH(3, "a", 40, 100, 0, 1) LAUNCH(4, "a", 40, 100, 0, 1));
    const char *rows = "1,1,80,0,8,1\n2,1,80,0,9,1\n3,1,80,65536,8,1\n4,1,80,0,8,1\n";
    ck_assert(run_photon(&f, rows));
    assert_strata(&f, "1*,4|2*|3*");
    ck_assert(run_blocks(&f, "photon-artifact", rows));
    assert_strata(&f, "1*,2,3,4");
    finish(&f);
}
END_TEST

/* It joins launches of different kernels: 3 with 1. */
START_TEST(photon_artifact)
{
    struct fixture f;
    start(&f, EIGHT);
    ck_assert(run_blocks(&f, "photon-artifact", DIFFERENT));
    assert_strata(&f, "1*,2,3,8|4*|5*|6*,7");
    ck_assert_double_eq(f.selection->strata[0].scale, 5); /* 100 100 200 100 of 100 */
    finish(&f);
}
END_TEST

START_TEST(photon_errors)
{
    struct fixture f;
    start(&f, HEADER LAUNCH(1, "a", 40, 100, 0, 1) LAUNCH(2, "a", 40, 100, 0, 1));
    assert_fails(&f, "photon", "--bbv");
    const struct {
        const char *rows, *message;
    } cases[] = {
        {ALIKE(1, 80), "p.bbv.csv: there are no basic blocks of launch 2"},
        {ALIKE(2, 80), "basic blocks of launch 2 where those of launch 1 should be"},
        {ALIKE(1, 80) ALIKE(2, 80) ALIKE(3, 80), "basic blocks of launch 3 after"},
        {"1,2,1,0,8,1\n1,1,1,0,8,1\n", "launch 1: warp type 1 after 2"},
        {"1,1,0,0,8,1\n", "launch 1: warp type 1 has no warps"},
        {"1,1,x,0,8,1\n", "p.bbv.csv:2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert(!run_photon(&f, cases[i].rows));
        ck_assert_msg(strstr(f.err.text, cases[i].message) != NULL, "%s", f.err.text);
    }
    finish(&f);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        two_kinds,  identical,     unequal_cycles,  representatives,
        two_levels, pks_errors,    tbpoint,         tbpoint_of_constant_features,
        photon,     photon_blocks, photon_artifact, photon_errors};
    return RUN_TESTS("methods", tests);
}
