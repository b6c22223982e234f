#include "tracer/nvbit/events.h"

namespace
{

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
    return event;
}

#if HAS_LAUNCH_EX
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

template <typename Params> Event copy_to_device(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = {};
    event.kind = Event::COPY;
    event.address = p->dstDevice;
    event.bytes = p->ByteCount;
    return event;
}

template <typename Params> Event copy_to_host(void *params)
{
    const Params *p = static_cast<Params *>(params);
    Event event = {};
    event.kind = Event::COPY;
    event.address = p->srcDevice;
    event.bytes = p->ByteCount;
    event.to_host = true;
    return event;
}

Event graph_launch_of(void *params)
{
    Event event = {};
    event.kind = Event::GRAPH_LAUNCH;
    event.stream = static_cast<cuGraphLaunch_params *>(params)->hStream;
    return event;
}

} // namespace

Event event_of(nvbit_api_cuda_t cbid, void *params)
{
    switch (cbid) {
    case API_CUDA_cuLaunchKernel:
    case API_CUDA_cuLaunchKernel_ptsz:
        return launch_of<cuLaunchKernel_params>(params);
    case API_CUDA_cuLaunchCooperativeKernel:
    case API_CUDA_cuLaunchCooperativeKernel_ptsz:
        return launch_of<cuLaunchCooperativeKernel_params>(params);
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
    case API_CUDA_cuMemcpyHtoD_v2:
    case API_CUDA_cuMemcpyHtoD_v2_ptds:
        return copy_to_device<cuMemcpyHtoD_v2_params>(params);
    case API_CUDA_cuMemcpyHtoDAsync_v2:
    case API_CUDA_cuMemcpyHtoDAsync_v2_ptsz:
        return copy_to_device<cuMemcpyHtoDAsync_v2_params>(params);
    case API_CUDA_cuMemcpyDtoH_v2:
    case API_CUDA_cuMemcpyDtoH_v2_ptds:
        return copy_to_host<cuMemcpyDtoH_v2_params>(params);
    case API_CUDA_cuMemcpyDtoHAsync_v2:
    case API_CUDA_cuMemcpyDtoHAsync_v2_ptsz:
        return copy_to_host<cuMemcpyDtoHAsync_v2_params>(params);
    case API_CUDA_cuProfilerStart:
        return of_kind(Event::PROFILER_START);
    case API_CUDA_cuProfilerStop:
        return of_kind(Event::PROFILER_STOP);
    default:
        return of_kind(Event::OTHER);
    }
}
