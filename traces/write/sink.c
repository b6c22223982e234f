#include "traces/sink.h"

void trace_sink_destroy(struct trace_sink *sink)
{
    if (sink != NULL)
        sink->ops->destroy(sink);
}
