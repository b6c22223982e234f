// C = A B, tiles of 16 x 16 in shared memory.
#include <vector>

#include "check.h"

constexpr int TILE = 16;

__global__ void gemm(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **argv)
{
    const int n = (size_of(argc, argv, 128) + TILE - 1) / TILE * TILE;
    const size_t count = static_cast<size_t>(n) * n;
    std::vector<float> a(count), b(count), c(count);
    for (size_t i = 0; i < count; i++) {
        a[i] = static_cast<float>(i % 7) - 3;
        b[i] = static_cast<float>(i % 5) - 2;
    }
    float *da = upload(a.data(), count), *db = upload(b.data(), count);
    float *dc = upload<float>(nullptr, count);
    gemm<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    download(c.data(), dc, count);
    size_t wrong = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += static_cast<double>(a[y * n + k]) * b[k * n + x];
            wrong += !is_near(c[y * n + x], sum, 1e-5);
        }
    return report("gemm", wrong);
}
