/* What is known about a kernel trace. */
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

const struct trace_between *trace_kernel_between(const struct trace_kernel *kernel, uint32_t pc)
{
    return between_find(&kernel->between, pc);
}

const struct trace_function *trace_kernel_function(const struct trace_kernel *kernel)
{
    return kernel->function;
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

void trace_kernel_unknown_opcodes(const struct trace_kernel *kernel,
                                  void (*note)(void *data, const char *opcode, uint64_t count),
                                  void *data)
{
    insts_unknown(&kernel->insts, note, data);
}

const struct trace_launch_maps *trace_kernel_maps(const struct trace_kernel *kernel)
{
    return kernel->maps;
}

int trace_kernel_programmatic(const struct trace_kernel *kernel)
{
    return kernel->programmatic;
}

const uint32_t *trace_kernel_cluster(const struct trace_kernel *kernel)
{
    return kernel->cluster[0] != 0 ? kernel->cluster : NULL;
}
