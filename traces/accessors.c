/* What a kernel trace tells of itself. */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/opcodes/opcode.h"

const struct trace_header *trace_kernel_header(const struct trace_kernel *kernel)
{
    return &kernel->header;
}

const struct trace_inst *trace_kernel_insts(const struct trace_kernel *kernel, uint32_t *count)
{
    *count = kernel->insts.count;
    return kernel->insts.items;
}

const char *trace_kernel_opcode(const struct trace_kernel *kernel,
                                const struct trace_inst *inst)
{
    return kernel->insts.pool + inst->opcode;
}

const char *trace_kernel_note(const struct trace_kernel *kernel)
{
    return kernel->note;
}

void trace_inst_decode(struct trace_inst *inst, uint32_t binary_version, const char *text,
                       bool memory_operand)
{
    bool exact;
    opcode_decode(opcode_table_for(binary_version, &exact), text, strlen(text), memory_operand,
                  inst);
}

bool trace_inst_in_memory_view(const struct trace_inst *inst)
{
    return kernel_keeps(inst);
}

/* The first token of an instruction's opcode. */
static size_t name_length(const char *opcode)
{
    return opcode_name_length(opcode, strlen(opcode));
}

/* Orders instructions, given by their numbers, by name. */
static int compare_names(const void *a, const void *b, void *data)
{
    const struct trace_kernel *kernel = data;
    const struct trace_inst *items = kernel->insts.items;
    const char *x = trace_kernel_opcode(kernel, &items[*(const uint32_t *)a]);
    const char *y = trace_kernel_opcode(kernel, &items[*(const uint32_t *)b]);
    size_t m = name_length(x), n = name_length(y);
    int order = memcmp(x, y, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

/* The numbers of the instructions with TRACE_INST_UNKNOWN, sorted by name. */
static uint32_t *find_unknown(const struct trace_kernel *kernel, uint32_t *count)
{
    const struct insts *insts = &kernel->insts;
    uint32_t *found = malloc(((size_t)insts->count + 1) * sizeof *found);
    *count = 0;
    for (uint32_t i = 0; found != NULL && i < insts->count; i++)
        if (insts->items[i].flags & TRACE_INST_UNKNOWN)
            found[(*count)++] = i;
    if (found != NULL)
        qsort_r(found, *count, sizeof *found, compare_names, (void *)kernel);
    return found;
}

void trace_kernel_unknown_opcodes(const struct trace_kernel *kernel,
                                  void (*note)(void *data, const char *opcode, uint64_t count),
                                  void *data)
{
    const struct insts *insts = &kernel->insts;
    uint32_t count, end;
    uint32_t *found = find_unknown(kernel, &count);
    for (uint32_t i = 0; found != NULL && i < count; i = end) {
        uint64_t records = 0;
        for (end = i; end < count; end++) {
            if (compare_names(&found[i], &found[end], (void *)kernel) != 0)
                break;
            records += insts->counts[found[end]];
        }
        const char *opcode = trace_kernel_opcode(kernel, &insts->items[found[i]]);
        char *name = strndup(opcode, name_length(opcode));
        if (name != NULL && records > 0)
            note(data, name, records);
        free(name);
    }
    free(found);
}
