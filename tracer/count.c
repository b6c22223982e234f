/* What instructions count as, where only counts are wanted. */
#include <string.h>

#include "tracer/tracer.h"
#include "traces/traces.h"

static struct trace_inst decode(const struct tracer_inst *inst)
{
    struct trace_inst meaning = {0};
    trace_inst_decode(&meaning, inst->binary_version, inst->opcode, inst->memory);
    return meaning;
}

enum tracer_count_kind tracer_count_kind(const struct tracer_inst *inst, unsigned *width)
{
    static const uint8_t kinds[][TRACE_ACCESS_ATOMIC + 1] = {
        [TRACE_SPACE_GLOBAL] = {[TRACE_ACCESS_LOAD] = TRACER_COUNT_GLD,
                                [TRACE_ACCESS_STORE] = TRACER_COUNT_GST,
                                [TRACE_ACCESS_ATOMIC] = TRACER_COUNT_GATOM},
        [TRACE_SPACE_LOCAL] =
            {[TRACE_ACCESS_LOAD] = TRACER_COUNT_LLD, [TRACE_ACCESS_STORE] = TRACER_COUNT_LST},
        [TRACE_SPACE_SHARED] =
            {[TRACE_ACCESS_LOAD] = TRACER_COUNT_SLD, [TRACE_ACCESS_STORE] = TRACER_COUNT_SST},
        [TRACE_SPACE_GENERIC] = {[TRACE_ACCESS_LOAD] = TRACER_COUNT_LOAD,
                                 [TRACE_ACCESS_STORE] = TRACER_COUNT_STORE,
                                 [TRACE_ACCESS_ATOMIC] = TRACER_COUNT_ATOM},
    };
    struct trace_inst meaning = decode(inst);
    *width = meaning.width;
    if (!inst->memory || meaning.space >= sizeof kinds / sizeof *kinds)
        return TRACER_COUNT_PLAIN;
    return (enum tracer_count_kind)kinds[meaning.space][meaning.access];
}

bool tracer_inst_leaves(const struct tracer_inst *inst)
{
    return (decode(inst).flags & TRACE_INST_EXIT) != 0;
}
