/* Blocks that do not fit into the memory budget: the same records, from disk,
 * and bounded memory. */
#include "tests/traces/support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define BLOCKS 6
#define WARPS  3

/* Which line warp W of block B executes as its Nth. Some warps are empty. */
static int lines_of(int b, int w)
{
    return b == 1 && w == 1 ? 0 : 40 + 977 * ((b * WARPS + w) % 4);
}

static void print_line(FILE *out, int b, int w, int n)
{
    unsigned mask = 1u << n % 32 | 1u << w | 0x80000000u >> b;
    int lanes = __builtin_popcount(mask);
    if (n % 3 == 0) {
        fprintf(out, "%04x %08x 1 R1 IADD3 2 R2 R3 0 0 \n", n % 50 * 16, mask);
        return;
    }
    fprintf(out, "%04x %08x 1 R4 LDG.E 1 R2 4 ", n % 50 * 16, mask);
    if (n % 3 == 1)
        fprintf(out, "1 0x%x 4 0\n", 0x1000 * n + b);
    else {
        fprintf(out, "2 0x%x", 0x1000 * n + w);
        for (int i = 1; i < lanes; i++)
            fprintf(out, " %d", i * n % 7 - 3);
        fprintf(out, " 0\n");
    }
}

static void print_header(FILE *out)
{
    fprintf(out, "%s", HEADER_WITH("(6,1,1)", "(96,1,1)", "86", "5", "0"));
}

static char *grouped_text(void)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_header(out);
    for (int b = 0; b < BLOCKS; b++) {
        fprintf(out, "#BEGIN_TB\nthread block = %d,0,0\n", b);
        for (int w = 0; w < WARPS; w++) {
            fprintf(out, "warp = %d\ninsts = %d\n", w, lines_of(b, w));
            for (int n = 0; n < lines_of(b, w); n++)
                print_line(out, b, w, n);
        }
        fprintf(out, "#END_TB\n");
    }
    fclose(out);
    return text;
}

/* The same, one line of each warp after the other. */
static char *raw_text(void)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_header(out);
    for (int n = 0; n < 4000; n++)
        for (int b = 0; b < BLOCKS; b++)
            for (int w = 0; w < WARPS; w++)
                if (n < lines_of(b, w)) {
                    fprintf(out, "%d 0 0 %d ", b, w);
                    print_line(out, b, w, n);
                }
    fclose(out);
    return text;
}

static char *dump_with(const char *text, size_t budget)
{
    struct trace_kernel_options options = {.memory_budget = budget};
    return dump(open_text(text, &options));
}

START_TEST(same_records)
{
    static const size_t budgets[] = {1, 100000, 400000, 1000000, 4000000, 0};
    char *grouped = grouped_text(), *raw = raw_text();
    char *expected = dump_with(grouped, 0);
    ck_assert_uint_gt(strlen(expected), 100000);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        char *a = dump_with(grouped, budgets[i]), *b = dump_with(raw, budgets[i]);
        ck_assert_msg(strcmp(a, expected) == 0, "grouped, budget %zu", budgets[i]);
        ck_assert_msg(strcmp(b, expected) == 0, "raw, budget %zu", budgets[i]);
        free(a);
        free(b);
    }
    free(expected);
    free(grouped);
    free(raw);
}
END_TEST

/* Reads blocks without releasing them; returns the bytes that they hold. */
static size_t hold_all(struct trace_kernel *kernel, struct trace_block *blocks[BLOCKS])
{
    size_t bytes = 0;
    struct error err = {0};
    for (int b = 0; b < BLOCKS; b++) {
        ck_assert_int_eq(trace_kernel_next_block(kernel, &blocks[b], &err), 1);
        bytes += blocks[b]->bytes;
    }
    return bytes;
}

START_TEST(budget_holds_for_all_blocks_together)
{
    char *text = grouped_text();
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct trace_kernel_options options = {.memory_budget = i == 0 ? 0 : 200000};
        struct trace_kernel *kernel = open_text(text, &options);
        struct trace_block *blocks[BLOCKS];
        sizes[i] = hold_all(kernel, blocks);
        for (int b = 0; b < BLOCKS; b++)
            trace_block_release(blocks[b]);
        trace_kernel_close(kernel);
    }
    ck_assert_uint_gt(sizes[0], 200000);
    ck_assert_uint_le(sizes[1], 200000);
    free(text);
}
END_TEST

