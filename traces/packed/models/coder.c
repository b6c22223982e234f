#include "traces/packed/models/coder.h"

bool flow_is_part(enum flow_stream s)
{
    return s >= FLOW_HEAD_END && s != FLOW_MEMORY_DEF_HITS && s != FLOW_MEMORY_DEF &&
           s != FLOW_CONTROL_DEF_HITS && s != FLOW_CONTROL_DEF && s != FLOW_SEGMENT &&
           s != FLOW_LAYOUT_DEF;
}

void flow_begin_part(struct flow *flow)
{
    for (int s = 0; s < FLOW_STREAMS; s++) {
        if (!flow_is_part(s))
            continue;
        flow->hits[s] = 0;
        flow->loaded[s] = false;
    }
}

void flow_finish(struct flow *flow)
{
    for (int s = 0; s < FLOW_STREAMS; s++)
        bytes_finish(&flow->out[s]);
    *flow = (struct flow){0};
}

bool flow_failed(const struct flow *flow)
{
    for (int s = 0; s < FLOW_STREAMS; s++)
        if (flow->in[s].bad || flow->out[s].failed)
            return true;
    return false;
}
