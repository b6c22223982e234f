/* Code of functions: control bits, text, listings, cubins, and how workloads hold it. */
#define _GNU_SOURCE /* asprintf */
#include "tests/traces/support.h"

#include <stdio.h>
#include <string.h>

#include "traces/functions/candidates.h"
#include "traces/functions/encodings.h"
#include "traces/functions/functions.h"

/* ---- control bits ------------------------------------------------------ */

static struct trace_control decode(uint64_t high, uint32_t version)
{
    return trace_control_decode((struct trace_code){.high = high}, version);
}

#define assert_control(high, stall_, yield_, write, read, wait, reuse_)                        \
    do {                                                                                       \
        const struct trace_control c_ = decode(high, 90);                                      \
        ck_assert_uint_eq(c_.stall, stall_);                                                   \
        ck_assert_int_eq(c_.yield, yield_);                                                    \
        ck_assert_uint_eq(c_.write_barrier, write);                                            \
        ck_assert_uint_eq(c_.read_barrier, read);                                              \
        ck_assert_uint_eq(c_.wait_mask, wait);                                                 \
        ck_assert_uint_eq(c_.reuse, reuse_);                                                   \
    } while (0)

START_TEST(control_bits)
{
    assert_control(0x000fe40000000f00, 2, false, 7, 7, 0, 0);
    assert_control(0x000fca0000000f00, 5, true, 7, 7, 0, 0);
    assert_control(0x000ea8000c1e1900, 4, false, 2, 7, 0, 0);
    assert_control(0x004fca0000000000, 5, true, 7, 7, 4, 0);
    assert_control(0x040fe20000000000, 1, false, 7, 7, 0, 1);
    assert_control(0x0001e80000000000, 4, false, 7, 0, 0,
                   0); /* a store: sources in counter 0 */
    assert_control(0x3fffffffffffffff, 15, false, 7, 7, 63, 15);
    assert_control(0xc000000000000000, 0, true, 0, 0, 0, 0); /* no control bits */
}
END_TEST

/* From sm_120 on two fields have another meaning. */
START_TEST(control_bits_of_later_gpus)
{
    ck_assert(decode(0x040fca0000000f00, 103).yield);
    ck_assert_uint_eq(decode(0x040fca0000000f00, 103).reuse, 1);
    ck_assert(!decode(0x040fca0000000f00, 120).yield);
    ck_assert_uint_eq(decode(0x040fca0000000f00, 120).reuse, 0);
    ck_assert_uint_eq(decode(0x040fca0000000f00, 120).stall, 5);
}
END_TEST

static void assert_constant(uint64_t high, uint64_t low, bool is, uint32_t bank,
                            uint32_t offset, bool reg)
{
    uint32_t own_bank, own_offset;
    bool own_reg;
    ck_assert_int_eq(trace_code_constant((struct trace_code){.low = low, .high = high},
                                         &own_bank, &own_offset, &own_reg),
                     is);
    if (!is)
        return;
    ck_assert_uint_eq(own_bank, bank);
    ck_assert_uint_eq(own_offset, offset);
    ck_assert_int_eq(own_reg, reg);
}

START_TEST(constants)
{
    assert_constant(0x000fe20000000800, 0x00000a00ff017b82, true, 0, 0x28, false);
    assert_constant(0x000fe20000000a00, 0x0000860000047ab9, true, 0, 0x218, false);
    assert_constant(0x000fe20000000a00, 0x00c0200000067ab9, true, 3, 0x80, false);
    /* LDC with a register, ULDC with a uniform one, a byte */
    assert_constant(0x0010620000000800, 0x00d000000c007b82, true, 3, 0x4000, true);
    assert_constant(0x000fe20008000800, 0x0000840026047abb, true, 0, 0x210, true);
    assert_constant(0x000fe20000000000, 0x0001064000048ab9, true, 0, 0x419, false);
    /* FFMA with c[0x0][0x160]; with a uniform register; barrier, LDG */
    assert_constant(0x000fe40000000002, 0x0000580003047a23, true, 0, 0x160, false);
    assert_constant(0x000fc80008000004, 0x0000000605057c23, false, 0, 0, false);
    assert_constant(0x000fec0000010000, 0x0000000000007b1d, false, 0, 0, false);
    assert_constant(0x000168000c1e1900, 0x0000000606047981, false, 0, 0, false);
}
END_TEST

