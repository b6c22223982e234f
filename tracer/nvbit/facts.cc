#include "tracer/nvbit/facts.h"

#include <cstdio>

int attribute(CUfunction func, CUfunction_attribute which, int otherwise)
{
    int value = otherwise;
    CUresult rc = cuFuncGetAttribute(&value, which, func);
#if HAS_KERNELS
    CUdevice device;
    if (rc == CUDA_ERROR_INVALID_HANDLE && cuCtxGetDevice(&device) == CUDA_SUCCESS)
        rc = cuKernelGetAttribute(&value, which, reinterpret_cast<CUkernel>(func), device);
#endif
    return rc == CUDA_SUCCESS ? value : otherwise;
}

namespace
{

#if HAS_LAUNCH_EX
// How accesses to a window of memory are kept in L2: as the launch says, or else its stream.
std::string window_of(const Event &event)
{
    CUlaunchAttributeValue value = {};
    size_t persisting = 0;
    char text[160];
    if (event.has_window)
        value.accessPolicyWindow = event.window;
    else if (cuStreamGetAttribute(event.stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                                  &value) != CUDA_SUCCESS)
        return "";
    const CUaccessPolicyWindow &window = value.accessPolicyWindow;
    if (window.num_bytes == 0)
        return "";
    if (cuCtxGetLimit(&persisting, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) != CUDA_SUCCESS)
        persisting = 0;
    snprintf(text, sizeof text, " window=0x%016llx,%llu,%.3f,%d,%d persisting=%llu",
             static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(window.base_ptr)),
             static_cast<unsigned long long>(window.num_bytes),
             static_cast<double>(window.hitRatio), static_cast<int>(window.hitProp),
             static_cast<int>(window.missProp), static_cast<unsigned long long>(persisting));
    return text;
}
#endif

#if HAS_PARAMETERS
// Where parameter I of FUNC is among the parameters. Returns whether there is one.
bool get_parameter(CUfunction func, size_t i, size_t *offset, size_t *size)
{
    CUresult rc = cuFuncGetParamInfo(func, i, offset, size);
    if (rc == CUDA_ERROR_INVALID_HANDLE)
        rc = cuKernelGetParamInfo(reinterpret_cast<CUkernel>(func), i, offset, size);
    return rc == CUDA_SUCCESS;
}
#endif

} // namespace

std::vector<Parameter> parameters_of(const Event &event)
{
    std::vector<Parameter> parameters;
#if HAS_PARAMETERS
    size_t offset, size;
    for (size_t i = 0;
         event.parameters != nullptr && get_parameter(event.func, i, &offset, &size); i++)
        parameters.push_back({event.parameters[i], size, offset});
#endif
    if (event.buffer != nullptr)
        parameters.push_back({event.buffer, event.buffer_size, 0});
    return parameters;
}

void add_facts(tracer_launch &launch, std::string &more, const Event &event,
               const std::string &maps)
{
    launch.dynamic_shmem = event.shared;
    launch.cooperative = event.cooperative;
    launch.carveout =
        event.carveout >= 0
            ? event.carveout
            : attribute(event.func, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1);
    for (int i = 0; i < 3; i++)
        launch.cluster[i] = event.cluster[i];
    if (event.programmatic >= 0)
        more += " programmatic=" + std::to_string(event.programmatic);
#if HAS_LAUNCH_EX
    const CUfunction_attribute sizes[] = {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
                                          CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
                                          CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH};
    for (int i = 0; event.cluster[0] == 0 && i < 3; i++)
        launch.cluster[i] = static_cast<uint32_t>(attribute(event.func, sizes[i]));
    more += window_of(event);
#endif
    if (!maps.empty())
        more += " maps=" + maps;
    launch.more = more.c_str();
}
