// Driver calls that copy or set memory.
#ifndef HEARTH_TRACER_COPIES_H
#define HEARTH_TRACER_COPIES_H

#include <string>

#include "tracer/nvbit/events.h"

// What the call CBID with PARAMS is, when it has ended: COPY, COPY_ON, ROWS, BATCH, SET,
// UNKNOWN_COPY or OTHER.
Event copy_event_of(nvbit_api_cuda_t cbid, void *params);

// What a node of a graph does: COPY_ON, ROWS, SET or OTHER.
Event copy_event_of(const CUDA_MEMCPY3D &copy);
Event set_event_of(const CUDA_MEMSET_NODE_PARAMS &set);

// A COPY_ON of which one end is the host's becomes a COPY, or OTHER if both are; all else stays
// as it is. Asks the driver where unified addresses are. IN_GRAPH: the copy belongs to a graph.
Event find_direction(const Event &event, bool in_graph);

// A COPY_ON, ROWS or SET as a comment of the list.
std::string describe_copy(const Event &event);

// The I-th copy of a BATCH.
Event copy_of_batch(const Event &event, size_t i);

#endif