START_TEST(code_by_pc)
{
    struct trace_code code[2] = {{1, 2}, {3, 4}};
    const struct trace_function function = {.count = 2, .code = code};
    ck_assert_ptr_eq(trace_function_code(&function, 0), &code[0]);
    ck_assert_ptr_eq(trace_function_code(&function, 16), &code[1]);
    ck_assert_ptr_null(trace_function_code(&function, 8));
    ck_assert_ptr_null(trace_function_code(&function, 32));
    ck_assert_ptr_null(trace_function_code(&function, UINT32_MAX));
}
END_TEST

/* ---- text -------------------------------------------------------------- */

static const char *const example = "function f\n"
                                   "address 0x7f00\n"
                                   "registers 12\n"
                                   "barriers 1\n"
                                   "max_threads 256 1 1\n"
                                   "cluster 2 1 1\n"
                                   "constants 552\n"
                                   "code 2\n"
                                   "000fe2000000080000000a00ff017b82\n"
                                   "000fea0003800000000000000000794d\n"
                                   "function f\n"
                                   "code 1\n"
                                   "000fe200000008000000000000000001\n"
                                   "launch 2 kernel-7.traceg\n";

/* Reads TEXT into FUNCTIONS; the caller frees the message, "" without an error. */
static char *read_text(struct functions *functions, const char *text, bool file)
{
    struct source source;
    struct error err = {0};
    ck_assert_int_eq(source_open_text(&source, "f.code", text, strlen(text), &err), 0);
    int rc = functions_read(functions, &source, file, &err);
    source_finish(&source);
    ck_assert_int_eq(rc, err.kind == ERROR_NONE ? 0 : -1);
    return strdup(err.text);
}

START_TEST(text_both_ways)
{
    struct functions functions = {0};
    char *message = read_text(&functions, example, false);
    ck_assert_str_eq(message, "");
    free(message);
    ck_assert_uint_eq(functions.count, 2);
    const struct trace_function *f = functions.items[0];
    ck_assert_uint_eq(f->address, 0x7f00);
    ck_assert_uint_eq(f->registers, 12);
    ck_assert_uint_eq(f->barriers, 1);
    ck_assert_uint_eq(f->max_threads[0], 256);
    ck_assert_uint_eq(f->cluster[0], 2);
    ck_assert_uint_eq(f->constants, 552);
    ck_assert_uint_eq(f->count, 2);
    ck_assert_uint_eq(f->code[0].low, 0x00000a00ff017b82);
    ck_assert_uint_eq(f->code[1].high, 0x000fea0003800000);
    ck_assert_uint_eq(functions.items[1]->registers, TRACE_FUNCTION_UNKNOWN);
    struct bytes text = {0};
    functions_print(functions.items[0], &text);
    functions_print(functions.items[1], &text);
    functions_print_use(functions.uses[0].launch, functions.uses[0].function, &text);
    bytes_byte(&text, '\0');
    ck_assert_str_eq((char *)text.data, example);
    bytes_finish(&text);
    functions_finish(&functions);
}
END_TEST