/* Warps of blocks that are alive together are read in turns. */
START_TEST(spilled_warps_interleave)
{
    char *text = grouped_text();
    struct trace_kernel_options options = {.memory_budget = 1};
    struct trace_kernel *kernel = open_text(text, &options);
    struct trace_block *blocks[BLOCKS];
    struct error err = {0};
    uint64_t seen[BLOCKS][WARPS] = {0};
    hold_all(kernel, blocks);
    for (int open = 1; open > 0;) {
        open = 0;
        for (int i = 0; i < BLOCKS * WARPS; i++) {
            struct trace_warp *warp = &blocks[i / WARPS]->warps[i % WARPS];
            ck_assert_ptr_eq(warp->at, warp->end);
            int rc = trace_warp_fill(warp, &err);
            ck_assert_int_ge(rc, 0);
            open += rc;
            seen[i / WARPS][i % WARPS] += (uint64_t)(warp->end - warp->at);
            warp->at = warp->end;
        }
    }
    for (int b = 0; b < BLOCKS; b++) {
        for (int w = 0; w < WARPS; w++)
            ck_assert_uint_eq(seen[b][w], (uint64_t)lines_of(b, w));
        trace_block_release(blocks[b]);
    }
    trace_kernel_close(kernel);
    free(text);
}
END_TEST

/* Reads a block to its end and releases it. */
static void *consume(void *data)
{
    struct trace_block *block = data;
    struct error err = {0};
    uint64_t left = 0, seen = 0;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct trace_warp *warp = &block->warps[w];
        left += warp->total;
        do {
            seen += (uint64_t)(warp->end - warp->at);
            warp->at = warp->end;
        } while (trace_warp_fill(warp, &err) == 1);
    }
    trace_block_release(block);
    return seen == left ? NULL : "records are missing";
}

START_TEST(other_threads_consume_blocks)
{
    char *text = grouped_text();
    for (int i = 0; i < 3; i++) {
        struct trace_kernel_options options = {.memory_budget = i == 0 ? 1 : 300000};
        struct trace_kernel *kernel = open_text(text, &options);
        pthread_t threads[BLOCKS];
        struct error err = {0};
        for (int b = 0; b < BLOCKS; b++) {
            struct trace_block *block;
            ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), 1);
            ck_assert_int_eq(pthread_create(&threads[b], NULL, consume, block), 0);
        }
        for (int b = 0; b < BLOCKS; b++) {
            void *failure;
            pthread_join(threads[b], &failure);
            ck_assert_ptr_null(failure);
        }
        trace_kernel_close(kernel);
    }
    free(text);
}
END_TEST

START_TEST(blocks_are_released_unread)
{
    char *text = grouped_text();
    struct trace_kernel_options options = {.memory_budget = 1};
    struct trace_kernel *kernel = open_text(text, &options);
    struct trace_block *blocks[BLOCKS];
    struct error err = {0};
    hold_all(kernel, blocks);
    ck_assert_int_eq(trace_warp_fill(&blocks[0]->warps[0], &err), 1);
    for (int b = BLOCKS - 1; b >= 0; b--)
        trace_block_release(blocks[b]);
    trace_block_release(NULL);
    trace_kernel_close(kernel);
    trace_kernel_close(NULL);
    free(text);
}
END_TEST

START_TEST(no_room_for_temporary_data)
{
    char *text = grouped_text();
    struct trace_kernel_options options = {.memory_budget = 1, .spill_dir = "/nowhere"};
    struct trace_kernel *kernel = open_text(text, &options);
    struct trace_block *block;
    struct error err = {0};
    ck_assert_int_eq(trace_kernel_next_block(kernel, &block, &err), -1);
    ck_assert_int_eq(err.kind, ERROR_OUTPUT);
    ck_assert_str_eq(err.text, "/nowhere: cannot create a file for temporary data: "
                               "No such file or directory");
    trace_kernel_close(kernel);
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        same_records,
        budget_holds_for_all_blocks_together,
        spilled_warps_interleave,
        other_threads_consume_blocks,
        blocks_are_released_unread,
        no_room_for_temporary_data,
    };
    return RUN_TESTS("spill", tests);
}
