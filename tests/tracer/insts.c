/* What the tracer makes of the instructions that the tool found. */
#include <string.h>

#include "tests/tracer/scene.h"
#include "tracer/sass.h"

/* Hints for L2 have numbers, too, which are not bytes of a lane. */
START_TEST(widths_beside_hints)
{
    static const struct {
        const char *opcode;
        unsigned width;
    } cases[] = {
        {"LDG.E.LTC64B", 4},      {"LDG.E.LTC128B", 4},
        {"LDG.E.U8.LTC64B", 1},   {"LDG.E.64.LTC128B", 8},
        {"LDG.E.LTC128B.64", 8},  {"LDG.E.LTC64B.128.CONSTANT", 16},
        {"LDG.E.LTC256B.U16", 2}, {"LDGSTS.E.BYPASS.LTC128B.128", 16},
        {"LDGSTS.E.LTC64B", 4},   {"LD.E.LTC64B.64", 8},
    };
    struct scene scene;
    struct error err = {0};
    char line[96];
    set(&scene);
    const uint64_t address = 4096;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned width = 0;
        const struct tracer_inst inst = {.function = "k",
                                         .opcode = cases[i].opcode,
                                         .memory = true,
                                         .pc = 48 + 16 * i,
                                         .binary_version = 90};
        ck_assert_int_eq(tracer_count_kind(&inst, &width), strncmp(inst.opcode, "LD.", 3) == 0
                                                               ? TRACER_COUNT_LOAD
                                                               : TRACER_COUNT_GLD);
        ck_assert_msg(width == cases[i].width, "%s: %u", inst.opcode, width);
        const uint32_t number = tracer_add_inst(scene.tracer, &inst, &err);
        struct {
            struct tracer_record record;
            uint64_t address;
        } sent = {record_of(&scene, 0, 0, number, 1), address};
        sent.record.size = sizeof sent;
        ck_assert_int_eq(tracer_records(scene.tracer, &sent, sizeof sent, &err), 0);
    }
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernel-1.traceg");
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(line, sizeof line, "\n%04x 00000001 0 %s 0 %u 2 0x1000", 48 + 16 * i,
                 cases[i].opcode, cases[i].width);
        ck_assert_msg(strstr(text, line) != NULL, "no%s", line);
    }
    free(text);
    remove_folder(scene.folder);
}
END_TEST

static void add(struct sass *code, const char *function, uint32_t pc, const char *opcode,
                bool memory)
{
    struct error err = {0};
    const struct tracer_inst inst = {.function = function,
                                     .opcode = opcode,
                                     .memory = memory,
                                     .pc = pc,
                                     .dst_count = 1,
                                     .dst = {4},
                                     .binary_version = 90};
    ck_assert_uint_ne(sass_add(code, &inst, &err), UINT32_MAX);
}

/* What is between accesses is found out once for all launches of a function, and again after it
 * has become longer or was loaded anew. */
START_TEST(between_is_made_once)
{
    struct sass code = {0};
    add(&code, "k", 0x00, "LDG.E", true);
    add(&code, "k", 0x10, "FADD", false);
    add(&code, "k", 0x20, "LDG.E", true);
    const char *first = sass_between(&code, "k");
    ck_assert_str_eq(first, "0020:R4");
    ck_assert_ptr_eq(sass_between(&code, "k"), first);
    add(&code, "k", 0x30, "FADD", false);
    add(&code, "k", 0x40, "LDG.E", true);
    first = sass_between(&code, "k");
    ck_assert_str_eq(first, "0020:R4 0040:R4");
    add(&code, "other", 0x00, "EXIT", false);
    ck_assert_ptr_eq(sass_between(&code, "k"), first);
    ck_assert_str_eq(sass_between(&code, "other"), "none");
    ck_assert_str_eq(sass_between(&code, "unknown"), "none");
    add(&code, "k", 0x00, "EXIT", false);
    ck_assert_str_eq(sass_between(&code, "k"), "none");
    sass_finish(&code);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {widths_beside_hints, between_is_made_once};
    return RUN_TESTS("insts", tests);
}
