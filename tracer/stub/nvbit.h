// A stand-in for NVBit's interface and the part of CUDA's that the tool uses, so
// that it is compiled and tested where neither is. Names and signatures are those
// of NVBit 1.7 and CUDA 13; driver.cc makes it do something.
#ifndef HEARTH_TRACER_STUB_NVBIT_H
#define HEARTH_TRACER_STUB_NVBIT_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <pthread.h>

#define NVBIT_VERSION "1.7-stub"
#define CUDA_VERSION  13000

#define __device__
#define __global__
#define __noinline__
#define __forceinline__ inline

// ---- CUDA ------------------------------------------------------------------

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned ax = 1, unsigned ay = 1, unsigned az = 1) : x(ax), y(ay), z(az)
    {
    }
};

typedef struct CUctx_st *CUcontext;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;
typedef struct CUstream_st *CUstream, *cudaStream_t;
typedef struct CUgraph_st *CUgraph, *CUgraphExec; // made executable, it is the same
typedef struct CUgraphNode_st *CUgraphNode;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_INVALID_HANDLE = 400
};
enum cudaError_t { cudaSuccess = 0, cudaErrorStreamCaptureUnsupported = 900 };
enum CUfunction_attribute {
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
    CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1
};

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeRelaxed = 2
};

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction func);
CUresult cuFuncGetModule(CUmodule *module, CUfunction func);
CUresult cuKernelGetFunction(CUfunction *func, CUkernel kernel);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute which, CUkernel kernel,
                              CUdevice device);
CUresult cuCtxGetDevice(CUdevice *device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode);
cudaError_t cudaGetLastError();
cudaError_t cudaMallocManaged(void **memory, size_t size);
enum { cudaHostAllocMapped = 2 };
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);

enum CUlimit { CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6 };
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
CUresult cuFuncGetParamInfo(CUfunction func, size_t i, size_t *offset, size_t *size);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t i, size_t *offset, size_t *size);

enum CUaccessProperty {
    CU_ACCESS_PROPERTY_NORMAL,
    CU_ACCESS_PROPERTY_STREAMING,
    CU_ACCESS_PROPERTY_PERSISTING
};
struct CUaccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    CUaccessProperty hitProp, missProp;
};
enum CUlaunchAttributeID {
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
};
union CUlaunchAttributeValue {
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim;
    unsigned sharedMemCarveout;
    int programmaticStreamSerializationAllowed;
    CUaccessPolicyWindow accessPolicyWindow;
};
CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID which,
                              CUlaunchAttributeValue *value);
struct CUlaunchAttribute {
    CUlaunchAttributeID id;
    CUlaunchAttributeValue value;
};
struct CUlaunchConfig {
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
};
struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction func;
    CUkernel kern;
};
enum CUgraphNodeType {
    CU_GRAPH_NODE_TYPE_KERNEL = 0,
    CU_GRAPH_NODE_TYPE_MEMCPY = 1,
    CU_GRAPH_NODE_TYPE_MEMSET = 2,
    CU_GRAPH_NODE_TYPE_GRAPH = 4
};
struct CUgraphNodeParams {
    CUgraphNodeType type;
    CUDA_KERNEL_NODE_PARAMS kernel;
};
#define CU_LAUNCH_PARAM_END            (reinterpret_cast<void *>(0))
#define CU_LAUNCH_PARAM_BUFFER_POINTER (reinterpret_cast<void *>(1))
#define CU_LAUNCH_PARAM_BUFFER_SIZE    (reinterpret_cast<void *>(2))
struct cuLaunchKernel_params {
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    void **kernelParams, **extra;
};
struct cuLaunchCooperativeKernel_params {
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    void **kernelParams;
};
struct cuLaunchKernelEx_params {
    const CUlaunchConfig *config;
    CUfunction f;
    void **kernelParams, **extra;
};
struct cuGraphAddKernelNode_params {
    const CUDA_KERNEL_NODE_PARAMS *nodeParams;
};
typedef cuGraphAddKernelNode_params cuGraphAddKernelNode_v2_params;
typedef cuGraphAddKernelNode_params cuGraphKernelNodeSetParams_params;
typedef cuGraphAddKernelNode_params cuGraphKernelNodeSetParams_v2_params;
typedef cuGraphAddKernelNode_params cuGraphExecKernelNodeSetParams_params;
typedef cuGraphAddKernelNode_params cuGraphExecKernelNodeSetParams_v2_params;
struct cuGraphAddNode_params {
    CUgraphNodeParams *nodeParams;
};
typedef cuGraphAddNode_params cuGraphAddNode_v2_params;
struct cuGraphLaunch_params {
    CUgraphExec hGraph;
    CUstream hStream;
};
struct cuGraphInstantiate_v2_params {
    CUgraphExec *phGraphExec;
    CUgraph hGraph;
};
typedef cuGraphInstantiate_v2_params cuGraphInstantiateWithFlags_params,
    cuGraphInstantiateWithParams_params;
