// What the examples and the calibration program share: errors end them; and each example says
// whether its result is right.
#ifndef HEARTH_TRACER_EXAMPLES_CHECK_H
#define HEARTH_TRACER_EXAMPLES_CHECK_H

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CUDA(call)                                                                             \
    do {                                                                                       \
        cudaError_t rc_ = (call);                                                              \
        if (rc_ != cudaSuccess) {                                                              \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(rc_));                       \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

// The size of the problem: the first argument, or STANDARD.
inline int size_of(int argc, char **argv, int standard)
{
    const int size = argc > 1 ? atoi(argv[1]) : standard;
    return size > 0 ? size : standard;
}

// An array on the GPU with a copy of the COUNT elements at FROM, if any.
template <typename T> T *upload(const T *from, size_t count)
{
    T *device;
    CUDA(cudaMalloc(&device, count * sizeof(T)));
    if (from != nullptr)
        CUDA(cudaMemcpy(device, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T> void download(T *to, T *device, size_t count)
{
    CUDA(cudaMemcpy(to, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

inline bool is_near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

// The exit status for a result with WRONG elements.
inline int report(const char *name, size_t wrong)
{
    CUDA(cudaDeviceSynchronize());
    printf("%s: %s\n", name, wrong == 0 ? "right" : "WRONG");
    return wrong != 0;
}

#endif
