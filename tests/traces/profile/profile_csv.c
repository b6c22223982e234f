/* Profiles as CSV: the common format, numbers, cycles and companion files. */
#define _GNU_SOURCE /* open_memstream */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/traces/profile/profile_text.h"
#include "traces/base/number.h"

/* ---- the common format ------------------------------------------------- */

START_TEST(fields_by_name)
{
    struct profile *profile = must_read("cycles,kernel,launch,warp_insts,divergence\n"
                                        "12.5,\"k<int, 4>\"\"q\"\"\",9,1000,\n,b,3,,31.25\n");
    ck_assert_str_eq(profile->format, "profile");
    ck_assert_ptr_null(profile->note);
    ck_assert_uint_eq(profile->count, 2);
    const struct profile_row *row = profile->rows;
    ck_assert_str_eq(profile->kernels[row[0].kernel], "k<int, 4>\"q\"");
    ck_assert_uint_eq(row[0].launch, 9);
    ck_assert_uint_eq(row[0].line, 2);
    ck_assert_double_eq(profile_number(&row[0], PROFILE_CYCLES), 12.5);
    ck_assert_double_eq(profile_number(&row[0], PROFILE_WARP_INSTS), 1000);
    ck_assert(isnan(profile_number(&row[0], PROFILE_DIVERGENCE)));
    ck_assert(isnan(profile_number(&row[0], PROFILE_GLD_SECTORS)));
    ck_assert(isnan(profile_blocks(&row[0])));
    ck_assert(!profile_knows(&row[1], PROFILE_CYCLES));
    ck_assert_uint_eq(profile_known(profile),
                      PROFILE_BIT(PROFILE_LAUNCH) | PROFILE_BIT(PROFILE_KERNEL));
    profile_destroy(profile);
}
END_TEST

START_TEST(names_are_kept_once)
{
    struct profile *profile = must_read("launch,kernel\n1,a\n2,b\n3,a\n4,a\n");
    ck_assert_uint_eq(profile->kernel_count, 2);
    ck_assert_uint_eq(profile->rows[0].kernel, profile->rows[3].kernel);
    ck_assert_uint_ne(profile->rows[0].kernel, profile->rows[1].kernel);
    profile_destroy(profile);
}
END_TEST

START_TEST(what_editors_do)
{
    struct profile *profile =
        must_read("\xef\xbb\xbflaunch , kernel\r\n\r\n \"1\" ,\"a\nb\" \r\n\n2, c\r");
    ck_assert_uint_eq(profile->count, 2);
    ck_assert_str_eq(profile->kernels[0], "a\nb");
    ck_assert_str_eq(profile->kernels[1], "c");
    ck_assert_uint_eq(profile->rows[0].line, 3);
    ck_assert_uint_eq(profile->rows[1].line, 6);
    profile_destroy(profile);
}
END_TEST

START_TEST(other_columns_are_noted)
{
    struct profile *profile = must_read("launch,kernel,mood,colour\n1,a,good,red\n");
    ck_assert_str_eq(profile->note, "p.csv: columns that are passed over: mood, colour");
    profile_destroy(profile);
}
END_TEST

