#include "tracer/stub/driver.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "tracer/stub/warp.h"
#include "utils/utils.h"

extern "C" {
void hearth_inst(int32_t, uint32_t, uint32_t, uint64_t, uint64_t);
void hearth_exit(int32_t, int32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t);
void hearth_access(int32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t);
void hearth_values(int32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t);
void hearth_constant(int32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t);
void hearth_copy(int32_t, int32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t,
                 uint64_t);
void hearth_access_values(int32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t,
                          uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                          uint32_t, uint32_t, uint32_t);
void hearth_count(int32_t, uint32_t, uint64_t, uint64_t);
void hearth_count_where(int32_t, int32_t, uint32_t, uint64_t, uint64_t);
void hearth_count_access(int32_t, int32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t,
                         uint64_t);
}
struct Ring;

namespace
{

constexpr uint64_t SHARED_BASE = UINT64_C(0x7f0002000000),
                   LOCAL_BASE = UINT64_C(0x7f0000000000);

func_config_t config; // of the graph's node that is being launched

int captures;           // of streams that have begun
bool capture_was_ended; // by a call that is not allowed while a stream is captured
cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal; // of the application's thread

// ---- inserted calls --------------------------------------------------------

uint64_t value_of(const StubArgument &argument, const Step &step, int lane, uint64_t launch)
{
    switch (argument.kind) {
    case StubArgument::GUARD:
        return step.guard >> lane & 1;
    case StubArgument::PREDICATE:
        return step.operand >> lane & 1;
    case StubArgument::LAUNCH:
        return launch;
    case StubArgument::REGISTER:
        return step.registers[argument.value] + step.by_lane * static_cast<uint32_t>(lane);
    case StubArgument::UNIFORM:
        return step.uniforms[argument.value];
    case StubArgument::ADDRESS:
        return step.address[argument.value][lane];
    default:
        return argument.value;
    }
}

void call_lane(const StubCall &call, const Step &step, int lane, uint64_t launch)
{
    std::vector<uint64_t> a;
    for (const StubArgument &argument : call.arguments)
        a.push_back(value_of(argument, step, lane, launch));
    auto word = [&](size_t i) { return static_cast<uint32_t>(a[i]); };
    auto guard = static_cast<int32_t>(a[0]);
    if (call.name == "hearth_inst" && a.size() == 5)
        hearth_inst(guard, word(1), word(2), a[3], a[4]);
    else if (call.name == "hearth_access" && a.size() == 6)
        hearth_access(guard, word(1), word(2), a[3], a[4], a[5]);
    else if (call.name == "hearth_exit" && a.size() == 7)
        hearth_exit(guard, static_cast<int32_t>(a[1]), word(2), word(3), word(4), a[5], a[6]);
    else if (call.name == "hearth_values" && a.size() == 7)
        hearth_values(guard, word(1), word(2), a[3], a[4], word(5), word(6));
    else if (call.name == "hearth_constant" && a.size() == 7)
        hearth_constant(guard, word(1), word(2), a[3], a[4], word(5), word(6));
    else if (call.name == "hearth_copy" && a.size() == 9)
        hearth_copy(guard, static_cast<int32_t>(a[1]), word(2), word(3), word(4), a[5], a[6],
                    a[7], a[8]);
    else if (call.name == "hearth_access_values" && a.size() == 17)
        hearth_access_values(guard, word(1), word(2), a[3], a[4], a[5], word(6), word(7),
                             word(8), word(9), word(10), word(11), word(12), word(13), word(14),
                             word(15), word(16));
    else if (call.name == "hearth_count" && a.size() == 4)
        hearth_count(guard, word(1), a[2], a[3]);
    else if (call.name == "hearth_count_where" && a.size() == 5)
        hearth_count_where(guard, static_cast<int32_t>(a[1]), word(2), a[3], a[4]);
    else if (call.name == "hearth_count_access" && a.size() == 8)
        hearth_count_access(guard, static_cast<int32_t>(a[1]), word(2), word(3), word(4), a[5],
                            a[6], a[7]);
    else
        abort(); // the driver would refuse it, too
}

void execute(CUfunction func, const Step &step, unsigned warp)
{
    for (const StubCall &call : func->instrs[step.instr]->calls)
        if (func->instrumented)
            warp_run(step.active, warp * 32,
                     [&](int lane) { call_lane(call, step, lane, func->launch_value); });
}

// All warps of all blocks go on in turn.
void run(CUfunction func, dim3 grid, dim3 block)
{
    struct Running {
        uint64_t block;
        unsigned warp;
        std::vector<Step> steps;
    };
    const unsigned threads = block.x * block.y * block.z;
    std::vector<Running> running;
    size_t longest = 0;
    for (uint64_t b = 0; b < static_cast<uint64_t>(grid.x) * grid.y * grid.z; b++)
        for (unsigned w = 0; w * 32 < threads; w++) {
            running.push_back({b, w, func->run(b, w, threads)});
            longest = std::max(longest, running.back().steps.size());
        }
    blockDim = block;
    gridDim = grid;
    for (size_t i = 0; i < longest; i++)
        for (const Running &r : running) {
            blockIdx = dim3(static_cast<unsigned>(r.block % grid.x),
                            static_cast<unsigned>(r.block / grid.x % grid.y),
                            static_cast<unsigned>(r.block / grid.x / grid.y));
            if (i < r.steps.size())
                execute(func, r.steps[i], r.warp);
        }
}

void event(CUcontext ctx, bool is_exit, nvbit_api_cuda_t cbid, void *params,
           CUresult status = CUDA_SUCCESS)
{
    nvbit_at_cuda_event(ctx, is_exit, cbid, "cuCall", params, &status);
}

// Whether what asks for the GPU's state is forbidden; if it is, captures are lost.
bool forbids(bool whole_device)
{
    const bool forbidden =
        captures > 0 && (whole_device || capture_mode != cudaStreamCaptureModeRelaxed);
    capture_was_ended |= forbidden;
    return forbidden;
}

void add_argument(const Instr *instr, StubArgument::Kind kind, uint64_t value)
{
    instr->calls.back().arguments.push_back({kind, value});
}

} // namespace

