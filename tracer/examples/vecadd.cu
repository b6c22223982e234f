// c = a + b.
#include <vector>

#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    const int n = size_of(argc, argv, 100000);
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = static_cast<float>(i);
        b[i] = 2.0f * static_cast<float>(i % 1000);
    }
    float *da = upload(a.data(), n), *db = upload(b.data(), n), *dc = upload<float>(nullptr, n);
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    download(c.data(), dc, n);
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    return report("vecadd", wrong);
}