struct cuGraphExecUpdate_params {
    CUgraphExec hGraphExec;
    CUgraph hGraph;
};
typedef cuGraphExecUpdate_params cuGraphExecUpdate_v2_params;
struct cuModuleUnload_params {
    CUmodule hmod;
};
struct cuLibraryUnload_params {
    CUlibrary library;
};
struct cuMemAllocManaged_params {
    CUdeviceptr *dptr;
    size_t bytesize;
    unsigned flags;
};
struct CUtensorMap {
    uint64_t opaque[16];
};
struct cuTensorMapEncodeTiled_params {
    CUtensorMap *tensorMap;
    int tensorDataType;
    uint32_t tensorRank;
    void *globalAddress;
    const uint64_t *globalDim, *globalStrides;
    const uint32_t *boxDim, *elementStrides;
    int interleave, swizzle, l2Promotion, oobFill;
};
struct cuTensorMapEncodeIm2col_params {
    CUtensorMap *tensorMap;
    int tensorDataType;
    uint32_t tensorRank;
    void *globalAddress;
    const uint64_t *globalDim, *globalStrides;
    const int *pixelBoxLowerCorner, *pixelBoxUpperCorner;
    uint32_t channelsPerPixel, pixelsPerColumn;
    const uint32_t *elementStrides;
    int interleave, swizzle, l2Promotion, oobFill;
};
// Copies and memsets: each that has a stream is like one that has none.
template <typename Params> struct InStream : Params {
    CUstream hStream;
};
struct cuMemcpyHtoD_v2_params {
    CUdeviceptr dstDevice;
    const void *srcHost;
    size_t ByteCount;
};
struct cuMemcpyDtoH_v2_params {
    void *dstHost;
    CUdeviceptr srcDevice;
    size_t ByteCount;
};
struct cuMemcpyDtoD_v2_params {
    CUdeviceptr dstDevice, srcDevice;
    size_t ByteCount;
};
struct cuMemcpyPeer_params {
    CUdeviceptr dstDevice;
    CUcontext dstContext;
    CUdeviceptr srcDevice;
    CUcontext srcContext;
    size_t ByteCount;
};
struct cuMemcpy_params {
    CUdeviceptr dst, src;
    size_t ByteCount;
};
typedef InStream<cuMemcpyHtoD_v2_params> cuMemcpyHtoDAsync_v2_params;
typedef InStream<cuMemcpyDtoH_v2_params> cuMemcpyDtoHAsync_v2_params;
typedef InStream<cuMemcpyDtoD_v2_params> cuMemcpyDtoDAsync_v2_params;
typedef InStream<cuMemcpyPeer_params> cuMemcpyPeerAsync_params;
typedef InStream<cuMemcpy_params> cuMemcpyAsync_params;
enum CUmemorytype {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
};
enum CUpointer_attribute {
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8
};
struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    size_t dstPitch;
    size_t WidthInBytes, Height;
};
struct CUDA_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
};
struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cuGraphExecMemcpyNodeSetParams_params {
    CUgraphExec hGraphExec;
    CUgraphNode hNode;
    const CUDA_MEMCPY3D *copyParams;
};
struct cuGraphExecMemsetNodeSetParams_params {
    CUgraphExec hGraphExec;
    CUgraphNode hNode;
    const CUDA_MEMSET_NODE_PARAMS *memsetParams;
};
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
enum CUgraphDependencyType {
    CU_GRAPH_DEPENDENCY_TYPE_DEFAULT = 0,
    CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1
};
struct CUgraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes,
                                       CUgraphEdgeData *edges, size_t *count);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *set);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child);
