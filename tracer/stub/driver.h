// A driver without a GPU: functions are given as the steps of their warps, and run with the
// tool's calls before instructions.
#ifndef HEARTH_TRACER_STUB_DRIVER_H
#define HEARTH_TRACER_STUB_DRIVER_H

#include <functional>
#include <memory>

#include "nvbit.h"

// One instruction that a warp executes.
struct Step {
    size_t instr;            // of the function
    uint32_t active;         // lanes
    uint32_t guard;          // lanes whose guard holds
    uint32_t operand;        // lanes whose predicate register, an operand, holds
    uint64_t address[2][32]; // of each memory operand and lane
    uint32_t registers[16];  // the same in all lanes ...
    uint32_t by_lane;        // ... but this times the lane is added
    uint32_t uniforms[16];
};

struct CUfunc_st {
    std::string name;
    int regs, shared, binary_version;
    int carveout = -1;          // per cent
    int cluster[3] = {0, 0, 0}; // that it is compiled for
    // Of each parameter the offset and the bytes.
    std::vector<std::pair<size_t, size_t>> parameters;
    std::vector<void *> values; // of the parameters, at each launch
    std::vector<void *> extra;  // the same by names and values; not empty: instead of them
    std::vector<std::unique_ptr<Instr>> code;
    std::vector<Instr *> instrs; // of `code`
    std::vector<basic_block_t> blocks;
    CFG_t cfg;
    // What warp WARP of block BLOCK executes.
    std::function<std::vector<Step>(uint64_t block, unsigned warp, unsigned threads)> run;
    bool instrumented = false;
    bool refused = false; // launches fail
    bool cubin_fails = false;
    uint64_t address = 0; // of the code
    CUmodule module = nullptr;
    uint64_t launch_value = 0;
};

struct CUstream_st {
    CUgraph capture = nullptr; // what launches become nodes of
    CUaccessPolicyWindow window = {};
};

struct CUgraphNode_st {
    CUfunction func;
    dim3 grid, block;
    bool instrumented; // as it was enabled when it was added
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
    CUDA_MEMCPY3D copy = {};
    CUDA_MEMSET_NODE_PARAMS set = {};
    CUgraph child = nullptr;
    // Its dependencies, by their numbers in the graph, and the types of the edges.
    std::vector<std::pair<size_t, CUgraphDependencyType>> after = {};
    CUgraph_st *graph = nullptr; // of these
};

struct CUgraph_st {
    std::vector<CUgraphNode_st> nodes;
};

struct CUctx_st {
    bool ready = false;
};

// What an application does. Contexts are announced to the tool by stub_context().
void stub_context(CUcontext ctx);
void stub_launch(CUcontext ctx, CUfunction func, dim3 grid, dim3 block, CUstream stream,
                 nvbit_api_cuda_t how = API_CUDA_cuLaunchKernel,
                 std::vector<CUlaunchAttribute> attributes = {});
void stub_add_node(CUcontext ctx, CUgraph graph, CUfunction func, dim3 grid, dim3 block);
// By cuGraphAddNode(), with a kernel in the function's place.
void stub_add_any_node(CUcontext ctx, CUgraph graph, CUfunction func, dim3 grid, dim3 block);
// The function of a node changes.
void stub_set_node(CUcontext ctx, CUgraph graph, size_t node, CUfunction func);
// A copy from the host, a memset of rows, and the nodes of another graph.
void stub_add_copy(CUgraph graph, uint64_t address, size_t bytes);
void stub_add_set(CUgraph graph, uint64_t address, size_t row, size_t rows, size_t pitch);
void stub_add_child(CUgraph graph, CUgraph child);
void stub_make_executable(CUcontext ctx, CUgraph graph);
void stub_launch_graph(CUcontext ctx, CUgraph graph, CUstream stream);
void stub_copy(CUcontext ctx, bool to_host, uint64_t address, size_t bytes);
// From which address on there is what kind of memory. What is below is the host's, and the
// driver does not know it.
#define STUB_DEVICE     0x7f0000000000
#define STUB_REGISTERED 0x7f5000000000 // the host's, as after cuMemHostRegister()
#define STUB_MANAGED    0x7f6000000000
// Launches into STREAM become nodes of GRAPH until the end, which returns whether no forbidden
// call has disturbed the capture.
void stub_begin_capture(CUcontext ctx, CUstream stream, CUgraph graph);
bool stub_end_capture(CUcontext ctx, CUstream stream);
// Within the device; as nobody says; BYTES in words of 4 bytes.
void stub_copy_on(CUcontext ctx, uint64_t to, uint64_t from, size_t bytes,
                  CUstream stream = nullptr);
void stub_copy_any(CUcontext ctx, uint64_t to, uint64_t from, size_t bytes);
void stub_set(CUcontext ctx, uint64_t address, size_t bytes);
void stub_managed(CUcontext ctx, uint64_t address, size_t bytes);
// Any call, which has PARAMS and ends with STATUS.
void stub_call(CUcontext ctx, nvbit_api_cuda_t cbid, void *params,
               CUresult status = CUDA_SUCCESS);
void stub_profiler(CUcontext ctx, bool start);

#endif