// ---- what an application does ----------------------------------------------

void stub_context(CUcontext ctx)
{
    nvbit_at_ctx_init(ctx);
}

static void make_ready(CUcontext ctx)
{
    if (!ctx->ready)
        nvbit_tool_init(ctx);
    ctx->ready = true;
}

static void add_kernel(CUgraph graph, CUfunction func, dim3 grid, dim3 block)
{
    CUgraphNode_st node;
    node.func = func;
    node.grid = grid;
    node.block = block;
    node.instrumented = func->instrumented;
    graph->nodes.push_back(node);
}

void stub_launch(CUcontext ctx, CUfunction func, dim3 grid, dim3 block, CUstream stream,
                 nvbit_api_cuda_t how, std::vector<CUlaunchAttribute> attributes)
{
    void **values = func->extra.empty() ? func->values.data() : nullptr;
    void **extra = func->extra.empty() ? nullptr : func->extra.data();
    cuLaunchKernel_params plain = {func,    grid.x, grid.y, grid.z, block.x, block.y,
                                   block.z, 0,      stream, values, extra};
    cuLaunchCooperativeKernel_params cooperative = {func,    grid.x,  grid.y, grid.z, block.x,
                                                    block.y, block.z, 0,      stream, values};
    CUlaunchConfig launch = {grid.x,
                             grid.y,
                             grid.z,
                             block.x,
                             block.y,
                             block.z,
                             attributes.empty() ? 0 : 512u,
                             stream,
                             attributes.data(),
                             static_cast<unsigned>(attributes.size())};
    cuLaunchKernelEx_params extended = {&launch, func, values, extra};
    void *params = how == API_CUDA_cuLaunchKernelEx ? static_cast<void *>(&extended)
                   : how == API_CUDA_cuLaunchCooperativeKernel
                       ? static_cast<void *>(&cooperative)
                       : static_cast<void *>(&plain);
    make_ready(ctx);
    event(ctx, false, how, params);
    if (stream != nullptr && stream->capture != nullptr)
        add_kernel(stream->capture, func, grid, block);
    else if (!func->refused)
        run(func, grid, block);
    event(ctx, true, how, params, func->refused ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

void stub_add_node(CUcontext ctx, CUgraph graph, CUfunction func, dim3 grid, dim3 block)
{
    CUDA_KERNEL_NODE_PARAMS node = {func, nullptr};
    cuGraphAddKernelNode_params params = {&node};
    event(ctx, false, API_CUDA_cuGraphAddKernelNode, &params);
    add_kernel(graph, func, grid, block);
    event(ctx, true, API_CUDA_cuGraphAddKernelNode, &params);
}

void stub_add_any_node(CUcontext ctx, CUgraph graph, CUfunction func, dim3 grid, dim3 block)
{
    CUgraphNodeParams node = {CU_GRAPH_NODE_TYPE_KERNEL,
                              {nullptr, reinterpret_cast<CUkernel>(func)}};
    cuGraphAddNode_v2_params params = {&node};
    event(ctx, false, API_CUDA_cuGraphAddNode_v2, &params);
    add_kernel(graph, func, grid, block);
    event(ctx, true, API_CUDA_cuGraphAddNode_v2, &params);
    CUgraphNodeParams copy = {CU_GRAPH_NODE_TYPE_MEMCPY, {}};
    params.nodeParams = &copy;
    event(ctx, false, API_CUDA_cuGraphAddNode_v2, &params);
    event(ctx, true, API_CUDA_cuGraphAddNode_v2, &params);
}

void stub_set_node(CUcontext ctx, CUgraph graph, size_t node, CUfunction func)
{
    CUDA_KERNEL_NODE_PARAMS changed = {func, nullptr};
    cuGraphExecKernelNodeSetParams_v2_params params = {&changed};
    event(ctx, false, API_CUDA_cuGraphExecKernelNodeSetParams_v2, &params);
    graph->nodes[node].func = func;
    graph->nodes[node].instrumented = func->instrumented;
    event(ctx, true, API_CUDA_cuGraphExecKernelNodeSetParams_v2, &params);
}

static CUgraphNode_st &add_node(CUgraph graph, CUgraphNodeType type)
{
    graph->nodes.emplace_back();
    graph->nodes.back().type = type;
    return graph->nodes.back();
}

void stub_add_copy(CUgraph graph, uint64_t address, size_t bytes)
{
    CUDA_MEMCPY3D &copy = add_node(graph, CU_GRAPH_NODE_TYPE_MEMCPY).copy;
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = address;
    copy.WidthInBytes = bytes;
    copy.Height = copy.Depth = 1;
}

void stub_add_set(CUgraph graph, uint64_t address, size_t row, size_t rows, size_t pitch)
{
    add_node(graph, CU_GRAPH_NODE_TYPE_MEMSET).set = {address, pitch, 0, 1, row, rows};
}

void stub_add_child(CUgraph graph, CUgraph child)
{
    add_node(graph, CU_GRAPH_NODE_TYPE_GRAPH).child = child;
}

void stub_make_executable(CUcontext ctx, CUgraph graph)
{
    CUgraphExec made = nullptr;
    cuGraphInstantiateWithFlags_params params = {&made, graph};
    event(ctx, false, API_CUDA_cuGraphInstantiateWithFlags, &params);
    made = graph;
    event(ctx, true, API_CUDA_cuGraphInstantiateWithFlags, &params);
}

static void launch_nodes(CUcontext ctx, CUgraph graph, CUstream stream, uint64_t &handle)
{
    for (const CUgraphNode_st &node : graph->nodes) {
        if (node.type == CU_GRAPH_NODE_TYPE_GRAPH)
            launch_nodes(ctx, node.child, stream, handle);
        if (node.type != CU_GRAPH_NODE_TYPE_KERNEL)
            continue;
        config = {node.block.x,
                  node.block.y,
                  node.block.z,
                  node.grid.x,
                  node.grid.y,
                  node.grid.z,
                  0,
                  0,
                  0};
        nvbit_at_graph_node_launch(ctx, node.func, stream, ++handle);
        node.func->instrumented = node.instrumented;
        run(node.func, node.grid, node.block);
    }
}

void stub_launch_graph(CUcontext ctx, CUgraph graph, CUstream stream)
{
    cuGraphLaunch_params params = {graph, stream};
    uint64_t handle = 0;
    make_ready(ctx);
    event(ctx, false, API_CUDA_cuGraphLaunch, &params);
    launch_nodes(ctx, graph, stream, handle);
    event(ctx, true, API_CUDA_cuGraphLaunch, &params);
}

void stub_begin_capture(CUcontext ctx, CUstream stream, CUgraph graph)
{
    make_ready(ctx);
    event(ctx, false, API_CUDA_cuStreamBeginCapture_v2, nullptr);
    stream->capture = graph;
    captures++;
    event(ctx, true, API_CUDA_cuStreamBeginCapture_v2, nullptr);
}

bool stub_end_capture(CUcontext ctx, CUstream stream)
{
    event(ctx, false, API_CUDA_cuStreamEndCapture, nullptr);
    stream->capture = nullptr;
    captures--;
    event(ctx, true, API_CUDA_cuStreamEndCapture, nullptr);
    return !capture_was_ended && capture_mode == cudaStreamCaptureModeGlobal;
}

void stub_copy(CUcontext ctx, bool to_host, uint64_t address, size_t bytes)
{
    cuMemcpyHtoD_v2_params down = {address, nullptr, bytes};
    cuMemcpyDtoH_v2_params up = {nullptr, address, bytes};
    nvbit_api_cuda_t cbid = to_host ? API_CUDA_cuMemcpyDtoH_v2 : API_CUDA_cuMemcpyHtoD_v2;
    void *params = to_host ? static_cast<void *>(&up) : static_cast<void *>(&down);
    event(ctx, false, cbid, params);
    event(ctx, true, cbid, params);
}

void stub_call(CUcontext ctx, nvbit_api_cuda_t cbid, void *params, CUresult status)
{
    event(ctx, false, cbid, params);
    event(ctx, true, cbid, params, status);
}

void stub_managed(CUcontext ctx, uint64_t address, size_t bytes)
{
    cuMemAllocManaged_params params = {&address, bytes, 1};
    stub_call(ctx, API_CUDA_cuMemAllocManaged, &params);
}

void stub_copy_on(CUcontext ctx, uint64_t to, uint64_t from, size_t bytes, CUstream stream)
{
    cuMemcpyDtoDAsync_v2_params params;
    params.dstDevice = to;
    params.srcDevice = from;
    params.ByteCount = bytes;
    params.hStream = stream;
    if (stream != nullptr && stream->capture != nullptr) {
        stub_add_copy(stream->capture, to, bytes);
        CUDA_MEMCPY3D &copy = stream->capture->nodes.back().copy;
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from;
    }
    stub_call(ctx, API_CUDA_cuMemcpyDtoDAsync_v2, &params);
}

void stub_copy_any(CUcontext ctx, uint64_t to, uint64_t from, size_t bytes)
{
    cuMemcpy_params params = {to, from, bytes};
    stub_call(ctx, API_CUDA_cuMemcpy, &params);
}

void stub_set(CUcontext ctx, uint64_t address, size_t bytes)
{
    cuMemsetD32_v2_params params = {address, bytes / 4};
    stub_call(ctx, API_CUDA_cuMemsetD32_v2, &params);
}

void stub_profiler(CUcontext ctx, bool start)
{
    nvbit_api_cuda_t cbid = start ? API_CUDA_cuProfilerStart : API_CUDA_cuProfilerStop;
    event(ctx, false, cbid, nullptr);
    event(ctx, true, cbid, nullptr);
}

// ---- CUDA ------------------------------------------------------------------

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction func)
{
    switch (which) {
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = func->regs;
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = func->shared;
        break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = func->binary_version;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = func->carveout;
        break;
    default:
        *value = func->cluster[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        break;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t i, size_t *offset, size_t *size)
{
    if (i >= func->parameters.size())
        return CUDA_ERROR_INVALID_VALUE;
    *offset = func->parameters[i].first;
    *size = func->parameters[i].second;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel, size_t, size_t *, size_t *)
{
    return CUDA_ERROR_INVALID_HANDLE; // kernels of the stub are functions
}

CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID,
                              CUlaunchAttributeValue *value)
{
    value->accessPolicyWindow = stream != nullptr ? stream->window : CUaccessPolicyWindow();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit)
{
    *value = 1 << 20;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    *count = graph->nodes.size();
    for (size_t i = 0; nodes != nullptr && i < *count; i++)
        nodes[i] = &graph->nodes[i];
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes,
                                       CUgraphEdgeData *edges, size_t *count)
{
    *count = node->after.size();
    for (size_t i = 0; nodes != nullptr && i < *count; i++) {
        nodes[i] = &node->graph->nodes[node->after[i].first];
        edges[i].type = static_cast<unsigned char>(node->after[i].second);
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    *type = node->type;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    const bool is_managed = ptr >= STUB_MANAGED;
    const CUmemorytype type =
        ptr >= STUB_REGISTERED && !is_managed ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (ptr < STUB_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    *static_cast<unsigned *>(data) =
        attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ? is_managed : static_cast<unsigned>(type);
    return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy)
{
    *copy = node->copy;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *set)
{
    *set = node->set;
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child)
{
    *child = node->child;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction func)
{
    *module = func->module;
    return func->module != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetFunction(CUfunction *, CUkernel)
{
    return CUDA_ERROR_INVALID_HANDLE; // kernels of the stub are functions
}

// A library of the stub is its module.
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    *module = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *, CUfunction_attribute, CUkernel, CUdevice)
{
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

cudaError_t cudaDeviceSynchronize()
{
    return forbids(true) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return forbids(stream != nullptr && stream->capture != nullptr)
               ? cudaErrorStreamCaptureUnsupported
               : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    std::swap(*mode, capture_mode);
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    *status = stream != nullptr && stream->capture != nullptr ? cudaStreamCaptureStatusActive
                                                              : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **memory, size_t size)
{
    static std::vector<std::unique_ptr<char[]>> all;
    all.emplace_back(new char[size]());
    *memory = all.back().get();
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned)
{
    return cudaMallocManaged(memory, size);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned)
{
    *device = host;
    return cudaSuccess;
}

// The only kernel of the tool.
cudaError_t cudaLaunchKernel(const void *kernel, dim3, dim3, void **arguments, size_t,
                             cudaStream_t)
{
    auto flush = reinterpret_cast<void (*)(Ring *)>(reinterpret_cast<uintptr_t>(kernel));
    flush(*static_cast<Ring **>(arguments[0]));
    return cudaSuccess;
}

// ---- NVBit -----------------------------------------------------------------

const char *nvbit_get_func_name(CUcontext, CUfunction func, bool)
{
    return func->name.c_str();
}

bool nvbit_get_line_info(CUcontext, CUfunction, uint32_t offset, char **, char **,
                         uint32_t *line)
{
    *line = 100 + offset / 16;
    return true;
}

uint64_t nvbit_get_shmem_base_addr(CUcontext)
{
    return SHARED_BASE;
}

uint64_t nvbit_get_local_mem_base_addr(CUcontext)
{
    return LOCAL_BASE;
}

void nvbit_get_func_config(CUcontext, CUfunction, func_config_t *out)
{
    *out = config;
}

std::vector<CUfunction> nvbit_get_related_functions(CUcontext, CUfunction)
{
    return {};
}

const std::vector<Instr *> &nvbit_get_instrs(CUcontext, CUfunction func)
{
    return func->instrs;
}

const CFG_t &nvbit_get_CFG(CUcontext, CUfunction func)
{
    return func->cfg;
}

void nvbit_insert_call(const Instr *instr, const char *name, int)
{
    instr->calls.push_back({name, {}});
}

void nvbit_add_call_arg_guard_pred_val(const Instr *instr, bool)
{
    add_argument(instr, StubArgument::GUARD, 0);
}

void nvbit_add_call_arg_pred_val_at(const Instr *instr, int number, bool)
{
    add_argument(instr, StubArgument::PREDICATE, static_cast<uint64_t>(number));
}

void nvbit_add_call_arg_upred_val_at(const Instr *instr, int number, bool)
{
    add_argument(instr, StubArgument::PREDICATE, static_cast<uint64_t>(number));
}

void nvbit_add_call_arg_reg_val(const Instr *instr, int number, bool)
{
    add_argument(instr, StubArgument::REGISTER, static_cast<uint64_t>(number));
}

void nvbit_add_call_arg_ureg_val(const Instr *instr, int number, bool)
{
    add_argument(instr, StubArgument::UNIFORM, static_cast<uint64_t>(number));
}

void nvbit_add_call_arg_const_val32(const Instr *instr, uint32_t value, bool)
{
    add_argument(instr, StubArgument::CONSTANT, value);
}

void nvbit_add_call_arg_const_val64(const Instr *instr, uint64_t value, bool)
{
    add_argument(instr, StubArgument::CONSTANT, value);
}

void nvbit_add_call_arg_launch_val64(const Instr *instr, int, bool)
{
    add_argument(instr, StubArgument::LAUNCH, 0);
}

void nvbit_add_call_arg_mref_addr64(const Instr *instr, int id, bool)
{
    add_argument(instr, StubArgument::ADDRESS, static_cast<uint64_t>(id));
}

void nvbit_enable_instrumented(CUcontext, CUfunction func, bool flag, bool)
{
    func->instrumented = flag;
}

void nvbit_set_at_launch(CUcontext, CUfunction func, uint64_t value, CUstream, uint64_t)
{
    func->launch_value = value;
}

void nvbit_set_tool_pthread(pthread_t)
{
}

void nvbit_unset_tool_pthread(pthread_t)
{
}

// ---- threads ---------------------------------------------------------------

#undef pthread_create

int stub_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*run)(void *), void *argument)
{
    return getenv("STUB_NO_THREADS") != nullptr
               ? EAGAIN
               : pthread_create(thread, attributes, run, argument);
}