struct cuMemcpy2D_v2_params {
    const CUDA_MEMCPY2D *pCopy;
};
struct cuMemcpy3D_v2_params {
    const CUDA_MEMCPY3D *pCopy;
};
typedef cuMemcpy3D_v2_params cuMemcpy3DPeer_params;
typedef InStream<cuMemcpy2D_v2_params> cuMemcpy2DAsync_v2_params;
typedef InStream<cuMemcpy3D_v2_params> cuMemcpy3DAsync_v2_params, cuMemcpy3DPeerAsync_params;
struct cuMemcpyBatchAsync_v2_params {
    CUdeviceptr *dsts, *srcs;
    size_t *sizes;
    size_t count;
    CUstream hStream;
};
typedef cuMemcpyBatchAsync_v2_params cuMemcpyBatchAsync_params;
struct cuMemsetD8_v2_params {
    CUdeviceptr dstDevice;
    size_t N;
};
struct cuMemsetD2D8_v2_params {
    CUdeviceptr dstDevice;
    size_t dstPitch, Width, Height;
};
typedef cuMemsetD8_v2_params cuMemsetD16_v2_params, cuMemsetD32_v2_params;
typedef InStream<cuMemsetD8_v2_params> cuMemsetD8Async_params, cuMemsetD16Async_params,
    cuMemsetD32Async_params;
typedef cuMemsetD2D8_v2_params cuMemsetD2D16_v2_params, cuMemsetD2D32_v2_params;
typedef InStream<cuMemsetD2D8_v2_params> cuMemsetD2D8Async_params, cuMemsetD2D16Async_params,
    cuMemsetD2D32Async_params;