/* Launches execute the first function of their name, unless a line says otherwise. */
START_TEST(function_of_a_launch)
{
    struct functions functions = {0};
    free(read_text(&functions, example, false));
    ck_assert_ptr_eq(functions_find(&functions, "f", "kernel-1.traceg"), functions.items[0]);
    ck_assert_ptr_eq(functions_find(&functions, "f", "kernel-7.traceg"), functions.items[1]);
    ck_assert_ptr_eq(functions_find(&functions, "f", "kernel-7.traceg.xz"), functions.items[1]);
    ck_assert_ptr_eq(functions_find(&functions, "f", "kernel-70.traceg"), functions.items[0]);
    ck_assert_ptr_null(functions_find(&functions, "g", "kernel-7.traceg"));
    functions_finish(&functions);
}
END_TEST

struct wrong {
    const char *text, *message;
};

static const struct wrong wrong_texts[] = {
    {"", "f.code:1: '!functions 1' is expected"},
    {"function f\n", "f.code:1: '!functions 1' is expected"},
    {"!functions 2\n", "f.code:1: functions of version 2; this program reads version 1"},
    {"!functions 1\nregisters 1\n", "f.code:2: 'function NAME' is expected"},
    {"!functions 1\nfunction \n", "f.code:2:10: the name of a function is expected"},
    {"!functions 1\nfunction f\n", "f.code:3: the last function has no code"},
    {"!functions 1\nfunction f\nfunction g\n", "f.code:3: the function before has no code"},
    {"!functions 1\nfunction f\nsize 1\n", "f.code:3:1: 'size' is not known"},
    {"!functions 1\nfunction f\nregisters 256\n",
     "f.code:3: a number in its range is expected"},
    {"!functions 1\nfunction f\ncluster 1 2\n",
     "f.code:3: a size of three numbers is expected"},
    {"!functions 1\nfunction f\naddress x\n", "f.code:3: an address is expected"},
    {"!functions 1\nfunction f\ncode 0\n", "f.code:3:6: a function has instructions"},
    {"!functions 1\nfunction f\ncode 4194305\n", "f.code:3: a number in its range is expected"},
    {"!functions 1\nfunction f\ncode 2\n000fe2000000080000000a00ff017b82\n",
     "f.code:5: the text ends after 1 of 2 instructions"},
    {"!functions 1\nfunction f\ncode 1\n000fe2000000080000000a00ff017b8\n",
     "f.code:4:32: an instruction of 32 hexadecimal digits is expected"},
    {"!functions 1\nfunction f\ncode 1\n000fe2000000080000000a00ff017b820\n",
     "f.code:4:33: an instruction of 32 hexadecimal digits is expected"},
    {"!functions 1\nlaunch 1 kernel-1.traceg\n",
     "f.code:2:8: the number of one of the 0 functions before is expected"},
};

START_TEST(wrong_text)
{
    for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++) {
        struct functions functions = {0};
        char *message = read_text(&functions, wrong_texts[i].text, true);
        ck_assert_str_eq(message, wrong_texts[i].message);
        free(message);
        functions_finish(&functions);
    }
}
END_TEST

/* What is written once, and what launches of a function of the same name add. */
START_TEST(writing)
{
    struct functions functions = {0}, written = {0};
    struct bytes text = {0};
    free(read_text(&functions, example, false));
    ck_assert(functions_write(&written, functions.items[0], "kernel-1", &text));
    ck_assert_uint_gt(text.size, 0);
    text.size = 0;
    ck_assert(functions_write(&written, functions.items[0], "kernel-2", &text));
    ck_assert_uint_eq(text.size, 0);
    ck_assert(functions_write(&written, functions.items[1], "kernel-3", &text));
    bytes_byte(&text, '\0');
    ck_assert_str_eq((char *)text.data, "function f\ncode 1\n000fe200000008000000000000000001\n"
                                        "launch 2 kernel-3\n");
    text.size = 0;
    ck_assert(functions_write(&written, functions.items[1], "kernel-4", &text));
    bytes_byte(&text, '\0');
    ck_assert_str_eq((char *)text.data, "launch 2 kernel-4\n");
    bytes_finish(&text);
    functions_finish(&written);
    functions_finish(&functions);
}
END_TEST

/* ---- listings ---------------------------------------------------------- */

