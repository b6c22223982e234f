// Fourier transforms of rows, forth and back, a launch a stage: radix 2, in
// place after reordering.
#include <vector>

#include "check.h"

__global__ void reorder(const float2 *in, float2 *out, int bits)
{
    const unsigned n = 1u << bits, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[blockIdx.y * n + (__brev(i) >> (32 - bits))] = in[blockIdx.y * n + i];
}

// Butterflies between elements HALF apart; SIGN is -1 forth, 1 back.
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

static void transform(const float2 *in, float2 *out, int bits, int rows, float sign)
{
    const int n = 1 << bits;
    reorder<<<dim3((n + 127) / 128, rows), 128>>>(in, out, bits);
    for (int half = 1; half < n; half *= 2)
        stage<<<dim3((n / 2 + 127) / 128, rows), 128>>>(out, bits, half, sign);
}

int main(int argc, char **argv)
{
    const int rows = size_of(argc, argv, 64), bits = 9, n = 1 << bits;
    const size_t count = static_cast<size_t>(rows) * n;
    std::vector<float2> data(count), middle(count), back(count);
    const double pi = std::acos(-1.0);
    // Row r is a wave of frequency r.
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++)
            data[static_cast<size_t>(r) * n + i] =
                make_float2(static_cast<float>(std::cos(2 * pi * (r % n) * i / n)),
                            static_cast<float>(std::sin(2 * pi * (r % n) * i / n)));
    float2 *a = upload(data.data(), count), *b = upload<float2>(nullptr, count);
    transform(a, b, bits, rows, -1);
    download(middle.data(), b, count);
    transform(b, a, bits, rows, 1);
    download(back.data(), a, count);
    size_t wrong = 0;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++) {
            const size_t at = static_cast<size_t>(r) * n + i;
            wrong += std::fabs(middle[at].x - (i == r % n ? n : 0)) > 0.05;
            wrong += !is_near(back[at].x / n, data[at].x, 1e-3);
        }
    return report("fft", wrong);
}
