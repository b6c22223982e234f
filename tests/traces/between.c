#define _GNU_SOURCE /* asprintf, memfd_create */
/* What the code does between memory instructions: out of a launch's first block, out of its
 * header, and in the headers of memory-only traces. */
#include "tests/traces/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/between/between.h"
#include "traces/text/header.h"
#include "traces/text/text.h"

#define REGISTER(n) (UINT64_C(1) << (n))

/* R4 is loaded, R9 is not; R20 is what traces list of an atomic behind a predicate. */
static const char lines[] = "0000 ffffffff 1 R2 IADD3 1 R9 0 0 \n"
                            "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 \n"
                            "0020 ffffffff 1 R8 IMAD 2 R4 R9 0 0 \n"
                            "0030 ffffffff 1 R5 LDG.E 1 R8 4 1 0x2000 4 0 \n"
                            "0040 ffffffff 0 BAR.SYNC 0 0 0 \n"
                            "0050 ffffffff 1 R6 LDS 1 R9 4 1 0x0 4 0 \n"
                            "0060 ffffffff 0 BAR.ARV 0 0 0 \n"
                            "0070 ffffffff 1 R255 FADD 2 R9 R5 0 0 \n"
                            "0080 ffffffff 1 R6 FADD 2 R9 R20 0 0 \n"
                            "0090 ffffffff 0 ATOMG.E.ADD 3 R20 R2 R3 4 1 0x3000 4 0 \n"
                            "00a0 ffffffff 0 STG.E 2 R2 R6 4 1 0x4000 4 0 \n"
                            "00b0 ffffffff 0 EXIT 0 0 0 \n";
#define COUNT    "12"
#define EXPECTED "0030:R4 0050:B 0090:R5,R6,R20"

static struct trace_kernel *open_wanted(const char *text)
{
    const struct trace_kernel_options options = {.memory_only = true, .between = true};
    return open_text(text, &options);
}

/* The table of a launch as text, on the heap. */
static char *table_of(const char *text)
{
    struct trace_kernel *kernel = open_wanted(text);
    char *table = between_text(&kernel->between);
    trace_kernel_close(kernel);
    return table;
}

static void check_table(const char *text, const char *expected)
{
    char *table = table_of(text);
    ck_assert_str_eq(table, expected);
    free(table);
}

static char *with_block(const char *before, const char *more)
{
    char *text;
    ck_assert_int_ge(asprintf(&text, "%s%s%s%s%s", before,
                              "#BEGIN_TB\n\nthread block = 0,0,0\n\n",
                              "warp = 0\ninsts = " COUNT "\n", lines, more),
                     0);
    return text;
}

#define END "\n#END_TB\n\n"

#define TWO_BLOCKS HEADER_WITH("(2,1,1)", "(64,1,1)", "86", "5", "0")

START_TEST(of_the_first_block)
{
    char *text = with_block(TWO_BLOCKS, END);
    check_table(text, EXPECTED);
    struct trace_kernel *kernel = open_wanted(text);
    const struct trace_between *item = trace_kernel_between(kernel, 0x90);
    ck_assert(!item->barrier);
    ck_assert_uint_eq(item->registers[0], REGISTER(5) | REGISTER(6) | REGISTER(20));
    ck_assert(trace_kernel_between(kernel, 0x50)->barrier);
    ck_assert_ptr_null(trace_kernel_between(kernel, 0x10)); /* R2 and R9 are not loaded */
    ck_assert_ptr_null(trace_kernel_between(kernel, 0xa0));
    trace_kernel_close(kernel);
    free(text);
}
END_TEST

/* What only later blocks execute does not count, nor does the order of warps. */
START_TEST(of_no_other_block)
{
    char *text =
        with_block(TWO_BLOCKS, "\nwarp = 1\ninsts = 2\n00a8 ffffffff 1 R1 FADD 1 R5 0 0 \n"
                               "00ac ffffffff 0 STG.E 2 R2 R6 4 1 0x4000 4 0 \n" END
                               "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 3\n"
                               "00b4 ffffffff 1 R1 FADD 1 R5 0 0 \n"
                               "00b8 ffffffff 0 STG.E 2 R2 R6 4 1 0x4000 4 0 \n"
                               "00c0 ffffffff 0 EXIT 0 0 0 \n" END);
    check_table(text, EXPECTED " 00ac:R5");
    free(text);
}
END_TEST

/* A single block is not read twice. */
START_TEST(of_no_single_block)
{
    char *text = with_block(HEADER, END);
    check_table(text, "none");
    free(text);
}
END_TEST

/* The header goes before the block, and comes back as it was. */
START_TEST(of_the_header)
{
    static const char *const tables[] = {"0030:B,R0,R254 0040:R1 ffffffff:B", "none"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char *head, *text;
        ck_assert_int_ge(asprintf(&head, "-code between = %s\r\n%s", tables[i], HEADER), 0);
        text = with_block(head, END);
        check_table(text, tables[i]);
        struct trace_kernel *kernel = open_text(text, NULL);
        ck_assert_str_eq(trace_kernel_header(kernel)->between, tables[i]);
        ck_assert_ptr_null(trace_kernel_between(kernel, 0x30)); /* it is not wanted */
        trace_kernel_close(kernel);
        free(text);
        free(head);
    }
}
END_TEST