#define INST(pc, text, low, high)                                                              \
    "        /*" pc "*/    " text " ;    /* 0x" low " */\n"                                    \
    "                                    /* 0x" high " */\n"
#define ADD  INST("0000", "@!P0 IADD3 R1, R2, R3, RZ", "0000000302018210", "000fe20007ffe0ff")
#define EXIT INST("0010", "EXIT", "000000000000794d", "000fea0003800000")
#define FLAGS                                                                                  \
    "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 "                                   \
    "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"\n"

/* Reads the listing TEXT; the caller frees the message. */
static char *read_listing(struct candidates *candidates, const char *text)
{
    struct source source;
    struct error err = {0};
    ck_assert_int_eq(source_open_text(&source, "l.sass", text, strlen(text), &err), 0);
    candidates_read_listing(candidates, &source, &err);
    source_finish(&source);
    return strdup(err.text);
}

static bool fits(const struct candidates *candidates, uint32_t pc, const char *opcode,
                 uint8_t reg)
{
    const struct trace_inst inst = {.pc = pc, .dst_count = 1, .dst = {reg}};
    return candidates_fit(candidates, 0, &inst, opcode);
}

static void check_listing(const char *text)
{
    struct candidates candidates = {0};
    char *message = read_listing(&candidates, text);
    ck_assert_str_eq(message, "");
    free(message);
    ck_assert_uint_eq(candidates.functions.count, 2);
    const struct trace_function *f = candidates.functions.items[0];
    ck_assert_str_eq(f->name, "_Z1fv");
    ck_assert_str_eq(candidates.functions.items[1]->name, "g");
    ck_assert_uint_eq(f->count, 2);
    ck_assert_uint_eq(f->code[0].low, 0x0000000302018210);
    ck_assert_uint_eq(f->code[0].high, 0x000fe20007ffe0ff);
    ck_assert_str_eq(candidates_name(&candidates, 0, 0), "IADD3");
    ck_assert_str_eq(candidates_name(&candidates, 0, 16), "EXIT");
    ck_assert(fits(&candidates, 0, "IADD3", 1));
    ck_assert(!fits(&candidates, 0, "IADD3", 2));
    ck_assert(!fits(&candidates, 0, "IADD3.X", 1));
    ck_assert(!fits(&candidates, 32, "NOP", 0));
    ck_assert_uint_eq(candidates.items[0].version, 90);
    candidates_finish(&candidates);
}

START_TEST(listings)
{
    check_listing("\tcode for sm_90\n\t\tFunction : _Z1fv\n" FLAGS ADD EXIT
                  "\t\t..........\n\n\t\tFunction : g\n" ADD);
    check_listing("\t.section .text._Z1fv,\"ax\",@progbits\n" FLAGS ".text._Z1fv:\n" ADD EXIT
                  ".L_1:\n.text.g:\n" ADD);
    check_listing("Function : _Z1fv\r\n" FLAGS ADD EXIT "Function : g\n" ADD);
}
END_TEST

static const struct wrong wrong_listings[] = {
    {"nothing\n", "l.sass: the file has no function: a listing of cuobjdump -sass or nvdisasm "
                  "-hex or a cubin is expected"},
    {"Function : f\n/*0000*/ IADD3 R1, R2 ;\n",
     "l.sass:2: the listing lacks the bytes of instructions: cuobjdump -sass and nvdisasm -hex "
     "print them"},
    {"Function : f\n" EXIT,
     "l.sass:2: the instruction at 0x0 is expected: instructions have 16 "
     "bytes, as on Volta and later GPUs"},
    {"Function : f\n" ADD INST("0018", "NOP", "0", "0"),
     "l.sass:4: the instruction at 0x10 is expected: instructions have 16 bytes, as on Volta "
     "and later GPUs"},
    {"Function : f\n/*0000*/ NOP ; /* 0x1 */\nFunction : g\n",
     "l.sass:3: the second word of an instruction is missing"},
    {"Function : f\n/*0000*/ NOP ; /* 0x1 */\n",
     "l.sass:3: the second word of an instruction is missing"},
};

