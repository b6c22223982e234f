#include "sampling/intra/photon/code.h"

#include <stdlib.h>

bool photon_code_learn(struct photon_code *code, const struct trace_kernel *kernel)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    code->bytes = trace_inst_bytes(trace_kernel_header(kernel)->binary_version);
    if (count == code->count)
        return true;
    struct trace_inst *copies = realloc(code->insts, count * sizeof *copies);
    if (copies != NULL)
        code->insts = copies;
    bool *ends = realloc(code->ends, count * sizeof *ends);
    if (ends != NULL)
        code->ends = ends;
    if (copies == NULL || ends == NULL)
        return false;
    for (; code->count < count; code->count++) {
        const struct trace_inst *inst = &insts[code->count];
        copies[code->count] = *inst;
        ends[code->count] =
            trace_inst_ends_basic_block(inst, trace_kernel_opcode(kernel, inst));
    }
    return true;
}

void photon_code_finish(struct photon_code *code)
{
    free(code->insts);
    free(code->ends);
    *code = (struct photon_code){0};
}

void photon_code_walk(const struct photon_code *code, struct photon_run *run,
                      const struct trace_record *at, const struct trace_record *end,
                      photon_visit *visit, void *data)
{
    for (; at < end; at++) {
        uint32_t pc = code->insts[at->inst].pc;
        if (run->insts > 0 && !trace_inst_follows(code->bytes, run->last, pc))
            photon_code_end(run, visit, data);
        if (run->insts++ == 0) {
            run->pc = pc;
            run->first = at;
        }
        run->last = pc;
        if (code->ends[at->inst])
            photon_code_end(run, visit, data);
    }
}

void photon_code_end(struct photon_run *run, photon_visit *visit, void *data)
{
    if (run->insts > 0)
        visit(data, run);
    run->insts = 0;
}
