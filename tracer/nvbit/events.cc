#include "tracer/nvbit/copies.h"

namespace
{

// Parameters that a launch has in a buffer: names and values in turns.
void add_extra(Event &event, void *const *extra)
{
    const size_t most = 32764; // of the parameters of a kernel; what has more is refused
    const void *buffer = nullptr;
    size_t size = 0;
    for (; extra != nullptr && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1] != nullptr)
            size = *static_cast<const size_t *>(extra[1]);
        else
            return;
    }
    if (buffer != nullptr && size <= most) {
        event.buffer = buffer;
        event.buffer_size = size;
    }
}

// Launches that have their dimensions as arguments.
template <typename Params> Event launch_of(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = {};
    event.kind = Event::LAUNCH;
    event.func = p->f;
    event.grid[0] = p->gridDimX;
    event.grid[1] = p->gridDimY;
    event.grid[2] = p->gridDimZ;
    event.block[0] = p->blockDimX;
    event.block[1] = p->blockDimY;
    event.block[2] = p->blockDimZ;
    event.shared = p->sharedMemBytes;
    event.stream = p->hStream;
    event.carveout = -1;
    event.programmatic = -1;
    event.parameters = p->kernelParams;
    return event;
}

Event plain_launch_of(void *params)
{
    Event event = launch_of<cuLaunchKernel_params>(params);
    add_extra(event, static_cast<cuLaunchKernel_params *>(params)->extra);
    return event;
}

Event cooperative_of(void *params)
{
    Event event = launch_of<cuLaunchCooperativeKernel_params>(params);
    event.cooperative = true;
    return event;
}

#if HAS_LAUNCH_EX
void add_attribute(Event &event, const CUlaunchAttribute &attribute)
{
    switch (attribute.id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        event.cooperative = attribute.value.cooperative != 0;
        break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        event.cluster[0] = attribute.value.clusterDim.x;
        event.cluster[1] = attribute.value.clusterDim.y;
        event.cluster[2] = attribute.value.clusterDim.z;
        break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        event.programmatic = attribute.value.programmaticStreamSerializationAllowed != 0;
        break;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        event.has_window = true;
        event.window = attribute.value.accessPolicyWindow;
        break;
#if HAS_CARVEOUT
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        event.carveout = static_cast<int>(attribute.value.sharedMemCarveout);
        break;
#endif
    default:
        break;
    }
}
Event launch_ex_of(void *params)
{
    const cuLaunchKernelEx_params *p = static_cast<cuLaunchKernelEx_params *>(params);
    Event event = {};
    event.kind = Event::LAUNCH;
    event.func = p->f;
    event.grid[0] = p->config->gridDimX;
    event.grid[1] = p->config->gridDimY;
    event.grid[2] = p->config->gridDimZ;
    event.block[0] = p->config->blockDimX;
    event.block[1] = p->config->blockDimY;
    event.block[2] = p->config->blockDimZ;
    event.shared = p->config->sharedMemBytes;
    event.stream = p->config->hStream;
    event.carveout = -1;
    event.programmatic = -1;
    event.parameters = p->kernelParams;
    add_extra(event, p->extra);
    for (unsigned i = 0; i < p->config->numAttrs; i++)
        add_attribute(event, p->config->attrs[i]);
    return event;
}
#endif

Event of_kind(Event::Kind kind)
{
    Event event = {};
    event.kind = kind;
    return event;
}

// The kernel of a graph's node: older forms have a function, newer ones may have a
// kernel in its place.
template <typename Node> Event node_with(const Node &node)
{
    Event event = of_kind(Event::GRAPH_NODE);
    event.func = node.func;
    return event;
}

#if HAS_KERNELS
template <typename Node> Event node_with_kernel(const Node &node)
{
    Event event = node_with(node);
    if (event.func == nullptr)
        event.func = reinterpret_cast<CUfunction>(node.kern);
    return event;
}
#endif

template <typename Params> Event node_of(void *params)
{
    return node_with(*static_cast<Params *>(params)->nodeParams);
}

#if HAS_NODE_V2
template <typename Params> Event node_v2_of(void *params)
{
    return node_with_kernel(*static_cast<Params *>(params)->nodeParams);
}
#endif

