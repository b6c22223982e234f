// An application on the stub driver: the tool sees it as it would see a real one.
//   nvbit_app SCENARIO EXPECTED
// writes what ran to EXPECTED: "context launch block warp pc mask opcode [address...]".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tracer/nvbit/nvbit_kernels.h"

namespace
{

// ---- what is expected ------------------------------------------------------

FILE *expected;
std::map<CUcontext, int> launches;

int memory_operands(const Instr &instr)
{
    int count = 0;
    for (const InstrType::operand_t &o : instr.operands)
        count += o.type == InstrType::OperandType::MREF;
    return count;
}

void write_step(const CUfunc_st &func, const Step &step)
{
    const Instr &instr = *func.instrs[step.instr];
    const uint32_t mask = mask_of(func, step);
    const int operands = memory_operands(instr);
    fprintf(expected, "%x %08x %s", instr.offset, mask, instr.opcode.c_str());
    for (int lane = 0; lane < 32 && operands > 0; lane++)
        if ((mask >> lane & 1) != 0)
            fprintf(expected, " %llx",
                    static_cast<unsigned long long>(step.address[operands - 1][lane]));
    putc('\n', expected);
}

void expect(CUcontext ctx, CUfunction func, dim3 grid, dim3 block)
{
    const int launch = ++launches[ctx];
    const unsigned threads = block.x * block.y * block.z;
    for (uint64_t b = 0; b < static_cast<uint64_t>(grid.x) * grid.y * grid.z; b++)
        for (unsigned w = 0; w * 32 < threads; w++)
            for (const Step &step : func->run(b, w, threads)) {
                fprintf(expected, "%p %d %llu %u ", static_cast<void *>(ctx), launch,
                        static_cast<unsigned long long>(b), w);
                write_step(*func, step);
            }
}

// ---- scenarios -------------------------------------------------------------

CUctx_st first, second;
CUfunc_st walker, stroller, leaver;
CUstream_st side;

void launch(CUcontext ctx, CUfunction func, dim3 grid, dim3 block, CUstream stream,
            nvbit_api_cuda_t how = API_CUDA_cuLaunchKernel)
{
    expect(ctx, func, grid, block);
    stub_launch(ctx, func, grid, block, stream, how);
}

void plain()
{
    stub_copy(&first, false, 0x7f4000000000, 4096);
    launch(&first, &walker, dim3(3, 2), dim3(48), nullptr);
    launch(&first, &stroller, dim3(2), dim3(8, 4, 2), &side,
           API_CUDA_cuLaunchCooperativeKernel);
    stub_copy(&first, true, 0x7f4000000000, 1024);
    launch(&first, &walker, dim3(2, 1, 2), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx);
    launch(&first, &walker, dim3(1), dim3(1), nullptr);
}

void contexts()
{
    stub_context(&second);
    for (int i = 0; i < 2; i++) {
        launch(&first, &walker, dim3(2), dim3(40), nullptr);
        launch(&second, &stroller, dim3(3), dim3(33), nullptr);
        stub_copy(&second, false, 0x7f5000000000, 64);
    }
}

void graph()
{
    CUgraph_st made;
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stub_begin_capture(&first, &side, &made);
    stub_launch(&first, &walker, dim3(2), dim3(64), &side);
    stub_launch(&first, &stroller, dim3(1), dim3(16), &side);
    if (!stub_end_capture(&first, &side))
        abort();
    stub_add_node(&first, &made, &walker, dim3(3), dim3(32));
    for (int i = 0; i < 2; i++) {
        for (const CUgraphNode_st &node : made.nodes)
            expect(&first, node.func, node.grid, node.block);
        stub_launch_graph(&first, &made, &side);
    }
}

// Copies and memsets of graphs happen where their kernels are launched.
void graph_copies()
{
    CUgraph_st made, inner, other;
    const uint64_t device = 0x7f4000000000;
    stub_add_copy(&made, device, 4096);
    stub_add_node(&first, &made, &walker, dim3(2), dim3(32));
    stub_add_set(&inner, device, 100, 4, 512);
    stub_add_node(&first, &inner, &stroller, dim3(1), dim3(64));
    stub_add_child(&made, &inner);
    stub_add_set(&made, device, 64, 1, 0);
    stub_make_executable(&first, &made);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    for (int i = 0; i < 2; i++) {
        expect(&first, &walker, dim3(2), dim3(32));
        expect(&first, &stroller, dim3(1), dim3(64));
        stub_launch_graph(&first, &made, &side);
        CUDA_MEMSET_NODE_PARAMS set = {device, 0, 0, 4, 8, 1};
        cuGraphExecMemsetNodeSetParams_params change = {&made, &made.nodes.back(), &set};
        stub_call(&first, API_CUDA_cuGraphExecMemsetNodeSetParams, &change);
        stub_call(&first, API_CUDA_cuGraphExecMemsetNodeSetParams, &change,
                  CUDA_ERROR_INVALID_VALUE);
    }
    stub_add_set(&other, device, 16, 1, 0);
    cuGraphExecUpdate_v2_params update = {&made, &other};
    stub_call(&first, API_CUDA_cuGraphExecUpdate_v2, &update);
    made.nodes.clear();
    stub_launch_graph(&first, &made, &side);
}

// While a stream is captured, others go on; what is copied in it is not copied now.
void capture()
{
    CUgraph_st made;
    CUstream_st other;
    stub_begin_capture(&first, &side, &made);
    stub_launch(&first, &walker, dim3(2), dim3(64), &side);
    launch(&first, &stroller, dim3(3), dim3(32), &other);
    stub_copy_on(&first, 0x7f4000001000, 0x7f4000000000, 256, &side);
    stub_copy_on(&first, 0x7f4000002000, 0x7f4000000000, 512, &other);
    if (!stub_end_capture(&first, &side))
        abort();
    stub_make_executable(&first, &made);
    expect(&first, &walker, dim3(2), dim3(64));
    stub_launch_graph(&first, &made, &side);
    launch(&first, &stroller, dim3(1), dim3(32), nullptr);
}

// Kernels that graphs get in newer ways, each for the first time.
void graph_nodes()
{
    CUgraph_st made;
    stub_add_any_node(&first, &made, &walker, dim3(2), dim3(32));
    stub_add_node(&first, &made, &walker, dim3(1), dim3(64));
    stub_set_node(&first, &made, 1, &stroller);
    for (const CUgraphNode_st &node : made.nodes)
        expect(&first, node.func, node.grid, node.block);
    stub_launch_graph(&first, &made, &side);
}

// A grid without blocks, which the driver refuses.
void empty_grid()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stroller.refused = true;
    launches[&first]++;
    stub_launch(&first, &stroller, dim3(0), dim3(64), nullptr);
    stroller.refused = false;
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
}

