#include "tracer/stub/warp.h"

#include <ucontext.h>

#include <vector>

#include "utils/utils.h"

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace
{

constexpr int LANES = 32;
constexpr size_t STACK_BYTES = 1 << 16;

struct Lane {
    ucontext_t context;
    std::vector<char> stack;
    uint32_t waits_for = 0; // the lanes that it is to meet
    uint64_t value;         // that it brings
    uint64_t values[LANES]; // that all brought
    bool done = true;
};

// The warp that runs.
struct {
    Lane lanes[LANES];
    ucontext_t scheduler;
    uint32_t active;
    int lane;
    unsigned first_thread;
    const std::function<void(int)> *body;
} warp;

void start()
{
    (*warp.body)(warp.lane);
    warp.lanes[warp.lane].done = true;
    swapcontext(&warp.lanes[warp.lane].context, &warp.scheduler);
}

void resume(int lane)
{
    const unsigned thread = warp.first_thread + static_cast<unsigned>(lane);
    warp.lane = lane;
    threadIdx = dim3(thread % blockDim.x, thread / blockDim.x % blockDim.y,
                     thread / blockDim.x / blockDim.y);
    swapcontext(&warp.scheduler, &warp.lanes[lane].context);
}

// Whether all of MASK wait for each other.
bool have_met(uint32_t mask)
{
    for (int i = 0; i < LANES; i++)
        if ((mask >> i & 1) != 0 && (warp.lanes[i].done || warp.lanes[i].waits_for != mask))
            return false;
    return true;
}

void exchange(uint32_t mask)
{
    for (int i = 0; i < LANES; i++)
        for (int k = 0; k < LANES && (mask >> i & 1) != 0; k++)
            warp.lanes[i].values[k] = warp.lanes[k].value;
    for (int i = 0; i < LANES; i++)
        if ((mask >> i & 1) != 0)
            warp.lanes[i].waits_for = 0;
}

// Meets the lanes of MASK. Returns what each brought.
const uint64_t *meet(uint32_t mask, uint64_t value)
{
    Lane &lane = warp.lanes[warp.lane];
    lane.value = value;
    lane.waits_for = mask;
    swapcontext(&lane.context, &warp.scheduler);
    return lane.values;
}

void begin(int lane)
{
    Lane &l = warp.lanes[lane];
    l.stack.resize(STACK_BYTES);
    l.done = false;
    getcontext(&l.context);
    l.context.uc_stack.ss_sp = l.stack.data();
    l.context.uc_stack.ss_size = l.stack.size();
    l.context.uc_link = nullptr;
    makecontext(&l.context, start, 0);
}

} // namespace

void warp_run(uint32_t mask, unsigned first_thread, const std::function<void(int lane)> &body)
{
    warp.active = mask;
    warp.first_thread = first_thread;
    warp.body = &body;
    for (int i = 0; i < LANES; i++)
        if ((mask >> i & 1) != 0)
            begin(i);
    bool left = true;
    while (left) {
        left = false;
        for (int i = 0; i < LANES; i++) {
            if (warp.lanes[i].done)
                continue;
            if (warp.lanes[i].waits_for == 0)
                resume(i);
            else if (have_met(warp.lanes[i].waits_for))
                exchange(warp.lanes[i].waits_for);
            left = true;
        }
    }
}

unsigned get_laneid()
{
    return static_cast<unsigned>(warp.lane);
}

unsigned __activemask()
{
    return warp.active;
}

unsigned __ballot_sync(unsigned mask, int predicate)
{
    const uint64_t *values = meet(mask, predicate != 0);
    unsigned ballot = 0;
    for (int i = 0; i < LANES; i++)
        if ((mask >> i & 1) != 0 && values[i] != 0)
            ballot |= 1u << i;
    return ballot;
}

void __syncwarp(unsigned mask)
{
    meet(mask, 0);
}

int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) == mask;
}

unsigned long long __shfl_sync(unsigned mask, unsigned long long value, int lane)
{
    return meet(mask, value)[lane];
}

unsigned __match_any_sync(unsigned mask, unsigned long long value)
{
    const uint64_t *values = meet(mask, value);
    unsigned same = 0;
    for (int i = 0; i < LANES; i++)
        if ((mask >> i & 1) != 0 && values[i] == value)
            same |= 1u << i;
    return same;
}
