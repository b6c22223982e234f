#include "traces/packed/models/coder.h"

bool coder_is_part(enum coder_stream s)
{
    return s >= CODER_HEAD_END && s != CODER_MEMORY_DEF_HITS && s != CODER_MEMORY_DEF &&
           s != CODER_CONTROL_DEF_HITS && s != CODER_CONTROL_DEF && s != CODER_SEGMENT &&
           s != CODER_LAYOUT_DEF;
}

void coder_begin_part(struct coder *flow)
{
    for (int s = 0; s < CODER_STREAMS; s++) {
        if (!coder_is_part(s))
            continue;
        flow->hits[s] = 0;
        flow->loaded[s] = false;
    }
}

void coder_finish(struct coder *flow)
{
    for (int s = 0; s < CODER_STREAMS; s++)
        bytes_finish(&flow->out[s]);
    *flow = (struct coder){0};
}

bool coder_failed(const struct coder *flow)
{
    for (int s = 0; s < CODER_STREAMS; s++)
        if (flow->in[s].bad || flow->out[s].failed)
            return true;
    return false;
}
