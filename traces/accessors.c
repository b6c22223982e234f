/* What a kernel trace tells of itself. */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"

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

/* Whether instructions I and J have the same name. */
static bool same_name(const struct trace_kernel *kernel, uint32_t i, uint32_t j)
{
    const char *a = trace_kernel_opcode(kernel, &kernel->insts.items[i]);
    const char *b = trace_kernel_opcode(kernel, &kernel->insts.items[j]);
    size_t n = opcode_name_length(a, strlen(a));
    return n == opcode_name_length(b, strlen(b)) && memcmp(a, b, n) == 0;
}

static bool is_unknown(const struct trace_kernel *kernel, uint32_t i)
{
    return kernel->insts.items[i].flags & TRACE_INST_UNKNOWN;
}

/* Names are few, instructions of a name many: each name's first instruction
 * looks for the others. */
void trace_kernel_unknown_opcodes(const struct trace_kernel *kernel,
                                  void (*note)(void *data, const char *opcode, uint64_t count),
                                  void *data)
{
    const struct insts *insts = &kernel->insts;
    bool *done = calloc(insts->count + 1, sizeof *done);
    for (uint32_t i = 0; done != NULL && i < insts->count; i++) {
        if (done[i] || !is_unknown(kernel, i))
            continue;
        uint64_t count = 0;
        for (uint32_t j = i; j < insts->count; j++) {
            if (!is_unknown(kernel, j) || !same_name(kernel, i, j))
                continue;
            count += insts->counts[j];
            done[j] = true;
        }
        const char *text = trace_kernel_opcode(kernel, &insts->items[i]);
        char *name = strndup(text, opcode_name_length(text, strlen(text)));
        if (name != NULL && count > 0)
            note(data, name, count);
        free(name);
    }
    free(done);
}