enum nvbit_api_cuda_t {
    API_CUDA_INVALID,
    API_CUDA_cuLaunchKernel,
    API_CUDA_cuLaunchKernel_ptsz,
    API_CUDA_cuLaunchCooperativeKernel,
    API_CUDA_cuLaunchCooperativeKernel_ptsz,
    API_CUDA_cuLaunchKernelEx,
    API_CUDA_cuLaunchKernelEx_ptsz,
    API_CUDA_cuGraphAddKernelNode,
    API_CUDA_cuGraphAddKernelNode_v2,
    API_CUDA_cuGraphKernelNodeSetParams,
    API_CUDA_cuGraphKernelNodeSetParams_v2,
    API_CUDA_cuGraphExecKernelNodeSetParams,
    API_CUDA_cuGraphExecKernelNodeSetParams_v2,
    API_CUDA_cuGraphAddNode,
    API_CUDA_cuGraphAddNode_v2,
    API_CUDA_cuGraphLaunch,
    API_CUDA_cuGraphLaunch_ptsz,
    API_CUDA_cuMemcpyHtoD_v2,
    API_CUDA_cuMemcpyHtoD_v2_ptds,
    API_CUDA_cuMemcpyHtoDAsync_v2,
    API_CUDA_cuMemcpyHtoDAsync_v2_ptsz,
    API_CUDA_cuMemcpyDtoH_v2,
    API_CUDA_cuMemcpyDtoH_v2_ptds,
    API_CUDA_cuMemcpyDtoHAsync_v2,
    API_CUDA_cuMemcpyDtoHAsync_v2_ptsz,
    API_CUDA_cuMemcpyDtoD_v2,
    API_CUDA_cuMemcpyDtoD_v2_ptds,
    API_CUDA_cuMemcpy,
    API_CUDA_cuMemcpy_ptds,
    API_CUDA_cuMemsetD8_v2,
    API_CUDA_cuMemsetD8_v2_ptds,
    API_CUDA_cuMemsetD16_v2,
    API_CUDA_cuMemsetD16_v2_ptds,
    API_CUDA_cuMemsetD32_v2,
    API_CUDA_cuMemsetD32_v2_ptds,
    API_CUDA_cuMemcpyDtoDAsync_v2,
    API_CUDA_cuMemcpyDtoDAsync_v2_ptsz,
    API_CUDA_cuMemcpyAsync,
    API_CUDA_cuMemcpyAsync_ptsz,
    API_CUDA_cuMemsetD8Async,
    API_CUDA_cuMemsetD8Async_ptsz,
    API_CUDA_cuMemsetD16Async,
    API_CUDA_cuMemsetD16Async_ptsz,
    API_CUDA_cuMemsetD32Async,
    API_CUDA_cuMemsetD32Async_ptsz,
    API_CUDA_cuMemcpyPeer,
    API_CUDA_cuMemcpyPeer_ptds,
    API_CUDA_cuMemcpyPeerAsync,
    API_CUDA_cuMemcpyPeerAsync_ptsz,
    API_CUDA_cuMemcpy2D_v2,
    API_CUDA_cuMemcpy2D_v2_ptds,
    API_CUDA_cuMemcpy2DUnaligned_v2,
    API_CUDA_cuMemcpy2DUnaligned_v2_ptds,
    API_CUDA_cuMemcpy2DAsync_v2,
    API_CUDA_cuMemcpy2DAsync_v2_ptsz,
    API_CUDA_cuMemcpy3D_v2,
    API_CUDA_cuMemcpy3D_v2_ptds,
    API_CUDA_cuMemcpy3DAsync_v2,
    API_CUDA_cuMemcpy3DAsync_v2_ptsz,
    API_CUDA_cuMemcpy3DPeer,
    API_CUDA_cuMemcpy3DPeer_ptds,
    API_CUDA_cuMemcpy3DPeerAsync,
    API_CUDA_cuMemcpy3DPeerAsync_ptsz,
    API_CUDA_cuMemcpyBatchAsync,
    API_CUDA_cuMemcpyBatchAsync_ptsz,
    API_CUDA_cuMemcpyBatchAsync_v2,
    API_CUDA_cuMemcpyBatchAsync_v2_ptsz,
    API_CUDA_cuMemcpy3DBatchAsync,
    API_CUDA_cuMemcpy3DBatchAsync_ptsz,
    API_CUDA_cuMemcpy3DBatchAsync_v2,
    API_CUDA_cuMemcpy3DBatchAsync_v2_ptsz,
    API_CUDA_cuMemcpyHtoA_v2,
    API_CUDA_cuMemcpyHtoA_v2_ptds,
    API_CUDA_cuMemcpyHtoAAsync_v2,
    API_CUDA_cuMemcpyHtoAAsync_v2_ptsz,
    API_CUDA_cuMemcpyAtoH_v2,
    API_CUDA_cuMemcpyAtoH_v2_ptds,
    API_CUDA_cuMemcpyAtoHAsync_v2,
    API_CUDA_cuMemcpyAtoHAsync_v2_ptsz,
    API_CUDA_cuMemcpyDtoA_v2,
    API_CUDA_cuMemcpyDtoA_v2_ptds,
    API_CUDA_cuMemcpyAtoD_v2,
    API_CUDA_cuMemcpyAtoD_v2_ptds,
    API_CUDA_cuMemcpyAtoA_v2,
    API_CUDA_cuMemcpyAtoA_v2_ptds,
    API_CUDA_cuMemsetD2D8_v2,
    API_CUDA_cuMemsetD2D8_v2_ptds,
    API_CUDA_cuMemsetD2D8Async,
    API_CUDA_cuMemsetD2D8Async_ptsz,
    API_CUDA_cuMemsetD2D16_v2,
    API_CUDA_cuMemsetD2D16_v2_ptds,
    API_CUDA_cuMemsetD2D16Async,
    API_CUDA_cuMemsetD2D16Async_ptsz,
    API_CUDA_cuMemsetD2D32_v2,
    API_CUDA_cuMemsetD2D32_v2_ptds,
    API_CUDA_cuMemsetD2D32Async,
    API_CUDA_cuMemsetD2D32Async_ptsz,
    API_CUDA_cuStreamBeginCapture,
    API_CUDA_cuStreamBeginCapture_ptsz,
    API_CUDA_cuStreamBeginCapture_v2,
    API_CUDA_cuStreamBeginCapture_v2_ptsz,
    API_CUDA_cuStreamBeginCaptureToGraph,
    API_CUDA_cuStreamBeginCaptureToGraph_ptsz,
    API_CUDA_cuStreamEndCapture,
    API_CUDA_cuStreamEndCapture_ptsz,
    API_CUDA_cuGraphInstantiate,
    API_CUDA_cuGraphInstantiate_v2,
    API_CUDA_cuGraphInstantiateWithFlags,
    API_CUDA_cuGraphInstantiateWithParams,
    API_CUDA_cuGraphInstantiateWithParams_ptsz,
    API_CUDA_cuGraphExecUpdate,
    API_CUDA_cuGraphExecUpdate_v2,
    API_CUDA_cuGraphExecMemcpyNodeSetParams,
    API_CUDA_cuGraphExecMemsetNodeSetParams,
    API_CUDA_cuLaunch,
    API_CUDA_cuLaunchGrid,
    API_CUDA_cuLaunchGridAsync,
    API_CUDA_cuLaunchCooperativeKernelMultiDevice,
    API_CUDA_cuModuleUnload,
    API_CUDA_cuLibraryUnload,
    API_CUDA_cuMemAllocManaged,
    API_CUDA_cuTensorMapEncodeTiled,
    API_CUDA_cuTensorMapEncodeIm2col,
    API_CUDA_cuProfilerStart,
    API_CUDA_cuProfilerStop,
};

