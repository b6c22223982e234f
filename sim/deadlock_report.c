#include "sim/deadlock_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/draft.h"

#define REPORT_WARPS 64

static void report_warp(FILE *out, const struct sm *sm, uint32_t number,
                        const struct core_warp *warp, uint64_t now)
{
    const struct trace_kernel *kernel = warp->block->launch->kernel;
    const uint32_t *block = warp->block->trace->index;
    fprintf(
        out,
        "SM %u warp %u (block %u,%u,%u warp %u) waits for %s since cycle %llu (%llu cycles)",
        sm->number, number, block[0], block[1], block[2], warp->trace->index, warp->waits_for,
        (unsigned long long)warp->since, (unsigned long long)(now - warp->since));
    if (warp->has_next) {
        uint32_t count;
        const struct trace_inst *inst = &trace_kernel_insts(kernel, &count)[warp->next_inst];
        fprintf(out, "; next: %04x %s", inst->pc, trace_kernel_opcode(kernel, inst));
    }
    fputc('\n', out);
}

char *deadlock_report(const struct engine *engine, uint64_t now)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return NULL;
    uint32_t warps = 0;
    for (uint32_t s = 0; s < engine->spec.sms; s++) {
        const struct sm *sm = engine->sms[s];
        if (sm_storing(sm))
            fprintf(draft.out, "SM %u waits for stores to be acknowledged\n", sm->number);
        for (uint32_t w = 0; w < engine->spec.sm.warps; w++) {
            struct core_warp warp;
            if (sm->model->warp == NULL || !sm->model->warp(sm, w, &warp))
                continue;
            if (++warps <= REPORT_WARPS)
                report_warp(draft.out, sm, w, &warp, now);
        }
    }
    if (warps > REPORT_WARPS)
        fprintf(draft.out, "... and %u warps more\n", warps - REPORT_WARPS);
    draft_end(&draft);
    return draft.text;
}
