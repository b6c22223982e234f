#include "sampling/intra/photon/interval.h"

#include <string.h>

#define REGISTERS 256

double photon_latency(const struct photon_latencies *latencies, const struct sim_places *places,
                      const struct trace_inst *inst)
{
    uint8_t type = trace_inst_type(inst);
    uint64_t count = latencies->types[type].count;
    if (count > 0)
        return (double)latencies->types[type].cycles / (double)count;
    return inst->access == TRACE_ACCESS_LOAD || inst->access == TRACE_ACCESS_ATOMIC
               ? places->l1_cycles
               : places->alu_cycles;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* When the registers of INST, which could issue at cycle AT, are there. */
static double registers_there(const struct trace_inst *inst, const double *ready, double at)
{
    for (uint8_t i = 0; i < inst->src_count; i++)
        at = later(at, inst->src[i] != TRACE_REG_ZERO ? ready[inst->src[i]] : 0);
    for (uint8_t i = 0; i < inst->dst_count; i++)
        at = later(at, inst->dst[i] != TRACE_REG_ZERO ? ready[inst->dst[i]] : 0);
    return at;
}

double photon_interval(const struct photon_latencies *latencies,
                       const struct sim_places *places, const struct photon_code *code,
                       const struct photon_run *run)
{
    double ready[REGISTERS], at = 0, last = 0;
    memset(ready, 0, sizeof ready);
    const struct trace_inst *inst = &code->insts[run->first->inst];
    for (uint32_t i = 0; i < run->insts; i++) {
        inst = &code->insts[run->first[i].inst];
        at = registers_there(inst, ready, at);
        double result = at + photon_latency(latencies, places, inst);
        for (uint8_t d = 0; d < inst->dst_count; d++)
            ready[inst->dst[d]] = result;
        if (!(inst->flags & TRACE_INST_EXIT))
            last = later(last, result);
        at++;
    }
    return inst->flags & TRACE_INST_EXIT ? later(at, last) : at;
}