// What goes into comments of the list.
void facts()
{
    CUlaunchAttribute cluster = {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, {}},
                      cooperative = {CU_LAUNCH_ATTRIBUTE_COOPERATIVE, {}},
                      carveout = {CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, {}};
    cluster.value.clusterDim = {2, 1, 1};
    cooperative.value.cooperative = 1;
    carveout.value.sharedMemCarveout = 50;
    stub_set(&first, 0x7f4000000000, 4096);
    expect(&first, &walker, dim3(2), dim3(32));
    stub_launch(&first, &walker, dim3(2), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx,
                {cluster, cooperative, carveout});
    stub_copy_on(&first, 0x7f4000001000, 0x7f4000000000, 256);
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    stub_copy_any(&first, 0x7f4000002000, 0x7f4000001000, 64);
    stroller.cluster[0] = stroller.cluster[1] = stroller.cluster[2] = 1;
    stroller.carveout = 100;
    launch(&first, &stroller, dim3(2), dim3(32), nullptr, API_CUDA_cuLaunchCooperativeKernel);
}

// Launches that may begin before the one before them has ended, and those of graphs.
void programmatic()
{
    CUlaunchAttribute allowed = {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, {}};
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    for (int i = 1; i >= 0; i--) {
        allowed.value.programmaticStreamSerializationAllowed = i;
        expect(&first, &walker, dim3(2), dim3(32));
        stub_launch(&first, &walker, dim3(2), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx,
                    {allowed});
    }
    CUgraph_st made;
    for (int i = 0; i < 4; i++)
        stub_add_node(&first, &made, &walker, dim3(1), dim3(32));
    for (size_t i = 1; i < 4; i++) {
        made.nodes[i].graph = &made;
        made.nodes[i].after = {{i - 1, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC}};
    }
    made.nodes[2].after[0].second = CU_GRAPH_DEPENDENCY_TYPE_DEFAULT;
    made.nodes[3].after.push_back({1, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC});
    stub_make_executable(&first, &made);
    for (const CUgraphNode_st &node : made.nodes)
        expect(&first, node.func, node.grid, node.block);
    stub_launch_graph(&first, &made, &side);
}

