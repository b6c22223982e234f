/* Loops that only wait. */
#include <string.h>

#include "tests/tracer/scene.h"
#include "tracer/waits.h"

/* An instruction for each line, 16 bytes apart; branches go to the PC behind them. Returns the
 * first PC of the loop that the last line ends, or UINT32_MAX. */
static uint32_t find(const char *const *code)
{
    struct waits waits = {0};
    uint32_t first, found = UINT32_MAX;
    for (uint32_t i = 0; code[i] != NULL; i++) {
        char opcode[64];
        unsigned target = 0;
        sscanf(code[i], "%63s %x", opcode, &target);
        const struct tracer_inst inst = {.opcode = opcode,
                                         .binary_version = 90,
                                         .pc = 16 * i,
                                         .imm = target,
                                         .memory = strncmp(opcode, "LD", 2) == 0 ||
                                                   strncmp(opcode, "ST", 2) == 0 ||
                                                   strncmp(opcode, "SYNCS", 5) == 0};
        bool is = waits_add(&waits, &inst, &first);
        ck_assert(!is || code[i + 1] == NULL);
        if (is)
            found = first;
    }
    return found;
}

#define FIND(...) find((const char *const[]){__VA_ARGS__, NULL})

START_TEST(barriers_in_memory)
{
    ck_assert_uint_eq(FIND("FADD", "SYNCS.PHASECHK.TRANS64.TRYWAIT", "BRA 60", "MOV",
                           "SYNCS.PHASECHK.TRANS64.TRYWAIT", "NANOSLEEP.SYNCS",
                           "SYNCS.PHASECHK.TRANS64", "BRA 30"),
                      0x30);
    ck_assert_uint_eq(FIND("STG.E", "SYNCS.PHASECHK.TRANS64.TRYWAIT", "BRA 10"), 0x10);
    ck_assert_uint_eq(FIND("SYNCS.ARRIVE.TRANS64", "SYNCS.PHASECHK.TRANS64", "BRA 0"),
                      UINT32_MAX);
}
END_TEST

START_TEST(memory_that_others_write)
{
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "CCTL.IVALL", "ISETP.NE.AND", "BRA 0"), 0);
    ck_assert_uint_eq(FIND("LDG.E", "ISETP.NE.AND", "BRA 0"), UINT32_MAX);
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "STG.E", "BRA 0"), UINT32_MAX);
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "BAR.SYNC.DEFER_BLOCKING", "BRA 0"), UINT32_MAX);
}
END_TEST

START_TEST(other_branches)
{
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "BRA 40"), UINT32_MAX);
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "FADD", "BRA 10"), UINT32_MAX);
    ck_assert_uint_eq(FIND("LDG.E.STRONG.GPU", "BRA 8"), UINT32_MAX);
    ck_assert_uint_eq(FIND("BRA 0"), UINT32_MAX);
}
END_TEST

START_TEST(long_loops)
{
    const char *code[WAITS_MOST + 2] = {"LDG.E.STRONG.SYS"};
    for (int i = 1; i <= WAITS_MOST; i++)
        code[i] = "MOV";
    code[WAITS_MOST - 1] = "BRA 0";
    code[WAITS_MOST] = NULL;
    ck_assert_uint_eq(find(code), 0);
    code[WAITS_MOST - 1] = "MOV";
    code[WAITS_MOST] = "BRA 0";
    ck_assert_uint_eq(find(code), UINT32_MAX);
}
END_TEST

static void add(struct scene *scene, const char *function, const char *opcode, uint32_t pc,
                uint64_t imm)
{
    struct error err = {0};
    const struct tracer_inst inst = {.function = function,
                                     .opcode = opcode,
                                     .pc = pc,
                                     .imm = imm,
                                     .binary_version = 90,
                                     .memory = opcode[0] == 'S'};
    ck_assert_uint_ne(tracer_add_inst(scene->tracer, &inst, &err), UINT32_MAX);
}

/* In both formats the list says so before the launch. */
START_TEST(comments_of_the_list)
{
    struct scene scene;
    set(&scene);
    add(&scene, "k", "SYNCS.PHASECHK.TRANS64.TRYWAIT", 48, 0);
    add(&scene, "k", "BRA", 64, 48);
    add(&scene, "other", "MOV", 32, 0);
    add(&scene, "other", "BRA", 80, 64);
    send_good(&scene, 0, 0, scene.fadd, 1);
    struct error err = {0};
    ck_assert_int_eq(tracer_end_launch(scene.tracer, scene.launch, &err), 0);
    finish_scene(&scene);
    char *text = read_text(scene.folder, "kernelslist.g");
    ck_assert_str_eq(text, "# traced: NVBit\n# waits k 0030 0040\nkernel-1.traceg\n");
    free(text);
    remove_folder(scene.folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {barriers_in_memory, memory_that_others_write, other_branches,
                                  long_loops, comments_of_the_list};
    return RUN_TESTS("waits", tests);
}
