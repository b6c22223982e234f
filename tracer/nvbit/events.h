// Driver calls, as far as they matter here.
#ifndef HEARTH_TRACER_EVENTS_H
#define HEARTH_TRACER_EVENTS_H

#include "tracer/nvbit/compat.h"

struct Event {
    enum Kind {
        OTHER,
        LAUNCH,        // func, dimensions, shared, stream
        GRAPH_NODE,    // func: a kernel is put into a graph by hand
        GRAPH_LAUNCH,  // exec, stream
        GRAPH_MADE,    // exec, graph, at its exit: also of an exec that is updated
        GRAPH_COPY,    // exec, node, params: CUDA_MEMCPY3D, that it copies from now on
        GRAPH_SET,     // exec, node, params: CUDA_MEMSET_NODE_PARAMS, likewise
        CAPTURE_BEGIN, // at its exit: launches into a stream become a graph
        CAPTURE_END,   // at its exit
        COPY,    // address, bytes, to_host; all copies and memsets at their exit, with stream
        COPY_ON, // address, source, bytes, and types of to, from: between any of host and
                 // device
        ROWS,    // row, rows, planes, bytes in all, to, from: a copy that is not in one piece
        BATCH,   // batch: several copies
        SET,     // address, bytes; with more than one of `rows` also row, to.pitch
        UNKNOWN_COPY,  // one whose addresses the tool does not get
        MANAGED,       // address, bytes, at its exit: the host may access them, too
        TENSOR_TILED,  // params of cuTensorMapEncodeTiled
        TENSOR_IM2COL, // params of cuTensorMapEncodeIm2col
        UNLOAD,        // module, at its entry: its functions go
        PROFILER_START,
        PROFILER_STOP,
        UNKNOWN_LAUNCH, // one that the tool cannot trace
    } kind;
    CUfunction func;
    unsigned grid[3], block[3], shared; // bytes of dynamic shared memory
    CUstream stream;
    uint32_t cluster[3]; // blocks; 0: none is asked for
    bool cooperative;
    int carveout;     // per cent; -1: none is asked for
    int programmatic; // 1: may begin before the end of the one before; 0: not; -1: nothing is
                      // said of that
    void *const *parameters; // of the kernel; nullptr: not known, or all are in `buffer`
    const void *buffer;      // the parameters as the kernel gets them; nullptr: not known
    size_t buffer_size;      // bytes
#if HAS_LAUNCH_EX
    bool has_window; // accesses to `window` are kept in L2 in another way
    CUaccessPolicyWindow window;
#endif
    uint64_t address, source, bytes; // on the device
    bool to_host;
    uint64_t row, rows, planes; // bytes of a row, rows of a plane, planes
    struct End {
        CUmemorytype type;
        uint64_t address, pitch, plane; // bytes from row to row, and from plane to plane
    } to, from;
    struct {
        const CUdeviceptr *to, *from;
        const size_t *bytes;
        size_t count;
    } batch;
    const void *params; // of the call
    CUgraphExec exec;
    CUgraph graph;
    CUgraphNode node;
    CUmodule module;
};

// What the call CBID with PARAMS is.
Event event_of(nvbit_api_cuda_t cbid, void *params, bool is_exit);

#endif