START_TEST(wrong_listing)
{
    for (size_t i = 0; i < sizeof wrong_listings / sizeof *wrong_listings; i++) {
        struct candidates candidates = {0};
        char *message = read_listing(&candidates, wrong_listings[i].text);
        ck_assert_str_eq(message, wrong_listings[i].message);
        free(message);
        candidates_finish(&candidates);
    }
}
END_TEST

static bool wants_g(const void *data, const char *name)
{
    return strcmp(name, data) == 0;
}

/* Functions that nobody asked for are not kept, whatever their code. */
START_TEST(wanted_functions)
{
    struct candidates candidates = {.wanted = wants_g, .data = "g"};
    char *message =
        read_listing(&candidates, "Function : f\n/*0008*/ NOP ;\nFunction : g\n" ADD);
    ck_assert_str_eq(message, "");
    free(message);
    ck_assert_uint_eq(candidates.functions.count, 1);
    ck_assert_uint_eq(candidates.seen, 2);
    candidates_finish(&candidates);
}
END_TEST

START_TEST(encodings)
{
    ck_assert_str_eq(encodings_name(90, 0x0000000302018210), "IADD3");
    ck_assert(encodings_fit(90, 0x0000000302018210, "IADD3.X"));
    ck_assert(!encodings_fit(90, 0x0000000302018210, "IADD"));
    ck_assert(!encodings_fit(90, 0x0000000302018210, "IADD32"));
    ck_assert(encodings_fit(90, 0x1ab, "ERRBAR"));
    ck_assert(encodings_fit(90, 0x1ab, "CGAERRBAR"));
    ck_assert_ptr_null(encodings_name(90, 0x1ff));
    ck_assert(encodings_fit(90, 0x1ff, "ANYTHING"));
    ck_assert(encodings_fit(100, 0x0000000302018210, "ANYTHING"));
}
END_TEST

/* ---- workloads --------------------------------------------------------- */

#define LOAD "0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0\n0010 ffffffff 0 EXIT 0 0 0\n"

START_TEST(code_of_a_kernel)
{
    struct error err = {0};
    char *folder = make_folder();
    static const char trace[] = TRACE("2", LOAD);
    static const char code[] = "!functions 1\nfunction k\ncode 2\n"
                               "000fe20007ffe0ff0000000302018210\n"
                               "000fea0003800000000000000000794d\n";
    char *path = make_file(folder, "kernel-1.traceg", trace, sizeof trace - 1);
    free(make_file(folder, FUNCTIONS_FILE, code, sizeof code - 1));
    struct trace_workload *workload = trace_workload_open(path, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    for (int with = 0; with < 2; with++) {
        const struct trace_kernel_options options = {.code = true,
                                                     .workload = with ? workload : NULL};
        struct trace_kernel *kernel = trace_kernel_open(path, &options, &err);
        ck_assert_msg(kernel != NULL, "%s", err.text);
        const struct trace_function *function = trace_kernel_function(kernel);
        ck_assert_ptr_nonnull(function);
        ck_assert_uint_eq(trace_control_decode(*trace_function_code(function, 16), 90).stall,
                          5);
        trace_kernel_close(kernel);
    }
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    ck_assert_ptr_null(trace_kernel_function(kernel)); /* it was not wanted */
    trace_kernel_close(kernel);
    trace_workload_destroy(workload);
    free(path);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        control_bits,
        control_bits_of_later_gpus,
        constants,
        code_by_pc,
        text_both_ways,
        wrong_text,
        function_of_a_launch,
        writing,
        listings,
        wrong_listing,
        wanted_functions,
        encodings,
        code_of_a_kernel,
    };
    return RUN_TESTS("functions", tests);
}
