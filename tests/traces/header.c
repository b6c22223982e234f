/* Headers of kernel traces. */
#include "tests/traces/support.h"

#include <string.h>

static const struct trace_header *header_of(const char *text, struct trace_kernel **kernel)
{
    *kernel = open_text(text, NULL);
    return trace_kernel_header(*kernel);
}

START_TEST(all_fields)
{
    struct trace_kernel *kernel;
    const struct trace_header *h =
        header_of("-kernel name = _Z3addPf i\r\n-kernel id = 17\n-grid dim = (3,2,1)\n"
                  "-block dim = (16,8,4)\n-shmem = 4096\n-nregs = 255\n-binary version = 90\n"
                  "-cuda stream id = 94562846\n-shmem base_addr = 0x00007f0002000000\n"
                  "-local mem base_addr = 0x7f0000000000\n-nvbit version = 1.7.4\n"
                  "-accelsim tracer version = 5\n-enable lineinfo = 1\n\n#traces format = x\n",
                  &kernel);
    ck_assert_str_eq(h->name, "_Z3addPf i");
    ck_assert_uint_eq(h->id, 17);
    ck_assert(h->has_id);
    ck_assert_uint_eq(h->grid[0], 3);
    ck_assert_uint_eq(h->grid[1], 2);
    ck_assert_uint_eq(h->grid[2], 1);
    ck_assert_uint_eq(h->block[0], 16);
    ck_assert_uint_eq(h->block[2], 4);
    ck_assert_uint_eq(h->shmem, 4096);
    ck_assert_uint_eq(h->regs, 255);
    ck_assert_uint_eq(h->binary_version, 90);
    ck_assert_uint_eq(h->stream, 94562846);
    ck_assert_uint_eq(h->shmem_base, 0x7f0002000000);
    ck_assert_uint_eq(h->local_base, 0x7f0000000000);
    ck_assert_uint_eq(h->version, 50);
    ck_assert(h->lineinfo);
    ck_assert(h->grouped);
    ck_assert_ptr_null(trace_kernel_note(kernel));
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(least_fields)
{
    struct trace_kernel *kernel;
    const struct trace_header *h =
        header_of("-grid dim = (1,1,1)\n-block dim = (1,1,1)\n#\n", &kernel);
    ck_assert_str_eq(h->name, "");
    ck_assert(!h->has_id);
    ck_assert_uint_eq(h->version, 0);
    ck_assert_uint_eq(h->binary_version, 0);
    ck_assert_str_eq(trace_kernel_note(kernel),
                     "the trace has no binary version; opcodes are taken as Blackwell's");
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(pointer_stream_and_old_version)
{
    struct trace_kernel *kernel;
    const struct trace_header *h =
        header_of("-grid dim = (1,1,1)\n-block dim = (1,1,1)\n-binary version = 75\n"
                  "-cuda stream id = 18446744073709551615\n-accelsim tracer version = 1.2\n#\n",
                  &kernel);
    ck_assert_uint_eq(h->stream, UINT64_MAX);
    ck_assert_uint_eq(h->version, 12);
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(unknown_binary_version)
{
    struct trace_kernel *kernel;
    header_of("-grid dim = (1,1,1)\n-block dim = (1,1,1)\n-binary version = 95\n#\n", &kernel);
    ck_assert_str_eq(trace_kernel_note(kernel),
                     "binary version 95 is not known; opcodes are taken as Hopper's");
    trace_kernel_close(kernel);
}
END_TEST

START_TEST(errors)
{
#define DIMS "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
    assert_error("-nregs = 1\n", "2: the header has no '-grid dim = (x,y,z)'");
    assert_error("\n-nregs = 1\n#\n", "3: the header has no '-grid dim = (x,y,z)'");
    assert_error("-grid dim = (1,1,1)\n#\n", "2: the header has no '-block dim = (x,y,z)'");
    assert_error(
        "-grid dim = (0,1,1)\n",
        "1:13: -grid dim: (x,y,z) with x from 1 to 2147483647, y and z to 65535 is expected");
    assert_error(
        "-grid dim = (1,1)\n",
        "1:13: -grid dim: (x,y,z) with x from 1 to 2147483647, y and z to 65535 is expected");
    assert_error(
        "-grid dim = (2147483648,1,1)\n",
        "1:13: -grid dim: (x,y,z) with x from 1 to 2147483647, y and z to 65535 is expected");
    assert_error("-block dim = (1,1,1) x\n",
                 "1:14: -block dim: (x,y,z), each at least 1 is expected");
    assert_error("-grid dim = (1,1,1)\n-block dim = (1024,2,1)\n#\n",
                 "3: blocks of (1024,2,1) threads; at most 1024 are possible");
    assert_error("-grid dim = (1,1,1)\n-block dim = (65536,65535,65535)\n#\n",
                 "3: blocks of (65536,65535,65535) threads; at most 1024 are possible");
    assert_error(DIMS "-nregs = many\n#\n", "3:10: -nregs: a number of registers is expected");
    assert_error(DIMS "-shmem = -1\n#\n", "3:10: -shmem: a number of bytes is expected");
    assert_error(DIMS "-shmem base_addr = 0x10000000000000000\n#\n",
                 "3:20: -shmem base_addr: a hexadecimal address is expected");
    assert_error(DIMS "-enable lineinfo = 2\n#\n",
                 "3:20: -enable lineinfo: 0 or 1 is expected");
    assert_error(DIMS "-nothing\n#\n", "3: '-key = value' is expected");
    assert_error("-nregs = 1\nhello\n",
                 "2: a trace header is expected: '-key = value' lines, then one that "
                 "starts with '#'");
#undef DIMS
}
END_TEST

START_TEST(binary_value)
{
    static const char text[] = "-kernel name = a\0b\n-grid dim = (1,1,1)\n#\n";
    struct error err = {0};
    ck_assert_ptr_null(open_bytes(text, sizeof text - 1, NULL, &err));
    ck_assert_str_eq(without_file(&err), "1:16: text is expected, this is binary");
}
END_TEST

START_TEST(generic_addresses)
{
    struct trace_header h = {.shmem_base = 0x7f0000000000, .local_base = 0x7f0002000000};
    ck_assert_int_eq(trace_resolve_space(&h, 0x7effffffffff), TRACE_SPACE_GLOBAL);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0000000000), TRACE_SPACE_SHARED);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0001ffffff), TRACE_SPACE_SHARED);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0002000000), TRACE_SPACE_LOCAL);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0002ffffff), TRACE_SPACE_LOCAL);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0003000000), TRACE_SPACE_GLOBAL);
    /* The other order, as most drivers have it. */
    h = (struct trace_header){.shmem_base = 0x7f0002000000, .local_base = 0x7f0000000000};
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0002000000), TRACE_SPACE_SHARED);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0002ffffff), TRACE_SPACE_SHARED);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0003000000), TRACE_SPACE_GLOBAL);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0000000010), TRACE_SPACE_LOCAL);
    ck_assert_int_eq(trace_resolve_space(&h, 0x7f0001000000), TRACE_SPACE_GLOBAL);
    h.local_base = 0;
    ck_assert_int_eq(trace_resolve_space(&h, 0x1234), TRACE_SPACE_SHARED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        all_fields,
        least_fields,
        pointer_stream_and_old_version,
        unknown_binary_version,
        errors,
        binary_value,
        generic_addresses,
    };
    return RUN_TESTS("header", tests);
}
