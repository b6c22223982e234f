/* hearth trace opcodes: how often each opcode occurs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands/trace/trace.h"
#include "traces/base/bytes.h"
#include "traces/base/csv/csv_file.h"
#include "traces/base/text/texts.h"

/* An opcode of the workload. */
struct opcode_count {
    const char *text;
    uint64_t insts;   /* of the code that launches executed, launch by launch */
    uint64_t records; /* warp instructions */
};

struct opcodes {
    bool csv;
    struct opcode_count *items;
    size_t count;
    struct texts texts;
    uint64_t *records; /* of the launch that is read: by instruction of its table */
    uint32_t room;     /* of `records` */
};

static const struct cli_option table[] = {
    {0, "csv", NULL, "CSV instead of the table", CLI_FLAG, CLI_AT(struct opcodes, csv)},
};

static const struct cli_command command = {
    "hearth trace opcodes",
    "WORKLOAD [OPTION]...",
    "Prints how many warp instructions of a workload have each opcode, the most frequent\n"
    "ones first, and their share in percent. All traces are read.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

/* ---- a launch ---- */

/* Makes room for COUNT instructions. Returns false without memory. */
static bool reserve(struct opcodes *opcodes, uint32_t count)
{
    if (count <= opcodes->room)
        return true;
    uint32_t room = 2 * count;
    uint64_t *records = realloc(opcodes->records, room * sizeof *records);
    if (records == NULL)
        return false;
    memset(records + opcodes->room, 0, (room - opcodes->room) * sizeof *records);
    opcodes->records = records;
    opcodes->room = room;
    return true;
}

static int count_warp(struct opcodes *opcodes, struct trace_warp *warp, struct error *err)
{
    int rc = 1;
    while (rc == 1) {
        for (const struct trace_record *r = warp->at; r < warp->end; r++)
            opcodes->records[r->inst]++;
        warp->at = warp->end;
        rc = trace_warp_fill(warp, err);
    }
    return rc;
}

static int count_records(struct opcodes *opcodes, struct trace_kernel *kernel,
                         struct error *err)
{
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        uint32_t count;
        trace_kernel_insts(kernel, &count);
        if (!reserve(opcodes, count))
            rc = error_no_memory(err);
        for (uint32_t w = 0; w < block->warp_count && rc >= 0; w++)
            rc = count_warp(opcodes, &block->warps[w], err);
        trace_block_release(block);
        if (rc < 0)
            return -1;
    }
    return rc;
}

/* ---- all ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct opcode_count *)a)->text,
                  ((const struct opcode_count *)b)->text);
}

/* Items are sorted by their texts. NULL without memory. */
static struct opcode_count *find(struct opcodes *opcodes, const char *text)
{
    struct opcode_count key = {.text = text}, *found = NULL;
    if (opcodes->count > 0)
        found = bsearch(&key, opcodes->items, opcodes->count, sizeof *opcodes->items, by_text);
    if (found != NULL)
        return found;
    if (!array_room(&opcodes->items, opcodes->count, sizeof *opcodes->items) ||
        (key.text = texts_keep(&opcodes->texts, text, strlen(text))) == NULL)
        return NULL;
    size_t at = opcodes->count++;
    for (; at > 0 && strcmp(opcodes->items[at - 1].text, text) > 0; at--)
        opcodes->items[at] = opcodes->items[at - 1];
    opcodes->items[at] = key;
    return &opcodes->items[at];
}

/* Adds what was counted in the launch, and forgets it. */
static int add_launch(struct opcodes *opcodes, const struct trace_kernel *kernel,
                      struct error *err)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    for (uint32_t i = 0; i < count && i < opcodes->room; i++) {
        if (opcodes->records[i] == 0)
            continue;
        struct opcode_count *item = find(opcodes, trace_kernel_opcode(kernel, &insts[i]));
        if (item == NULL)
            return error_no_memory(err);
        item->insts++;
        item->records += opcodes->records[i];
        opcodes->records[i] = 0;
    }
    return 0;
}

static int count_workload(struct opcodes *opcodes, const struct trace_workload *workload,
                          struct error *err)
{
    int rc = 0;
    for (size_t i = 0; i < workload->count && rc == 0; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[i].text, NULL, err);
        rc = kernel != NULL ? count_records(opcodes, kernel, err) : -1;
        if (rc == 0)
            rc = add_launch(opcodes, kernel, err);
        trace_kernel_close(kernel);
    }
    return rc;
}

static int most_first(const void *a, const void *b)
{
    const struct opcode_count *x = a, *y = b;
    if (x->records != y->records)
        return x->records > y->records ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void print(const struct opcodes *opcodes)
{
    uint64_t all = 0;
    for (size_t i = 0; i < opcodes->count; i++)
        all += opcodes->items[i].records;
    if (opcodes->csv)
        puts("opcode,warp_insts,insts");
    else
        printf("%-32s %14s %10s %10s\n", "opcode", "warp insts", "share %", "insts");
    for (size_t i = 0; i < opcodes->count; i++) {
        const struct opcode_count *item = &opcodes->items[i];
        if (opcodes->csv) {
            csv_file_write_field(stdout, item->text);
            printf(",%" PRIu64 ",%" PRIu64 "\n", item->records, item->insts);
        } else
            printf("%-32s %14" PRIu64 " %10.3f %10" PRIu64 "\n", item->text, item->records,
                   100 * (double)item->records / (double)all, item->insts);
    }
}

static int show(void *data, char **operands, struct error *err)
{
    struct opcodes *opcodes = data;
    struct trace_workload *workload = trace_workload_open(operands[0], err);
    int rc = workload != NULL ? count_workload(opcodes, workload, err) : -1;
    if (rc == 0) {
        if (opcodes->count > 0)
            qsort(opcodes->items, opcodes->count, sizeof *opcodes->items, most_first);
        print(opcodes);
    }
    trace_workload_destroy(workload);
    texts_finish(&opcodes->texts);
    free(opcodes->items);
    free(opcodes->records);
    return rc;
}

int trace_opcodes(int argc, char **argv, struct error *err)
{
    struct opcodes opcodes = {0};
    return cli_run(&command, argc, argv, &opcodes, show, err);
}
