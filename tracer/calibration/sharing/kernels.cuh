// Kernels that both programs of this folder launch.
#ifndef HEARTH_TRACER_CALIBRATION_SHARING_KERNELS_CUH
#define HEARTH_TRACER_CALIBRATION_SHARING_KERNELS_CUH

#include "stamps.cuh"

__global__ void vec4(const uint4 *a, uint4 *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint4 v = a[i];
        v.x += 1;
        v.y += 2;
        v.z += 3;
        v.w += 4;
        b[i] = v;
    }
}

__global__ void add3(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// Butterflies as in ../../examples/fft.cu.
__global__ void stage(float2 *data, int bits, int half, float sign)
{
    const int n = 1 << bits, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    float2 *row = data + static_cast<size_t>(blockIdx.y) * n;
    const int k = i % half, at = i / half * 2 * half + k;
    float s, c;
    sincospif(sign * static_cast<float>(k) / static_cast<float>(half), &s, &c);
    const float2 a = row[at], b = row[at + half];
    const float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    row[at] = make_float2(a.x + turned.x, a.y + turned.y);
    row[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
}

// Each thread reads (or writes) a word, STRIDE apart, ROUNDS times.
template <bool WRITE>
__global__ void strided(char *area, uint32_t *out, uint64_t stride, int rounds)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    uint32_t sum = 0;
    for (int r = 0; r < rounds; r++) {
        char *p = area + (uint64_t)(i + r * all) * stride;
        if (WRITE)
            *(volatile uint32_t *)p = i;
        else
            sum ^= ldcg(p);
    }
    KEEP(sum, out);
}

#endif