// ---- instructions ----------------------------------------------------------

namespace InstrType
{

constexpr int PT = 7;

enum class OperandType { IMM_UINT64, IMM_DOUBLE, REG, PRED, UREG, UPRED, CBANK, MREF, GENERIC };

struct operand_t {
    OperandType type;
    bool is_not;
    union {
        struct {
            uint64_t value;
        } imm_uint64;
        struct {
            int num;
        } reg;
        struct {
            int num;
        } pred;
        struct {
            int id;
            bool has_imm_offset;
            int imm_offset;
            bool has_reg_offset;
            int reg_offset;
        } cbank;
        struct {
            int ra_num;
            bool has_ur;
            int ur_num;
        } mref;
    } u;
};

} // namespace InstrType

// An argument of an inserted call.
struct StubArgument {
    enum Kind { GUARD, PREDICATE, CONSTANT, REGISTER, UNIFORM, LAUNCH, ADDRESS } kind;
    uint64_t value; // the constant, which memory operand, or which register
};

struct StubCall {
    std::string name;
    std::vector<StubArgument> arguments;
};

class Instr
{
  public:
    std::string opcode;
    std::string sass; // as the disassembler prints it; "": it does not matter
    uint32_t offset = 0;
    uint64_t low = 0, high = 0; // its bytes in the cubin
    int guard = -1;             // predicate register; -1: none
    bool negated = false;
    std::vector<InstrType::operand_t> operands;
    mutable std::vector<StubCall> calls;

