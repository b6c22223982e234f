// The discrete cosine transform of 8 x 8 blocks of an image and its inverse: two
// launches on the same data, high reuse.
#include <vector>

#include "check.h"

constexpr int N = 8;

__constant__ float basis[N][N]; // of each frequency, at each position

// FORWARD: B X B^T of each block, else B^T X B.
__global__ void transform(const float *in, float *out, int width, bool forward)
{
    __shared__ float block[N][N], half[N][N];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t at = static_cast<size_t>(blockIdx.y * N + y) * width + blockIdx.x * N + x;
    block[y][x] = in[at];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += (forward ? basis[y][i] : basis[i][y]) * block[i][x];
    half[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += half[y][i] * (forward ? basis[x][i] : basis[i][x]);
    out[at] = sum;
}

int main(int argc, char **argv)
{
    const int width = (size_of(argc, argv, 256) + N - 1) / N * N;
    const size_t count = static_cast<size_t>(width) * width;
    std::vector<float> image(count), back(count), middle(count);
    float table[N][N];
    const double pi = std::acos(-1.0);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            table[k][i] = static_cast<float>(std::sqrt((k == 0 ? 1.0 : 2.0) / N) *
                                             std::cos((2 * i + 1) * k * pi / (2 * N)));
    for (size_t i = 0; i < count; i++)
        image[i] = static_cast<float>(i * 2654435761u % 256);
    CUDA(cudaMemcpyToSymbol(basis, table, sizeof table));
    float *a = upload(image.data(), count), *b = upload<float>(nullptr, count);
    const dim3 grid(width / N, width / N), threads(N, N);
    transform<<<grid, threads>>>(a, b, width, true);
    download(middle.data(), b, count);
    transform<<<grid, threads>>>(b, a, width, false);
    download(back.data(), a, count);
    // The first coefficient of a block is its sum over 8.
    double sum = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            sum += image[static_cast<size_t>(y) * width + x];
    size_t wrong = !is_near(middle[0], sum / N, 1e-4);
    for (size_t i = 0; i < count; i++)
        wrong += !is_near(back[i], image[i], 1e-3);
    return report("dct8x8", wrong);
}
