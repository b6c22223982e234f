/* The code of functions: out of cubins, and of launches. */
#include <stdio.h>
#include <string.h>

#include "tests/tracer/scene.h"

#define CUBIN "tests/tools/h100/vecadd.cubin"
#define TRACE "tests/tools/h100/vecadd.packed"
#define MOST  64

/* A kernel as an H100 ran it, and the cubin that it is of. */
struct real {
    char cubin[1 << 14];
    struct tracer_inst insts[MOST];
    struct trace_kernel *kernel;
    struct tracer_cubin given;
};

static void read_insts(struct real *real)
{
    struct trace_block *block;
    struct error err = {0};
    uint32_t count;
    while (trace_kernel_next_block(real->kernel, &block, &err) == 1)
        trace_block_release(block);
    const struct trace_inst *insts = trace_kernel_insts(real->kernel, &count);
    ck_assert_uint_gt(count, 10);
    ck_assert_uint_le(count, MOST);
    for (uint32_t i = 0; i < count; i++) {
        real->insts[i] =
            (struct tracer_inst){.opcode = trace_kernel_opcode(real->kernel, &insts[i]),
                                 .pc = insts[i].pc,
                                 .binary_version = 90,
                                 .memory = insts[i].width > 0,
                                 .dst_count = insts[i].dst_count};
        memcpy(real->insts[i].dst, insts[i].dst, sizeof real->insts[i].dst);
    }
    real->given.count = count;
}

static struct real *read_real(void)
{
    struct real *real = calloc(1, sizeof *real);
    struct error err = {0};
    struct trace_workload *workload = trace_workload_open(SOURCE_ROOT "/" TRACE, &err);
    FILE *file = fopen(SOURCE_ROOT "/" CUBIN, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_msg(workload != NULL, "%s", err.text);
    real->given = (struct tracer_cubin){.data = real->cubin,
                                        .size = fread(real->cubin, 1, sizeof real->cubin, file),
                                        .name = "_Z3addPKfS0_Pfi",
                                        .address = 0x7f0012345600,
                                        .insts = real->insts};
    fclose(file);
    real->kernel = trace_kernel_open(SOURCE_ROOT "/" TRACE "/kernel-1", NULL, &err);
    ck_assert_msg(real->kernel != NULL, "%s", err.text);
    trace_workload_destroy(workload);
    read_insts(real);
    return real;
}

static void free_real(struct real *real)
{
    trace_kernel_close(real->kernel);
    free(real);
}

static void check_code(const struct scene *scene)
{
    char *text = read_text(scene->folder, "functions.code");
    ck_assert_ptr_eq(strstr(text,
                            "!functions 1\nfunction _Z3addPKfS0_Pfi\n"
                            "address 0x7f0012345600\nregisters 12\nbarriers 0\nconstants 556\n"
                            "code 32\n000fe2000000080000000a00ff017b82\n"),
                     text);
    free(text);
}

START_TEST(code_of_a_real_kernel)
{
    struct scene scene;
    struct error err = {0};
    struct real *real = read_real();
    set(&scene);
    uint32_t number = tracer_add_cubin(scene.tracer, &real->given, &err);
    ck_assert_msg(number == 1, "%s", err.text);
    ck_assert_int_eq(tracer_execute(scene.tracer, scene.launch, number, &err), -1);
    ck_assert_str_eq(err.text, "launch 1 does not execute the code 1");
    send_good(&scene, 0, 0, scene.fadd, 1);
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    ck_assert(!is_there(scene.folder, "functions.code"));
    begin_named(&scene, real->given.name);
    err = (struct error){0};
    ck_assert_msg(tracer_execute(scene.tracer, scene.launch, number, &err) == 0, "%s",
                  err.text);
    send_good(&scene, 0, 0, scene.fadd, 1);
    ck_assert_int_eq(tracer_execute(scene.tracer, scene.launch, number, &err), -1);
    ck_assert_str_eq(err.text,
                     "launch 2 is not being traced, or records of it have been written");
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    finish_scene(&scene);
    check_code(&scene);
    free_real(real);
    remove_folder(scene.folder);
}
END_TEST

/* What is wrong with the cubin is said, and nothing is added. */
static void check_wrong(struct scene *scene, const struct tracer_cubin *cubin,
                        const char *expected)
{
    struct error err = {0};
    ck_assert_uint_eq(tracer_add_cubin(scene->tracer, cubin, &err), 0);
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    ck_assert_str_eq(err.text, expected);
}

START_TEST(cubins_that_do_not_fit)
{
    struct scene scene;
    struct real *real = read_real();
    struct tracer_cubin given = real->given;
    set(&scene);
    given.name = "_Z3add";
    check_wrong(&scene, &given, "the cubin has no function of this name");
    given.name = real->given.name;
    given.size = 100;
    check_wrong(&scene, &given, "the table of sections is cut off");
    given.size = 0;
    check_wrong(&scene, &given,
                "an ELF file, but no cubin: 'cuobjdump -xelf all' takes cubins out of programs "
                "and libraries");
    given.size = real->given.size;
    real->insts[3].pc += TRACE_CODE_BYTES;
    check_wrong(&scene, &given, "the cubin has another instruction than LDC at PC 0x40");
    for (uint32_t i = 0; i < given.count; i++) {
        real->insts[i].binary_version = 80;
        real->insts[i].dst[0]++;
    }
    check_wrong(&scene, &given, "13 of 13 instructions write other registers in the cubin");
    real->insts[3].pc = UINT32_MAX;
    check_wrong(&scene, &given, "the cubin has another instruction than LDC at PC 0xffffffff");
    tracer_destroy(scene.tracer);
    free_real(real);
    remove_folder(scene.folder);
}
END_TEST

/* Code that a damaged stream may have, and readers would not take. */
START_TEST(code_that_makes_no_sense)
{
    struct trace_code one = {1, 2};
    char name[] = "k", bad[] = "k k";
    const struct trace_function good = {.name = name, .count = 1, .code = &one};
    struct trace_function wrong[4] = {good, good, good, good};
    struct scene scene;
    wrong[0].name = bad;
    wrong[1].registers = 256;
    wrong[2].barriers = 1000;
    wrong[3].count = 0;
    set(&scene);
    for (int i = 0; i < 4; i++) {
        struct error err = {0};
        ck_assert_uint_eq(tracer_add_function(scene.tracer, &wrong[i], &err), 0);
        ck_assert_int_eq(err.kind, ERROR_TRACE);
        ck_assert_ptr_nonnull(
            strstr(err.text, ": invalid code: its name, registers, barriers or length"));
    }
    struct error err = {0};
    ck_assert_uint_eq(tracer_add_function(scene.tracer, &good, &err), 1);
    ck_assert_int_eq(tracer_execute(scene.tracer, scene.launch, 2, &err), -1);
    ck_assert_str_eq(err.text, "launch 1 does not execute the code 2");
    tracer_destroy(scene.tracer);
    remove_folder(scene.folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {code_of_a_real_kernel, cubins_that_do_not_fit,
                                  code_that_makes_no_sense};
    return RUN_TESTS("code", tests);
}