#if HAS_ADD_NODE
template <typename Params> Event any_node_of(void *params)
{
    const CUgraphNodeParams *node = static_cast<Params *>(params)->nodeParams;
    return node->type == CU_GRAPH_NODE_TYPE_KERNEL ? node_with_kernel(node->kernel)
                                                   : of_kind(Event::OTHER);
}
#endif

// Where it is, is known when it is allocated.
Event managed_of(void *params, bool is_exit)
{
    const cuMemAllocManaged_params *p = static_cast<cuMemAllocManaged_params *>(params);
    Event event = of_kind(is_exit ? Event::MANAGED : Event::OTHER);
    if (is_exit && p->dptr != nullptr)
        event.address = *p->dptr;
    event.bytes = p->bytesize;
    return event;
}

Event with_params(Event::Kind kind, void *params)
{
    Event event = of_kind(kind);
    event.params = params;
    return event;
}

Event unload_of(void *params)
{
    Event event = of_kind(Event::UNLOAD);
    event.module = static_cast<cuModuleUnload_params *>(params)->hmod;
    return event;
}

#if HAS_KERNELS
// Of the current context.
Event library_unload_of(void *params, bool is_exit)
{
    Event event = of_kind(Event::UNLOAD);
    CUlibrary library = static_cast<cuLibraryUnload_params *>(params)->library;
    if (is_exit || cuLibraryGetModule(&event.module, library) != CUDA_SUCCESS)
        event.module = nullptr;
    return event;
}
#endif

Event graph_launch_of(void *params)
{
    Event event = {};
    event.kind = Event::GRAPH_LAUNCH;
    const cuGraphLaunch_params *p = static_cast<cuGraphLaunch_params *>(params);
    event.exec = p->hGraph;
    event.stream = p->hStream;
    return event;
}

template <typename Params> Event made_of(void *params, bool is_exit)
{
    const Params *p = static_cast<Params *>(params);
    Event event =
        of_kind(is_exit && p->phGraphExec != nullptr ? Event::GRAPH_MADE : Event::OTHER);
    if (event.kind == Event::GRAPH_MADE)
        event.exec = *p->phGraphExec;
    event.graph = p->hGraph;
    return event;
}

template <typename Params> Event updated_of(void *params, bool is_exit)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(is_exit ? Event::GRAPH_MADE : Event::OTHER);
    event.exec = p->hGraphExec;
    event.graph = p->hGraph;
    return event;
}

template <typename Params> Event changed_of(Event::Kind kind, void *params, const void *what)
{
    const Params *p = static_cast<Params *>(params);
    Event event = of_kind(kind);
    event.exec = p->hGraphExec;
    event.node = p->hNode;
    event.params = what;
    return event;
}

// Graphs become executable, or are changed then.
Event exec_event_of(nvbit_api_cuda_t cbid, void *params, bool is_exit)
{
    switch (cbid) {
    case API_CUDA_cuGraphInstantiate:
    case API_CUDA_cuGraphInstantiate_v2:
        return made_of<cuGraphInstantiate_v2_params>(params, is_exit);
#if HAS_GRAPH_FLAGS
    case API_CUDA_cuGraphInstantiateWithFlags:
        return made_of<cuGraphInstantiateWithFlags_params>(params, is_exit);
#endif
#if HAS_NODE_V2
    case API_CUDA_cuGraphInstantiateWithParams:
    case API_CUDA_cuGraphInstantiateWithParams_ptsz:
        return made_of<cuGraphInstantiateWithParams_params>(params, is_exit);
    case API_CUDA_cuGraphExecUpdate_v2:
        return updated_of<cuGraphExecUpdate_v2_params>(params, is_exit);
#endif
    case API_CUDA_cuGraphExecUpdate:
        return updated_of<cuGraphExecUpdate_params>(params, is_exit);
    case API_CUDA_cuGraphExecMemcpyNodeSetParams:
        return changed_of<cuGraphExecMemcpyNodeSetParams_params>(
            is_exit ? Event::GRAPH_COPY : Event::OTHER, params,
            static_cast<cuGraphExecMemcpyNodeSetParams_params *>(params)->copyParams);
    case API_CUDA_cuGraphExecMemsetNodeSetParams:
        return changed_of<cuGraphExecMemsetNodeSetParams_params>(
            is_exit ? Event::GRAPH_SET : Event::OTHER, params,
            static_cast<cuGraphExecMemsetNodeSetParams_params *>(params)->memsetParams);
    default:
        return is_exit ? copy_event_of(cbid, params) : of_kind(Event::OTHER);
    }
}

