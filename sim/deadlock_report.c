#include "sim/deadlock_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_WARPS 64

static const char *reason(const struct sm *sm, uint32_t number)
{
    uint64_t bit = 1ull << number;
    const struct sm_warp *warp = &sm->warps[number];
    if (sm->ended & bit)
        return warp->stores ? "its stores to be acknowledged" : "its last instructions";
    if (sm->waiting_barrier & bit)
        return "the other warps at the barrier";
    if (sm->waiting_membar & bit)
        return "its loads at a memory barrier";
    if (sm->waiting_atomic & bit)
        return "its atomics";
    if (sm->waiting_copy & bit)
        return "its asynchronous copies";
    if (sm->hazard & bit)
        return "a register";
    if (sm->awaiting_code & bit)
        return "the instruction cache";
    return sm->buffered & bit ? "a free unit" : "its next instructions";
}

static void report_warp(FILE *out, const struct sm *sm, uint32_t number, uint64_t now)
{
    const struct sm_warp *warp = &sm->warps[number];
    const struct trace_kernel *kernel = warp->launch->kernel;
    const uint32_t *block = sm->blocks[warp->block].trace->index;
    fprintf(
        out,
        "SM %u warp %u (block %u,%u,%u warp %u) waits for %s since cycle %llu (%llu cycles)",
        sm->number, number, block[0], block[1], block[2], warp->trace->index,
        reason(sm, number), (unsigned long long)warp->waits_since,
        (unsigned long long)(now - warp->waits_since));
    if (warp->at < warp->buffered) {
        uint32_t count;
        const struct trace_inst *inst =
            &trace_kernel_insts(kernel, &count)[warp->buffer[warp->at].inst];
        fprintf(out, "; next: %04x %s", inst->pc, trace_kernel_opcode(kernel, inst));
    }
    fputc('\n', out);
}

char *deadlock_report(const struct engine *engine, uint64_t now)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    uint32_t warps = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        const struct sm *sm = engine->sms[s];
        for (uint32_t w = 0; w < engine->spec.sm.warps; w++) {
            if (sm->warps[w].trace == NULL)
                continue;
            if (++warps <= REPORT_WARPS)
                report_warp(out, sm, w, now);
        }
    }
    if (warps > REPORT_WARPS)
        fprintf(out, "... and %u warps more\n", warps - REPORT_WARPS);
    fclose(out);
    return text;
}