START_TEST(messages)
{
    assert_fails("", "p.csv: the file is empty");
    assert_fails("\n\n", "p.csv: the file is empty");
    assert_fails("launch,kernel\n", "p.csv: it holds no launch");
    assert_fails(
        "launch,name\n1,a\n",
        "p.csv:1:1: not the header of a profile: columns launch and kernel are needed, "
        "or those of a profiler that is known");
    assert_fails("launch,kernel,cycles,cycles\n1,a,2,3\n",
                 "p.csv:1:22: the header has column cycles twice");
    assert_fails("launch,kernel\n1,a\n2\n",
                 "p.csv:3:2: the row has 1 fields, the header has 2");
    assert_fails("launch,kernel\n1,a,3\n", "p.csv:2:5: the row has 3 fields, the header has 2");
    assert_fails("launch,kernel\n,a\n", "p.csv:2:1: launch is missing");
    assert_fails("launch,kernel,regs\n1,\"a,\nb\",12x\n",
                 "p.csv:3:4: regs \"12x\": a whole number from 0 is expected");
    assert_fails("launch,kernel,regs\n1,a,-1\n",
                 "p.csv:2:5: regs \"-1\": a whole number from 0 is expected");
    assert_fails("launch,kernel,regs\n1,a,4294967296\n",
                 "p.csv:2:5: regs \"4294967296\" is too large");
    assert_fails("launch,kernel\n99999999999999999999,a\n",
                 "p.csv:2:1: launch \"99999999999999999999\" is too large");
    assert_fails("launch,kernel,cycles\n1,a,nan\n",
                 "p.csv:2:5: cycles \"nan\": a number from 0 is expected");
    assert_fails("launch,kernel,cycles\n1,a,1e999\n",
                 "p.csv:2:5: cycles \"1e999\" is too large");
    assert_fails("launch,kernel,cycles\n1,a,-3\n",
                 "p.csv:2:5: cycles \"-3\": a number from 0 is expected");
    assert_fails("launch,kernel\n5,a\n6,b\n\n5,c\n6,d\n",
                 "p.csv:5: launch 5 is already in line 2");
    assert_fails("launch,kernel\n1,a\"b\n",
                 "p.csv:2:4: a quote inside a field, or text after a closing quote");
    assert_fails("launch,kernel\n1,\"a\" b\n",
                 "p.csv:2:7: a quote inside a field, or text after a closing quote");
    assert_fails("launch,kernel\n1,a\n2,\"b\n\n",
                 "p.csv:3: the file ends inside quotes that this row opens");
}
END_TEST

START_TEST(zero_byte)
{
    static const char text[] = "launch,kernel\n1,\0a\n";
    struct error err = {0};
    FILE *in = fmemopen((void *)text, sizeof text - 1, "rb");
    ck_assert_ptr_null(profile_read(in, "p.csv", &err));
    fclose(in);
    ck_assert_str_eq(err.text, "p.csv:2:3: a zero byte: not a CSV");
}
END_TEST

START_TEST(no_such_file)
{
    struct error err = {0};
    ck_assert_ptr_null(profile_open("/nonexistent/p.csv", &err));
    ck_assert_str_eq(err.text, "/nonexistent/p.csv: cannot read: No such file or directory");
}
END_TEST

START_TEST(round_trip)
{
    static const char text[] =
        "launch,kernel,stream,grid_x,grid_y,grid_z,block_x,block_y,block_z,regs,shmem,"
        "warp_insts,thread_insts,gld_sectors,gst_sectors,lld_sectors,gld_insts,gst_insts,"
        "lld_insts,sld_insts,sst_insts,gatom_insts,divergence,mem_requests,cta_insts_cov,"
        "cycles,time_ns,gld_insts_on,gst_insts_on\n"
        "1,\"a, \"\"b\"\"\",18446744073709551615,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,"
        "19,0.1,21,0.333333333333333,12.5,0.30000000000000004,22,23\n"
        "2,\"\",,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
        "3,\"'=x\",,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
        "4,\" x\ny\",,,,,,,,,,,,,,,,,,,,,,,,,,,\n";
    struct error err = {0};
    char *written;
    size_t size;
    struct profile *profile = must_read(text);
    FILE *out = open_memstream(&written, &size);
    ck_assert_int_eq(profile_write(profile, out, NULL, &err), 0);
    fclose(out);
    ck_assert_str_eq(written, text);
    free(written);
    profile_destroy(profile);
}
END_TEST

