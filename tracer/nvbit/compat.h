// What differs between the releases of NVBit, 1.5.5 to 1.7.x.
#ifndef HEARTH_TRACER_COMPAT_H
#define HEARTH_TRACER_COMPAT_H

#include <cstdint>

#include "nvbit.h"

// nvbit_set_at_launch() takes a buffer up to 1.5.x, a number since, and with
// graphs a stream and the node's handle: overloads by its type.
namespace compat
{

inline void set_at_launch(void (*set)(CUcontext, CUfunction, void *, uint32_t), CUcontext ctx,
                          CUfunction func, uint64_t value, CUstream, uint64_t)
{
    set(ctx, func, &value, sizeof value);
}

inline void set_at_launch(void (*set)(CUcontext, CUfunction, uint64_t), CUcontext ctx,
                          CUfunction func, uint64_t value, CUstream, uint64_t)
{
    set(ctx, func, value);
}

inline void set_at_launch(void (*set)(CUcontext, CUfunction, uint64_t, CUstream, uint64_t),
                          CUcontext ctx, CUfunction func, uint64_t value, CUstream stream,
                          uint64_t handle)
{
    set(ctx, func, value, stream, handle);
}

// The build sets TRACER_CODE where nvbit.h has nvbit_dump_cubin().
#ifndef TRACER_CODE
#define TRACER_CODE 0
#endif
// What NVBit's function returns does not tell: 1.7.7.1's says false when it has written the
// file.
inline void dump_cubin(CUcontext ctx, CUfunction func, const char *path)
{
#if TRACER_CODE
    nvbit_dump_cubin(ctx, func, path);
#else
    static_cast<void>(ctx), static_cast<void>(func), static_cast<void>(path);
#endif
}

// Up to 1.5.x without a context.
inline uint64_t get_address(uint64_t (*get)(CUfunction), CUcontext, CUfunction func)
{
    return get(func);
}

inline uint64_t get_address(uint64_t (*get)(CUcontext, CUfunction), CUcontext ctx,
                            CUfunction func)
{
    return get(ctx, func);
}

inline uint64_t function_address(CUcontext ctx, CUfunction func)
{
    return get_address(nvbit_get_func_addr, ctx, func);
}

} // namespace compat

#define SET_AT_LAUNCH(...) compat::set_at_launch(nvbit_set_at_launch, __VA_ARGS__)

// Driver calls that came with later versions of CUDA, whose headers NVBit
// brings along.
#define HAS_LAUNCH_EX        (CUDA_VERSION >= 11080)
#define HAS_CARVEOUT         (CUDA_VERSION >= 12050)
#define HAS_NODE_V2          (CUDA_VERSION >= 12000)
#define HAS_KERNELS          (CUDA_VERSION >= 12000)
#define HAS_ADD_NODE         (CUDA_VERSION >= 12040)
#define HAS_TENSOR_MAPS      (CUDA_VERSION >= 12000)
#define HAS_PARAMETERS       (CUDA_VERSION >= 12040)
#define HAS_CAPTURE_TO_GRAPH (CUDA_VERSION >= 12030)
#define HAS_GRAPH_EDGES      (CUDA_VERSION >= 12030)
#define HAS_BATCHES          (CUDA_VERSION >= 13000)
#define HAS_GRAPH_FLAGS      (CUDA_VERSION >= 11040)

// The build sets TRACER_GRAPHS where nvbit.h has nvbit_at_graph_node_launch():
// kernels in graphs are traced only there.
#ifndef TRACER_GRAPHS
#define TRACER_GRAPHS 0
#endif

#endif
