// Level-synchronous breadth-first search of a random graph: a launch a level,
// loads and branches that depend on data.
#include <queue>
#include <vector>

#include "check.h"

constexpr int DEGREE = 4;

__global__ void visit(const int *to, int *level, int now, int nodes, int *found)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != now)
        return;
    for (int e = 0; e < DEGREE; e++) {
        const int other = to[node * DEGREE + e];
        if (atomicCAS(&level[other], -1, now + 1) == -1)
            *found = 1;
    }
}

static std::vector<int> search(const std::vector<int> &to, int nodes)
{
    std::vector<int> level(nodes, -1);
    std::queue<int> waiting;
    level[0] = 0;
    waiting.push(0);
    while (!waiting.empty()) {
        const int node = waiting.front();
        waiting.pop();
        for (int e = 0; e < DEGREE; e++) {
            const int other = to[node * DEGREE + e];
            if (level[other] != -1)
                continue;
            level[other] = level[node] + 1;
            waiting.push(other);
        }
    }
    return level;
}

int main(int argc, char **argv)
{
    const int nodes = size_of(argc, argv, 20000);
    std::vector<int> to(static_cast<size_t>(nodes) * DEGREE), level(nodes, -1);
    unsigned state = 1;
    for (int &other : to) {
        state = state * 1664525u + 1013904223u;
        other = static_cast<int>((state >> 8) % static_cast<unsigned>(nodes));
    }
    level[0] = 0;
    int *dto = upload(to.data(), to.size()), *dlevel = upload(level.data(), level.size());
    int found = 1, *dfound = upload<int>(nullptr, 1);
    for (int now = 0; found != 0; now++) {
        CUDA(cudaMemset(dfound, 0, sizeof *dfound));
        visit<<<(nodes + 127) / 128, 128>>>(dto, dlevel, now, nodes, dfound);
        download(&found, dfound, 1);
    }
    download(level.data(), dlevel, level.size());
    const std::vector<int> expected = search(to, nodes);
    size_t wrong = 0;
    for (int i = 0; i < nodes; i++)
        wrong += level[i] != expected[i];
    return report("bfs", wrong);
}