// The beginning and the end of a capture, and what is refused.
Event capture_event_of(nvbit_api_cuda_t cbid, void *params, bool is_exit)
{
    switch (cbid) {
    case API_CUDA_cuStreamBeginCapture:
    case API_CUDA_cuStreamBeginCapture_ptsz:
    case API_CUDA_cuStreamBeginCapture_v2:
    case API_CUDA_cuStreamBeginCapture_v2_ptsz:
#if HAS_CAPTURE_TO_GRAPH
    case API_CUDA_cuStreamBeginCaptureToGraph:
    case API_CUDA_cuStreamBeginCaptureToGraph_ptsz:
#endif
        return of_kind(is_exit ? Event::CAPTURE_BEGIN : Event::OTHER);
    case API_CUDA_cuStreamEndCapture:
    case API_CUDA_cuStreamEndCapture_ptsz:
        return of_kind(is_exit ? Event::CAPTURE_END : Event::OTHER);
    case API_CUDA_cuLaunch:
    case API_CUDA_cuLaunchGrid:
    case API_CUDA_cuLaunchGridAsync:
    case API_CUDA_cuLaunchCooperativeKernelMultiDevice:
        return of_kind(Event::UNKNOWN_LAUNCH);
    default:
        return exec_event_of(cbid, params, is_exit);
    }
}

} // namespace

Event event_of(nvbit_api_cuda_t cbid, void *params, bool is_exit)
{
    switch (cbid) {
    case API_CUDA_cuLaunchKernel:
    case API_CUDA_cuLaunchKernel_ptsz:
        return plain_launch_of(params);
    case API_CUDA_cuLaunchCooperativeKernel:
    case API_CUDA_cuLaunchCooperativeKernel_ptsz:
        return cooperative_of(params);
#if HAS_LAUNCH_EX
    case API_CUDA_cuLaunchKernelEx:
    case API_CUDA_cuLaunchKernelEx_ptsz:
        return launch_ex_of(params);
#endif
    case API_CUDA_cuGraphAddKernelNode:
        return node_of<cuGraphAddKernelNode_params>(params);
    case API_CUDA_cuGraphKernelNodeSetParams:
        return node_of<cuGraphKernelNodeSetParams_params>(params);
    case API_CUDA_cuGraphExecKernelNodeSetParams:
        return node_of<cuGraphExecKernelNodeSetParams_params>(params);
#if HAS_NODE_V2
    case API_CUDA_cuGraphAddKernelNode_v2:
        return node_v2_of<cuGraphAddKernelNode_v2_params>(params);
    case API_CUDA_cuGraphKernelNodeSetParams_v2:
        return node_v2_of<cuGraphKernelNodeSetParams_v2_params>(params);
    case API_CUDA_cuGraphExecKernelNodeSetParams_v2:
        return node_v2_of<cuGraphExecKernelNodeSetParams_v2_params>(params);
#endif
#if HAS_ADD_NODE
    case API_CUDA_cuGraphAddNode:
        return any_node_of<cuGraphAddNode_params>(params);
    case API_CUDA_cuGraphAddNode_v2:
        return any_node_of<cuGraphAddNode_v2_params>(params);
#endif
    case API_CUDA_cuGraphLaunch:
    case API_CUDA_cuGraphLaunch_ptsz:
        return graph_launch_of(params);
    case API_CUDA_cuModuleUnload:
        return unload_of(params);
#if HAS_KERNELS
    case API_CUDA_cuLibraryUnload:
        return library_unload_of(params, is_exit);
#endif
    case API_CUDA_cuMemAllocManaged:
        return managed_of(params, is_exit);
#if HAS_TENSOR_MAPS
    case API_CUDA_cuTensorMapEncodeTiled:
        return with_params(is_exit ? Event::TENSOR_TILED : Event::OTHER, params);
    case API_CUDA_cuTensorMapEncodeIm2col:
        return with_params(is_exit ? Event::TENSOR_IM2COL : Event::OTHER, params);
#endif
    case API_CUDA_cuProfilerStart:
        return of_kind(Event::PROFILER_START);
    case API_CUDA_cuProfilerStop:
        return of_kind(Event::PROFILER_STOP);
    default:
        return capture_event_of(cbid, params, is_exit);
    }
}