START_TEST(requirements)
{
    struct error err = {0};
    struct profile *profile =
        must_read("launch,kernel,warp_insts,cycles\n1,a,5,6\n2,a,5,\n3,a,,6\n");
    ck_assert_int_eq(profile_require(profile, PROFILE_BIT(PROFILE_KERNEL), "sieve", &err), 0);
    ck_assert_int_eq(profile_require(profile,
                                     PROFILE_BIT(PROFILE_WARP_INSTS) |
                                         PROFILE_BIT(PROFILE_CYCLES) |
                                         PROFILE_BIT(PROFILE_LAUNCH),
                                     "sieve", &err),
                     -1);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.text, "p.csv: sieve needs warp_insts, cycles, which the profile does "
                               "not have for every launch (first not for launch 2)");
    profile_destroy(profile);
}
END_TEST

/* ---- numbers and units ------------------------------------------------- */

START_TEST(grouped_numbers)
{
    static const struct {
        const char *text;
        double factor;
        enum number_kind kind;
        uint64_t count;
    } cases[] = {
        {"0", 1, NUMBER_OK, 0},
        {"1,770,000", 1, NUMBER_OK, 1770000},
        {"1,770,000.00", 1, NUMBER_OK, 1770000},
        {"9,007,199,254,740,993", 1, NUMBER_OK, 9007199254740993},
        {"1.5", 1000, NUMBER_OK, 1500},
        {"1.2345", 1000, NUMBER_OK, 1235},
        {"1.5", 1, NUMBER_FRACTION, 0},
        {"1,77", 1, NUMBER_WRONG, 0},
        {"1,7700,000", 1, NUMBER_WRONG, 0},
        {"1770,000", 1, NUMBER_WRONG, 0},
        {",770", 1, NUMBER_WRONG, 0},
        {"1,770,", 1, NUMBER_WRONG, 0},
        {"1.000,5", 1, NUMBER_WRONG, 0},
        {"-1", 1, NUMBER_WRONG, 0},
        {"12 %", 1, NUMBER_WRONG, 0},
        {"", 1, NUMBER_WRONG, 0},
        {"18,446,744,073,709,551,616", 1, NUMBER_LARGE, 0},
        {"1e30", 1, NUMBER_LARGE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t count = 0;
        ck_assert_msg(number_grouped_count(cases[i].text, cases[i].factor, UINT64_MAX,
                                           &count) == cases[i].kind,
                      "%s", cases[i].text);
        if (cases[i].kind == NUMBER_OK)
            ck_assert_uint_eq(count, cases[i].count);
    }
}
END_TEST

START_TEST(units)
{
    ck_assert_double_eq(number_unit("", false), 1);
    ck_assert_double_eq(number_unit("inst", false), 1);
    ck_assert_double_eq(number_unit("Ksector", false), 1e3);
    ck_assert_double_eq(number_unit("Gcycle", false), 1e9);
    ck_assert_double_eq(number_unit("Kbyte/block", false), 1e3);
    ck_assert_double_eq(number_unit("KB", false), 1024);
    ck_assert_double_eq(number_unit("register/thread", false), 1);
    ck_assert_double_eq(number_unit("usecond", true), 1e3);
    ck_assert_double_eq(number_unit("ms", true), 1e6);
    ck_assert_double_eq(number_unit("s", true), 1e9);
    ck_assert_double_eq(number_unit("ms", false), 0);
    ck_assert_double_eq(number_unit("inst", true), 0);
    ck_assert_double_eq(number_unit("%", false), 0);
    ck_assert_double_eq(number_unit("K", false), 0);
}
END_TEST

/* ---- cycles and companions --------------------------------------------- */

#define RESULTS "step,launch,kernel,role,mode,cycles\n"

static long fill(struct profile *profile, const char *text, struct error *err)
{
    char *folder = make_folder();
    char *path = make_file(folder, "kernels.csv", text, strlen(text));
    long filled = profile_fill_cycles(profile, path, &(struct profile_latency){0}, err);
    if (err->kind != ERROR_NONE) /* without the folder's name */
        memmove(err->text, strstr(err->text, "kernels.csv"),
                strlen(strstr(err->text, "kernels.csv")) + 1);
    free(path);
    remove_folder(folder);
    return filled;
}

START_TEST(cycles)
{
    struct error err = {0};
    struct profile *profile = must_read("launch,kernel,cycles\n5,a,1\n2,b,\n9,a,7\n");
    ck_assert_int_eq(fill(profile,
                          RESULTS "1,2,b,warm,detailed,999\n2,2,b,measure,detailed,100\n"
                                  "3,5,a,measure,functional,0\n4,5,a,measure,detailed,250\n"
                                  "5,77,c,measure,detailed,3\n6,5,a,measure,detailed,250\n",
                          &err),
                     2);
    ck_assert_double_eq(profile->rows[0].cycles, 250);
    ck_assert_double_eq(profile->rows[1].cycles, 100);
    ck_assert_double_eq(profile->rows[2].cycles, 7);
    ck_assert_int_eq(fill(profile, RESULTS "1,2,z,measure,detailed,100\n", &err), -1);
    ck_assert_str_eq(err.text, "kernels.csv:2:5: launch 2 is kernel z here, b in the profile");
    err = (struct error){0};
    ck_assert_int_eq(
        fill(profile, RESULTS "1,2,b,measure,detailed,100\n2,2,b,measure,detailed,101\n", &err),
        -1);
    ck_assert_str_eq(err.text, "kernels.csv:3:24: launch 2 took 100 cycles before, here 101");
    err = (struct error){0};
    ck_assert_int_eq(fill(profile, "launch,kernel,role,mode\n", &err), -1);
    ck_assert_str_eq(err.text,
                     "kernels.csv:1: not the kernels.csv of a run: there is no column cycles");
    profile_destroy(profile);
}
END_TEST

START_TEST(companions)
{
    static const char text[] = "launch,warp_type,warps,pc,insts,count\n1,1,46,128,5,2\n1,x\n";
    struct error err = {0};
    struct profile_bbv_row row;
    FILE *in = fmemopen((void *)text, strlen(text), "rb");
    struct profile_stream *stream = profile_bbv_open(in, "b.csv", &err);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(profile_bbv_next(stream, &row, &err), 1);
    ck_assert_uint_eq(row.warps, 46);
    ck_assert_uint_eq(row.pc, 128);
    ck_assert_uint_eq(row.count, 2);
    ck_assert_int_eq(profile_bbv_next(stream, &row, &err), -1);
    ck_assert_str_eq(err.text, "b.csv:3:4: the row has 2 fields, the header has 6");
    profile_stream_close(stream);
    err = (struct error){0};
    rewind(in);
    ck_assert_ptr_null(profile_blocks_open(in, "b.csv", &err));
    ck_assert_str_eq(err.text, "b.csv:1: there is no column block");
    fclose(in);
}
END_TEST

START_TEST(block_rows)
{
    static const char text[] = "launch,block,warp_insts,thread_insts,mem_requests\n1,4,2,64,8";
    struct error err = {0};
    struct profile_block_row row;
    FILE *in = fmemopen((void *)text, strlen(text), "rb");
    struct profile_stream *stream = profile_blocks_open(in, "b.csv", &err);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(profile_blocks_next(stream, &row, &err), 1);
    ck_assert_uint_eq(row.block, 4);
    ck_assert_uint_eq(row.mem_requests, 8);
    ck_assert_int_eq(profile_blocks_next(stream, &row, &err), 0);
    profile_stream_close(stream);
    fclose(in);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        fields_by_name, names_are_kept_once, what_editors_do, other_columns_are_noted,
        messages,       zero_byte,           no_such_file,    round_trip,
        requirements,   grouped_numbers,     units,           cycles,
        companions,     block_rows,
    };
    return RUN_TESTS("profile csv", tests);
}