// What launches and streams say of L2.
void windows()
{
    CUlaunchAttribute window = {CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, {}};
    window.value.accessPolicyWindow = {reinterpret_cast<void *>(0x7f4000000000), 65536, 0.75F,
                                       CU_ACCESS_PROPERTY_PERSISTING,
                                       CU_ACCESS_PROPERTY_STREAMING};
    side.window = {reinterpret_cast<void *>(0x7f4000100000), 4096, 1.0F,
                   CU_ACCESS_PROPERTY_STREAMING, CU_ACCESS_PROPERTY_NORMAL};
    expect(&first, &walker, dim3(2), dim3(32));
    stub_launch(&first, &walker, dim3(2), dim3(32), &side, API_CUDA_cuLaunchKernelEx, {window});
    launch(&first, &walker, dim3(2), dim3(32), &side);
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
}

// A child that ends as processes do leaves the parent's traces alone.
void fork_child()
{
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    fflush(expected);
    const pid_t child = fork();
    if (child == 0) {
        stub_launch(&first, &walker, dim3(5), dim3(32), nullptr);
        nvbit_at_term();
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        abort();
    stub_copy(&first, false, 0x7f4000000000, 4096);
    launch(&first, &stroller, dim3(3), dim3(64), nullptr);
}

// The same program once more while this one traces.
void two_processes()
{
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "nvbit_app", "plain", "/dev/null",
              static_cast<char *>(nullptr));
        _exit(1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        abort();
    launch(&first, &stroller, dim3(3), dim3(64), nullptr);
}

// The driver refuses the second launch.
void refused()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stroller.refused = true;
    launches[&first]++;
    stub_launch(&first, &stroller, dim3(2), dim3(64), nullptr);
    stroller.refused = false;
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
}

void exits()
{
    launch(&first, &leaver, dim3(3), dim3(48), nullptr);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    launch(&first, &leaver, dim3(2), dim3(32), nullptr);
}

// Two threads launch the same as often as they can.
void threads()
{
    const int count = 40;
    launch(&first, &walker, dim3(3), dim3(64), nullptr);
    for (int i = 0; i < 2 * count; i++)
        expect(&first, &walker, dim3(3), dim3(64));
    auto some = [] {
        for (int i = 0; i < count; i++)
            stub_launch(&first, &walker, dim3(3), dim3(64), nullptr);
    };
    std::thread other(some);
    some();
    other.join();
}

// So do they with graphs of several kernels, while a third one launches by itself.
void graph_threads()
{
    static CUgraph_st graphs[2];
    const int count = 20;
    for (CUgraph_st &graph : graphs)
        for (int i = 0; i < 3; i++)
            stub_add_node(&first, &graph, &walker, dim3(3), dim3(64));
    for (int i = 0; i < 7 * count; i++)
        expect(&first, &walker, dim3(3), dim3(64));
    auto some = [](CUgraph graph) {
        for (int i = 0; i < count; i++)
            stub_launch_graph(&first, graph, &side);
    };
    std::thread one(some, &graphs[0]), two(some, &graphs[1]);
    for (int i = 0; i < count; i++)
        stub_launch(&first, &walker, dim3(3), dim3(64), nullptr);
    one.join();
    two.join();
}

void profiler()
{
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stub_copy(&first, false, 0x7f4000000000, 32);
    stub_profiler(&first, true);
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    stub_copy(&first, false, 0x7f4000000000, 64);
    stub_profiler(&first, false);
    launch(&first, &walker, dim3(3), dim3(32), nullptr);
}

std::vector<Step> die(uint64_t, unsigned, unsigned)
{
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    fclose(expected);
    abort();
}

void crash()
{
    plain();
    walker.run = die;
    stub_launch(&first, &walker, dim3(1), dim3(1), nullptr);
}

