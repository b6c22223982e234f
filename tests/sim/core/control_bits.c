/* Checks the table of distances of the core model `modern` (scoreboard.c), which stands in for
 * control bits in traces without machine code, against code: between an instruction of a fixed
 * time and one that reads its result, the stalls of a compiler add up to at least what the
 * table says. The time is added up over instructions that follow each other in the code, the
 * branches left out.
 *
 * usage: control_bits WORKLOAD ...
 *   WORKLOAD  with its machine code
 * Prints each pair that is nearer, and how many pairs there were; exits with 1 if one is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/core/modern/core.h"
#include "sim/core/modern/scoreboard.h"

struct check {
    struct sim_config *config;
    const struct trace_kernel *kernel;
    struct scoreboard_warp board;
    uint64_t now;                          /* of the next instruction */
    const struct trace_inst *writers[256]; /* of each register, since `board` began */
    uint64_t pairs, near;
};

static void report(const struct check *check, const struct inst *inst,
                   const struct trace_inst *from, uint64_t allowed)
{
    printf("%s at %#x: %s %u cycles too near, after", trace_kernel_header(check->kernel)->name,
           from->pc, trace_kernel_opcode(check->kernel, from),
           (unsigned)(allowed - check->now));
    for (uint32_t i = 0; i < inst->read_count; i++) {
        const struct scoreboard_write *write = &check->board.writes[inst->reads[i]];
        if (write->issued != 0)
            printf(" %s by %u",
                   trace_kernel_opcode(check->kernel, check->writers[inst->reads[i]]),
                   (unsigned)(check->now - write->issued));
    }
    putchar('\n');
}

/* Whether INST reads what an instruction of a fixed time has written. */
static bool depends(const struct check *check, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->read_count; i++)
        if (check->board.writes[inst->reads[i]].issued != 0)
            return true;
    return false;
}

static void step(struct check *check, const struct inst *inst, const struct trace_inst *from)
{
    struct inst reader = *inst; /* registers that it reads: predicates are not known here */
    reader.issue.predicate = 0;
    reader.reg_count = 0;
    for (uint32_t i = 0; i < inst->read_count && i < INST_MAX_REGS; i++)
        if (inst->reads[i] != TRACE_REG_ZERO)
            reader.regs[reader.reg_count++] = inst->reads[i];
    if (depends(check, inst)) {
        uint64_t allowed = scoreboard_allows(&check->board, &reader, UINT32_MAX);
        check->pairs++;
        check->near += allowed > check->now;
        if (allowed > check->now)
            report(check, inst, from, allowed);
    }
    reader.issue.kind = inst->issue.kind;
    scoreboard_issue(&check->board, &reader, UINT32_MAX, check->now, 0);
    check->board.uniform = 0;             /* nor are uniform registers */
    check->board.last = 0;                /* the table by itself, without WIDE_TO_NEXT */
    if (inst->issue.kind != KIND_FIXED) { /* a counter protects its result */
        scoreboard_read(&check->board, &reader);
        scoreboard_written(&check->board, &reader);
    }
    for (uint32_t i = 0; i < inst->dst_count; i++)
        check->writers[inst->dst[i]] = from;
    check->now += inst->issue.stall;
}

static void begin(struct check *check)
{
    scoreboard_begin(&check->board);
    check->now = 1000;
}

struct place {
    uint32_t pc, number;
};

static int compare(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return one->pc < other->pc ? -1 : one->pc > other->pc;
}

/* All instructions of the launch, in the order of the code. */
static bool walk(struct check *check, const struct inst_table *table)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(check->kernel, &count);
    struct place *places = malloc((count + 1) * sizeof *places);
    if (places == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        places[i] = (struct place){insts[i].pc, i};
    qsort(places, count, sizeof *places, compare);
    begin(check);
    for (uint32_t i = 0; i < count; i++) {
        const struct inst *inst = inst_table_get(table, places[i].number);
        bool follows = i != 0 && places[i].pc == places[i - 1].pc + TRACE_CODE_BYTES;
        if (!follows)
            begin(check);
        if (inst->issue.has_code)
            step(check, inst, &insts[places[i].number]);
        if (!inst->issue.has_code || inst->issue.unit == UNIT_BRANCH)
            begin(check);
    }
    free(places);
    return true;
}

static int check_kernel(struct check *check, struct trace_kernel *kernel, struct error *err)
{
    struct inst_table table = {0};
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1)
        trace_block_release(block);
    check->kernel = kernel;
    if (rc == 0 && (!inst_table_update(&table, kernel, check->config) || !walk(check, &table)))
        rc = error_no_memory(err);
    inst_table_finish(&table);
    return rc;
}

static int check_workload(struct check *check, const char *path, struct error *err)
{
    struct trace_workload *workload = trace_workload_open(path, err);
    int rc = workload != NULL ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        const struct trace_kernel_options options = {.code = true, .workload = workload};
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[i].text, &options, err);
        rc = kernel != NULL ? check_kernel(check, kernel, err) : -1;
        trace_kernel_close(kernel);
    }
    trace_workload_destroy(workload);
    return rc;
}

int main(int argc, char **argv)
{
    const char *card = "h100";
    struct error err = {0};
    struct check check = {.config = sim_config_create(&card, 1, NULL, 0, NULL, NULL, &err)};
    int rc = check.config != NULL ? 0 : -1;
    for (int i = 1; i < argc && rc == 0; i++)
        rc = check_workload(&check, argv[i], &err);
    sim_config_destroy(check.config);
    if (rc != 0) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    printf("%lu dependent instructions, %lu nearer than the table\n",
           (unsigned long)check.pairs, (unsigned long)check.near);
    return check.near != 0;
}