    const char *getSass()
    {
        return sass.c_str();
    }
    uint32_t getOffset()
    {
        return offset;
    }
    uint32_t getIdx()
    {
        return offset / 16;
    }
    bool hasPred()
    {
        return guard >= 0;
    }
    int getPredNum()
    {
        return guard;
    }
    bool isPredNeg()
    {
        return negated;
    }
    bool isPredUniform()
    {
        return false;
    }
    const char *getOpcode()
    {
        return opcode.c_str();
    }
    int getNumOperands()
    {
        return static_cast<int>(operands.size());
    }
    const InstrType::operand_t *getOperand(int i)
    {
        return &operands[static_cast<size_t>(i)];
    }
    void printDecoded()
    {
        fprintf(stderr, "%04x %s\n", offset, opcode.c_str());
    }
};

struct basic_block_t {
    std::vector<Instr *> instrs;
};

struct CFG_t {
    bool is_degenerate;
    std::vector<basic_block_t *> bbs;
};

struct func_config_t {
    uint32_t blockDimX, blockDimY, blockDimZ, gridDimX, gridDimY, gridDimZ;
    uint32_t shmem_static_nbytes, shmem_dynamic_nbytes, num_registers;
};

extern "C" {

// The tool's.
void nvbit_at_init();
void nvbit_at_term();
void nvbit_at_ctx_init(CUcontext ctx);
void nvbit_at_ctx_term(CUcontext ctx);
void nvbit_tool_init(CUcontext ctx);
void nvbit_at_cuda_event(CUcontext ctx, int is_exit, nvbit_api_cuda_t cbid, const char *name,
                         void *params, CUresult *status);
void nvbit_at_graph_node_launch(CUcontext ctx, CUfunction func, CUstream stream,
                                uint64_t launch_handle);

// NVBit's.
const char *nvbit_get_func_name(CUcontext ctx, CUfunction func, bool mangled = false);
bool nvbit_get_line_info(CUcontext ctx, CUfunction func, uint32_t offset, char **file,
                         char **folder, uint32_t *line);
uint64_t nvbit_get_shmem_base_addr(CUcontext ctx);
uint64_t nvbit_get_local_mem_base_addr(CUcontext ctx);
void nvbit_get_func_config(CUcontext ctx, CUfunction func, func_config_t *config);
bool nvbit_dump_cubin(CUcontext ctx, CUfunction func, const char *path);
uint64_t nvbit_get_func_addr(CUcontext ctx, CUfunction func);
void nvbit_insert_call(const Instr *instr, const char *name, int point);
void nvbit_add_call_arg_guard_pred_val(const Instr *instr, bool variadic = false);
void nvbit_add_call_arg_pred_val_at(const Instr *instr, int number, bool variadic = false);
void nvbit_add_call_arg_upred_val_at(const Instr *instr, int number, bool variadic = false);
void nvbit_add_call_arg_reg_val(const Instr *instr, int number, bool variadic = false);
void nvbit_add_call_arg_ureg_val(const Instr *instr, int number, bool variadic = false);
void nvbit_add_call_arg_const_val32(const Instr *instr, uint32_t value, bool variadic = false);
void nvbit_add_call_arg_const_val64(const Instr *instr, uint64_t value, bool variadic = false);
void nvbit_add_call_arg_launch_val64(const Instr *instr, int offset, bool variadic = false);
void nvbit_add_call_arg_mref_addr64(const Instr *instr, int id = 0, bool variadic = false);
void nvbit_enable_instrumented(CUcontext ctx, CUfunction func, bool flag, bool related = true);
void nvbit_set_at_launch(CUcontext ctx, CUfunction func, uint64_t value,
                         CUstream stream = nullptr, uint64_t launch_handle = 0);
void nvbit_set_tool_pthread(pthread_t thread);
void nvbit_unset_tool_pthread(pthread_t thread);
}
std::vector<CUfunction> nvbit_get_related_functions(CUcontext ctx, CUfunction func);
const std::vector<Instr *> &nvbit_get_instrs(CUcontext ctx, CUfunction func);
const CFG_t &nvbit_get_CFG(CUcontext ctx, CUfunction func);
enum { IPOINT_BEFORE, IPOINT_AFTER };

#endif