void barriers()
{
    static CUfunc_st meeter;
    make_meeter(meeter, "_Z4meetv");
    launch(&first, &meeter, dim3(2), dim3(64), nullptr);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

void copies_and_constants()
{
    static CUfunc_st copier;
    make_copier(copier, "_Z6copierv");
    launch(&first, &copier, dim3(1), dim3(64), nullptr);
}

// Modules that are loaded when they are first used, and unloaded: what is loaded then gets the
// handles of their functions.
void modules()
{
    static CUfunc_st func, other;
    CUmodule module = reinterpret_cast<CUmodule>(&func);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    make_meeter(func, "_Z5firstv");
    make_meeter(other, "_Z5otherv");
    func.module = module;
    other.module = reinterpret_cast<CUmodule>(&other);
    for (int i = 0; i < 2; i++) {
        launch(&first, &func, dim3(1), dim3(32), nullptr);
        launch(&first, &other, dim3(1), dim3(32), nullptr);
    }
    cuModuleUnload_params unload = {module};
    stub_call(&first, API_CUDA_cuModuleUnload, &unload);
    func = CUfunc_st();
    make_leaver(func, "_Z6secondv");
    func.module = module;
    launch(&first, &func, dim3(2), dim3(64), nullptr);
    launch(&first, &other, dim3(1), dim3(32), nullptr);
    cuLibraryUnload_params last = {reinterpret_cast<CUlibrary>(module)};
    stub_call(&first, API_CUDA_cuLibraryUnload, &last);
    func = CUfunc_st();
    make_meeter(func, "_Z6secondv"); // the name of another code
    func.module = module;
    launch(&first, &func, dim3(1), dim3(32), nullptr);
}

// ---- memory that the host describes or shares ------------------------------

void managed()
{
    stub_managed(&first, 0x7f6000000000, 4096);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    stub_managed(&first, 0x7f6000001000, 64);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

// Copies and memsets that are not one piece of memory.
void shaped_copies()
{
    void *const host = reinterpret_cast<void *>(0x10000);
    const uint64_t device = 0x7f4000000000;
    CUDA_MEMCPY2D flat = {};
    flat.srcMemoryType = CU_MEMORYTYPE_HOST;
    flat.srcHost = host;
    flat.srcPitch = flat.dstPitch = flat.WidthInBytes = 256;
    flat.srcXInBytes = 16;
    flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    flat.dstDevice = device;
    flat.dstY = 2;
    flat.Height = 8;
    cuMemcpy2D_v2_params plane = {&flat};
    stub_call(&first, API_CUDA_cuMemcpy2D_v2, &plane); // in one piece
    flat.dstPitch = 512;
    stub_call(&first, API_CUDA_cuMemcpy2DUnaligned_v2, &plane);
    std::swap(flat.srcMemoryType, flat.dstMemoryType);
    flat.srcDevice = device;
    flat.dstHost = host;
    flat.Height = 1;
    stub_call(&first, API_CUDA_cuMemcpy2D_v2, &plane); // to the host, in one piece
    flat.Height = 0;
    stub_call(&first, API_CUDA_cuMemcpy2D_v2, &plane); // nothing
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    CUDA_MEMCPY3D solid = {};
    solid.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    solid.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    solid.dstDevice = device;
    solid.dstPitch = 128;
    solid.dstHeight = 4;
    solid.dstXInBytes = 8;
    solid.dstY = solid.dstZ = 1;
    solid.WidthInBytes = 64;
    solid.Height = 2;
    solid.Depth = 3;
    cuMemcpy3DAsync_v2_params volume;
    volume.pCopy = &solid;
    volume.hStream = &side;
    stub_call(&first, API_CUDA_cuMemcpy3DAsync_v2, &volume);
    cuMemcpyPeer_params peer = {device, &first, device + 4096, &second, 32};
    stub_call(&first, API_CUDA_cuMemcpyPeer, &peer);
    CUdeviceptr to[] = {device, device + 64}, from[] = {device + 128, device + 256};
    size_t bytes[] = {16, 32};
    cuMemcpyBatchAsync_v2_params batch = {to, from, bytes, 2, &side};
    stub_call(&first, API_CUDA_cuMemcpyBatchAsync_v2, &batch);
    cuMemsetD2D8_v2_params set = {device, 512, 25, 4};
    stub_call(&first, API_CUDA_cuMemsetD2D32_v2, &set);
    set.dstPitch = 50;
    stub_call(&first, API_CUDA_cuMemsetD2D16_v2, &set); // in one piece
    stub_call(&first, API_CUDA_cuMemsetD2D16_v2, &set, CUDA_ERROR_INVALID_VALUE);
    for (int i = 0; i < 2; i++)
        stub_call(&first, API_CUDA_cuMemcpyHtoA_v2, nullptr);
    stub_call(&first, API_CUDA_cuLaunchGrid, nullptr);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

// Copies by unified addresses, of all directions.
void unified_copies()
{
    const uint64_t host = 0x10000, device = 0x7f4000000000, registered = STUB_REGISTERED,
                   shared = STUB_MANAGED;
    const uint64_t places[] = {host, registered, device, shared};
    size_t bytes = 0;
    for (uint64_t to : places)
        for (uint64_t from : places)
            stub_copy_any(&first, to, from + 4096, bytes += 32);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    CUdeviceptr to[] = {host, device}, from[] = {device, host};
    size_t sizes[] = {16, 32};
    cuMemcpyBatchAsync_v2_params batch = {to, from, sizes, 2, &side};
    stub_call(&first, API_CUDA_cuMemcpyBatchAsync_v2, &batch);
    CUDA_MEMCPY2D flat = {};
    flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    flat.srcDevice = device;
    flat.dstDevice = host;
    flat.srcPitch = flat.dstPitch = flat.WidthInBytes = 256;
    flat.Height = 2;
    cuMemcpy2D_v2_params plane = {&flat};
    stub_call(&first, API_CUDA_cuMemcpy2D_v2, &plane);
    flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_HOST;
    stub_call(&first, API_CUDA_cuMemcpy2D_v2, &plane); // from host to host
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    static CUgraph_st graph;
    for (uint64_t place : {registered, host}) {
        stub_add_copy(&graph, place, 64);
        CUDA_MEMCPY3D &copy = graph.nodes.back().copy;
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
        copy.srcDevice = device;
    }
    stub_make_executable(&first, &graph);
    stub_launch_graph(&first, &graph, &side);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

void tensor_maps()
{
    CUtensorMap map = {{0x0123456789abcdef, 0, 2}};
    void *const address = reinterpret_cast<void *>(0x7f4000000000);
    const uint64_t dims[] = {128, 64, 3, 2}, strides[] = {256, 16384, 49152};
    const uint32_t box[] = {64, 8, 1, 1}, steps[] = {1, 1, 2, 1};
    const int lower[] = {-1, -2}, upper[] = {0, 1};
    cuTensorMapEncodeTiled_params tiled = {&map, 6,     3, address, dims, strides,
                                           box,  steps, 0, 3,       2,    0};
    cuTensorMapEncodeIm2col_params im2col = {
        &map, 7, 4, address, dims, strides, lower, upper, 64, 32, steps, 1, 0, 1, 1};
    stub_call(&first, API_CUDA_cuTensorMapEncodeTiled, &tiled);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    map.opaque[15] = 255;
    stub_call(&first, API_CUDA_cuTensorMapEncodeIm2col, &im2col);
    stub_call(&first, API_CUDA_cuTensorMapEncodeTiled, &tiled, CUDA_ERROR_INVALID_VALUE);
    stub_call(nullptr, API_CUDA_cuTensorMapEncodeTiled, &tiled);
    // A number, a map, and a structure with an unknown map and the first one.
    uint32_t number = 7;
    CUtensorMap known[] = {{{1}}, {{0x0123456789abcdef, 0, 2}}};
    walker.parameters = {{0, sizeof number}, {48, sizeof map}, {176, sizeof known}};
    walker.values = {&number, &map, known};
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

// Maps that no call has made, in parameters that are in a buffer, as cuBLAS has them, or not.
void own_maps()
{
    const uint32_t brief[16] = {0x9de20000, 0x7fca, 0x46322, 0x20, 0, 0x10000000, 0,   0,
                                0xff,       0xff,   0,       0,    0, 0x3f000000, 0xf, 0};
    const uint32_t full[32] = {0,   0x7000, 0x320, 0x80,       0x20000, 0, 0,      0, 999, 899,
                               799, 0,      0,     0x1f000000, 0x70f,   0, 0x2000, 0, 16};
    unsigned char buffer[640] = {};
    size_t size = sizeof buffer;
    memcpy(buffer + 48, brief, sizeof brief);
    memcpy(buffer + 112, brief, 8); // only an address, where the driver's maps have zeros
    memcpy(buffer + 240, full, sizeof full);
    memcpy(buffer + 400, full, sizeof full); // not at a multiple of 64 in the constants
    buffer[432] = 1;                         // and unknown: another size
    memcpy(buffer + 560, brief, sizeof brief);
    void *const values[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE,
                            &size, CU_LAUNCH_PARAM_END};
    walker.extra.assign(values, values + 5);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    buffer[58] = 6; // another promotion
    launch(&first, &walker, dim3(1), dim3(32), nullptr, API_CUDA_cuLaunchKernelEx);
    size = 111; // the end of the map is missing
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    walker.extra.clear();
    walker.parameters = {{0, 8}, {48, 128}};
    walker.values = {buffer, buffer + 240};
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

// ---- code ------------------------------------------------------------------

void code()
{
    walker.binary_version = stroller.binary_version = 90;
    walker.address = 0x7f1200000000;
    launch(&first, &walker, dim3(2), dim3(32), nullptr);
    launch(&first, &stroller, dim3(2), dim3(32), nullptr);
    launch(&first, &walker, dim3(1), dim3(64), nullptr);
}

// Kernels of one name in two modules.
void two_codes()
{
    static CUfunc_st other;
    make_walker(other, "_Z4walkPf");
    for (Instr *instr : other.instrs)
        instr->high |= UINT64_C(1) << 50;
    stub_context(&second);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
    launch(&second, &other, dim3(1), dim3(32), nullptr);
    launch(&first, &walker, dim3(1), dim3(32), nullptr);
}

void no_cubin()
{
    walker.cubin_fails = true;
    code();
}

void other_code()
{
    std::swap(walker.instrs[10]->low, walker.instrs[0]->low);
    std::swap(walker.instrs[0]->low, stroller.instrs[0]->low);
    code();
}

// The GPU's operations are not known, but the registers are.
void shifted_code()
{
    for (size_t i = 0; i + 1 < walker.instrs.size(); i++)
        std::swap(walker.instrs[i]->low, walker.instrs[i + 1]->low);
    plain();
}

const struct {
    const char *name;
    void (*run)();
} scenarios[] = {{"plain", plain},
                 {"contexts", contexts},
                 {"graph", graph},
                 {"programmatic", programmatic},
                 {"refused", refused},
                 {"threads", threads},
                 {"graph_threads", graph_threads},
                 {"profiler", profiler},
                 {"crash", crash},
                 {"exits", exits},
                 {"nodes", graph_nodes},
                 {"capture", capture},
                 {"graph_copies", graph_copies},
                 {"shaped", shaped_copies},
                 {"unified", unified_copies},
                 {"empty", empty_grid},
                 {"fork", fork_child},
                 {"processes", two_processes},
                 {"facts", facts},
                 {"windows", windows},
                 {"barriers", barriers},
                 {"copies", copies_and_constants},
                 {"modules", modules},
                 {"managed", managed},
                 {"tensor_maps", tensor_maps},
                 {"own_maps", own_maps},
                 {"code", code},
                 {"codes", two_codes},
                 {"no_cubin", no_cubin},
                 {"other_code", other_code},
                 {"shifted_code", shifted_code}};

} // namespace

int main(int argc, char **argv)
{
    expected = argc == 3 ? fopen(argv[2], "w") : nullptr;
    if (expected == nullptr)
        return 2;
    nvbit_at_init();
    make_walker(walker, "_Z4walkPf");
    make_walker(stroller, "_Z6strollPf");
    make_leaver(leaver, "_Z5leavePf");
    stub_context(&first);
    for (const auto &scenario : scenarios)
        if (strcmp(scenario.name, argv[1]) == 0)
            scenario.run();
    nvbit_at_ctx_term(&first);
    if (second.ready)
        nvbit_at_ctx_term(&second);
    nvbit_at_term();
    fclose(expected);
    return 0;
}
