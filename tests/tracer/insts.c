/* What the tracer makes of the instructions that the tool found. */
#include <string.h>

#include "tests/tracer/scene.h"

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

int main(void)
{
    const TTest *const tests[] = {widths_beside_hints};
    return RUN_TESTS("insts", tests);
}
