// What a write does to the copy of a line in the other half of L2. README.md says what for.
#include "stamps.cuh"

static const int LINES = 16;

// One SM reads lines, twice: how long each takes.
__global__ void lookup(const char *from, uint32_t *cycles, uint32_t who, uint32_t *out)
{
    if (smid() != who || threadIdx.x != 0)
        return;
    for (int r = 0; r < 2; r++)
        for (int l = 0; l < LINES; l++) {
            uint32_t begin = now32();
            uint32_t v = ldcg(from + l * 128);
            KEEP(v, out);
            cycles[r * LINES + l] = now32() - begin;
        }
}

enum what { NOTHING, WORD, HALF_SECTOR, SECTOR, LINE, NEXT_SECTOR, NEXT_WORD, ATOMIC, WHATS };

static const char *const names[WHATS] = {"nothing", "word",        "half_sector",  "sector",
                                         "line",    "next_sector", "word_of_next", "atomic"};

// One SM writes to the same lines.
__global__ void change(char *to, what mode, uint32_t who)
{
    uint32_t lane = threadIdx.x;
    if (smid() != who)
        return;
    for (int l = 0; l < LINES; l++) {
        uint32_t *word = reinterpret_cast<uint32_t *>(to + l * 128) + lane;
        if ((mode == WORD && lane < 1) || (mode == HALF_SECTOR && lane < 4) ||
            (mode == SECTOR && lane < 8) || mode == LINE ||
            (mode == NEXT_SECTOR && lane >= 8 && lane < 16) || (mode == NEXT_WORD && lane == 8))
            *word = l;
        if (mode == ATOMIC && lane == 0)
            atomicAdd(word, 0);
    }
}

static void row(const char *area, int page, uint32_t writer, int mode, uint32_t *cycles)
{
    uint32_t taken[2 * LINES], least[2] = {UINT32_MAX, UINT32_MAX}, most[2] = {0, 0};
    char *lines = const_cast<char *>(area) + page * 4096;
    for (int i = 0; i < 2; i++) {
        lookup<<<132, 32>>>(lines, cycles, 0, reinterpret_cast<uint32_t *>(cycles + 2 * LINES));
        if (i == 0)
            change<<<132, 32>>>(lines, static_cast<what>(mode), writer);
    }
    CUDA(cudaMemcpy(taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * LINES; i++) {
        least[i / LINES] = taken[i] < least[i / LINES] ? taken[i] : least[i / LINES];
        most[i / LINES] = taken[i] > most[i / LINES] ? taken[i] : most[i / LINES];
    }
    printf("%d,%u,%s,%u,%u,%u,%u\n", page, writer, names[mode], least[0], most[0], least[1],
           most[1]);
}

int main()
{
    char *area;
    uint32_t *cycles;
    CUDA(cudaMalloc(&area, MB));
    CUDA(cudaMemset(area, 0, MB));
    CUDA(cudaMalloc(&cycles, (2 * LINES + 1) * sizeof *cycles));
    printf("page,writer,written,first_min,first_max,second_min,second_max\n");
    for (int page = 0; page < 2; page++)
        for (uint32_t writer : {0u, 1u, 2u, 16u, 18u})
            for (int mode = 0; mode < WHATS; mode++)
                row(area, page, writer, mode, cycles);
    return 0;
}