START_TEST(blanks_at_its_end)
{
    static const char *const tables[] = {"0030:B,R0 0040:R1", "none"};
    static const char *const blanks[] = {" ", "  \t ", " \r"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < sizeof blanks / sizeof *blanks; k++) {
            char *head, *text;
            ck_assert_int_ge(
                asprintf(&head, "-code between =\t%s%s\n%s", tables[i], blanks[k], HEADER), 0);
            text = with_block(head, END);
            check_table(text, tables[i]);
            struct trace_kernel *kernel = open_text(text, NULL);
            ck_assert_str_eq(trace_kernel_header(kernel)->between, tables[i]);
            trace_kernel_close(kernel);
            free(text);
            free(head);
        }
}
END_TEST

START_TEST(wrong_in_the_header)
{
    static const char *const tables[] = {
        "0030",          "0030:",    "0030:R255",    "0030:R1,",    "0030:R1,B",
        "0040:B 0040:B", "0030:BR1", "0030:B  40:B", "none 0030:B", "123456789:B"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char *text;
        ck_assert_int_ge(asprintf(&text, "-code between = %s\n%s", tables[i], HEADER), 0);
        assert_error(text, "1:17: -code between: by ascending PC, such as 0090:R4,R5 00c0:B "
                           "is expected");
        free(text);
    }
}
END_TEST

enum { MANY = 20000 };

/* A table of any length stays a line that can be read. */
START_TEST(long_ones_are_cut)
{
    struct trace_inst *insts = calloc(MANY, sizeof *insts);
    for (uint32_t i = 0; i < MANY; i++) {
        insts[i].pc = 16 * i;
        insts[i].dst_count = 1;
        insts[i].dst[0] = (uint8_t)(i % 7);
        if (i % 2 == 0) {
            insts[i].access = TRACE_ACCESS_LOAD;
            insts[i].space = TRACE_SPACE_GLOBAL;
        }
    }
    char *text = trace_between_text(insts, MANY);
    struct between between = {0};
    ck_assert_uint_le(strlen(text), BETWEEN_MOST_TEXT);
    ck_assert_uint_gt(strlen(text), BETWEEN_MOST_TEXT - 20);
    ck_assert_ptr_eq(between_read(&between, text), text + strlen(text));
    ck_assert_ptr_nonnull(between_find(&between, 16 * 500));
    between_finish(&between);
    free(text);
    free(insts);
}
END_TEST

/* Two blocks whose code has more to say than a line takes, on the heap. */
static char *long_launch(void)
{
    struct bytes text = {0};
    char line[100];
    bytes_put(&text, TWO_BLOCKS, strlen(TWO_BLOCKS));
    for (int block = 0; block < 2; block++) {
        int size = snprintf(line, sizeof line,
                            "#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = %d\n",
                            block, MANY);
        bytes_put(&text, line, (size_t)size);
        for (unsigned i = 0; i < MANY; i++) {
            size = i % 2 == 0 ? snprintf(line, sizeof line,
                                         "%04x ffffffff 1 R%u LDG.E 1 R2 4 1 0x1000 4 0 \n",
                                         16 * i, i % 7)
                              : snprintf(line, sizeof line,
                                         "%04x ffffffff 1 R%u FADD 1 R9 0 0 \n", 16 * i, i % 7);
            bytes_put(&text, line, (size_t)size);
        }
        bytes_put(&text, END, strlen(END));
    }
    bytes_byte(&text, '\0');
    ck_assert(!text.failed);
    return (char *)text.data;
}

/* What memory-only text has in its header is read again as it was made. */
START_TEST(long_ones_in_text)
{
    char *launch = long_launch(), *table = table_of(launch), path[64];
    const struct trace_kernel_options options = {.memory_only = true};
    struct trace_header header;
    struct source source;
    struct error err = {0};
    int fd = memfd_create("trace", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, launch, strlen(launch)), strlen(launch));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ck_assert_uint_gt(strlen(table), BETWEEN_MOST_TEXT - 20);
    ck_assert_int_eq(text_open(&source, path, &options, &err), 0);
    ck_assert_msg(header_read(&header, &source, NULL, &err) == 0, "%s", err.text);
    ck_assert_str_eq(header.between, table);
    header_finish(&header);
    source_finish(&source);
    close(fd);
    free(table);
    free(launch);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {of_the_first_block, of_no_other_block, of_no_single_block,
                                  of_the_header,      blanks_at_its_end, wrong_in_the_header,
                                  long_ones_are_cut,  long_ones_in_text};
    return RUN_TESTS("between", tests);
}
