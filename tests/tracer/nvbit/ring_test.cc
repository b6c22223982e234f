// The ring that the GPU fills: threads in the warps' place write into a small one, and
// nothing is lost, torn or out of order.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tracer/nvbit/channel/ring.h"

namespace
{

constexpr unsigned WRITERS = 4, MOST_WORDS = 36;
constexpr uint64_t RECORDS = 50000, RING_BYTES = 4096;

uint64_t buffer[RING_BYTES / 8];
uint32_t bell;
Ring ring = {0, 0, &bell, buffer, RING_BYTES};

void check(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "ring: %s\n", what);
    exit(1);
}

// Records of 1 to 36 words: how many, who, and its number, which the rest repeats.
uint64_t words_of(uint64_t writer, uint64_t number)
{
    return 3 + (number * 7 + writer * 5) % (MOST_WORDS - 2);
}

void write(uint64_t writer)
{
    for (uint64_t n = 0; n < RECORDS; n++) {
        const uint64_t count = words_of(writer, n);
        uint64_t *at = ring_claim(&ring, static_cast<uint32_t>(8 * count));
        at[0] = count;
        at[1] = writer;
        for (uint64_t i = 2; i < count; i++)
            at[i] = n;
        ring_commit(&ring, static_cast<uint32_t>(8 * count));
    }
}

uint64_t seen[WRITERS];

void take(const uint64_t *at, uint64_t words)
{
    while (words > 0) {
        const uint64_t count = at[0], writer = at[1];
        check(count <= words && writer < WRITERS, "a record that nobody wrote");
        check(count == words_of(writer, seen[writer]), "records out of order");
        for (uint64_t i = 2; i < count; i++)
            check(at[i] == seen[writer], "a torn record");
        seen[writer]++;
        at += count;
        words -= count;
    }
}

bool is_over()
{
    for (uint64_t n : seen)
        if (n < RECORDS)
            return false;
    return true;
}

void read()
{
    std::vector<uint64_t> copy(RING_BYTES / 8);
    while (!is_over()) {
        const uint32_t bytes = __atomic_load_n(&bell, __ATOMIC_ACQUIRE);
        if (bytes == 0) {
            sched_yield();
            continue;
        }
        check(bytes <= RING_BYTES, "more than the ring has");
        memcpy(copy.data(), buffer, bytes);
        __atomic_store_n(&bell, 0, __ATOMIC_RELEASE);
        take(copy.data(), bytes / 8);
    }
}

} // namespace

int main()
{
    std::thread reader(read);
    std::vector<std::thread> writers;
    for (uint64_t w = 0; w < WRITERS; w++)
        writers.emplace_back(write, w);
    for (std::thread &writer : writers)
        writer.join();
    ring_flush(&ring);
    reader.join();
    check(ring.head == 0 && ring.tail == 0, "something is left");
    return 0;
}
