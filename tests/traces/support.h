/* What the suites of the trace reader share. */
#ifndef HEARTH_TESTS_TRACES_SUPPORT_H
#define HEARTH_TESTS_TRACES_SUPPORT_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

#include "tests/suite.h"
#include "traces/kernel.h"
#include "traces/traces.h"

/* The header of a small trace: one block of one warp, sm_86, version 5. */
#define HEADER_WITH(grid, block, sm, version, lineinfo)                                        \
    "-kernel name = k\n-kernel id = 1\n-grid dim = " grid "\n-block dim = " block              \
    "\n-shmem = 0\n-nregs = 16\n-binary version = " sm "\n-cuda stream id = 0\n"               \
    "-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"       \
    "-nvbit version = 1.7\n-accelsim tracer version = " version                                \
    "\n-enable lineinfo = " lineinfo "\n\n#traces format = prose\n\n"
#define HEADER "" HEADER_WITH("(1,1,1)", "(32,1,1)", "86", "5", "0")

/* A grouped block around LINES: whole "warp =" sections. */
#define BLOCK(index, warps)        "#BEGIN_TB\n\nthread block = " index "\n\n" warps "\n#END_TB\n\n"
#define WARP(number, insts, lines) "warp = " number "\ninsts = " insts "\n" lines "\n"
/* A whole trace of one block with one warp. */
#define TRACE(insts, lines) HEADER BLOCK("0,0,0", WARP("0", insts, lines))

/* Opens SIZE bytes as a file. */
struct trace_kernel *open_bytes(const void *text, size_t size,
                                const struct trace_kernel_options *options, struct error *err);
/* The message without the name of such a file. */
const char *without_file(const struct error *err);
/* Fails the test if the text cannot be opened. */
struct trace_kernel *open_text(const char *text, const struct trace_kernel_options *options);
/* Everything that can be read of a kernel, as text: a line a block, a warp
 * and a record, with lane addresses and extras written out. Closes KERNEL; on error the
 * message ends the text. The caller frees it. */
char *dump(struct trace_kernel *kernel);
/* dump() of a trace given as text. */
char *dump_text(const char *text);

/* The message that reading TEXT ends with, without its file; "" if it can be
 * read. The caller frees it. */
char *error_of(const char *text);
#define assert_error(text, expected)                                                           \
    do {                                                                                       \
        char *message_ = error_of(text);                                                       \
        ck_assert_str_eq(message_, expected);                                                  \
        free(message_);                                                                        \
    } while (0)
#define assert_dump(text, expected)                                                            \
    do {                                                                                       \
        char *dump_ = dump_text(text);                                                         \
        ck_assert_str_eq(dump_, expected);                                                     \
        free(dump_);                                                                           \
    } while (0)

#endif
