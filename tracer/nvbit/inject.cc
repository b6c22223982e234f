// What runs on the GPU in front of instructions, each lane of the warp. These
// are called by name; see functions.cc for their arguments.
#include <cstdint>

#include "tracer/nvbit/device.h"
#include "tracer/nvbit/ring.h"

namespace
{

constexpr int RECORD_WORDS = TRACER_RECORD_BYTES / 8;

// A record of an instruction, as words, and two that may follow it.
struct Words {
    uint64_t word[RECORD_WORDS + 2];

    // Without an index into memory: words stay in registers.
    __device__ __forceinline__ uint64_t get(int i) const
    {
        uint64_t value = word[0];
        for (int k = 1; k < RECORD_WORDS + 2; k++)
            value = i == k ? word[k] : value;
        return value;
    }
};

__device__ __forceinline__ uint64_t block_number()
{
    return blockIdx.x + static_cast<uint64_t>(gridDim.x) *
                            (blockIdx.y + static_cast<uint64_t>(gridDim.y) * blockIdx.z);
}

__device__ __forceinline__ uint16_t warp_number()
{
    return static_cast<uint16_t>(
        (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32);
}

__device__ __forceinline__ int first_of(uint32_t lanes)
{
    return __ffs(static_cast<int>(lanes)) - 1;
}

__device__ __forceinline__ uint64_t read_lane(uint32_t active, uint64_t value, int lane)
{
    return __shfl_sync(active, static_cast<unsigned long long>(value), lane);
}

// The words of a record without those that follow; the GPU's bytes are in the order
// of tracer_record.
__device__ __forceinline__ void fill(Words *words, uint32_t inst, uint64_t launch,
                                     uint32_t active, uint32_t predicate)
{
    words->word[0] = static_cast<uint64_t>(TRACER_RECORD_INST) << 16 | launch << 32;
    words->word[1] = block_number();
    words->word[2] = inst | static_cast<uint64_t>(warp_number()) << 32;
    words->word[3] = active | static_cast<uint64_t>(predicate) << 32;
}

// Sends a record of which HEAD words are WORDS, and TOTAL words in all: the others are
// ADDRESS of the lanes that have a SLOT, -1 for none. All ACTIVE lanes take part, and
// write side by side.
__device__ __forceinline__ void send(const Words &words, int head, int total, int slot,
                                     uint64_t address, uint64_t ring, uint32_t active)
{
    const int lane = static_cast<int>(get_laneid());
    const int first = first_of(active);
    const uint32_t bytes = static_cast<uint32_t>(8 * total);
    uint64_t claimed = 0;
    if (lane == first)
        claimed = reinterpret_cast<uint64_t>(ring_claim(reinterpret_cast<Ring *>(ring), bytes));
    uint64_t *at = reinterpret_cast<uint64_t *>(read_lane(active, claimed, first));
    const int lanes = __popc(active);
    for (int i = __popc(active & ((1u << lane) - 1)); i < head; i += lanes)
        at[i] = words.get(i);
    if (slot >= 0)
        at[slot] = address;
    __syncwarp(active);
    if (lane == first)
        ring_commit(reinterpret_cast<Ring *>(ring), bytes);
}

__device__ __forceinline__ void send_plain(Words *words, uint64_t ring, uint32_t active)
{
    words->word[0] |= TRACER_RECORD_BYTES;
    send(*words, RECORD_WORDS, RECORD_WORDS, -1, 0, ring, active);
}

// Sends a record with the addresses of MASK's lanes, if there are any: a base and a stride
// where they are evenly apart.
__device__ __forceinline__ void send_addresses(Words *words, uint64_t ring, uint32_t active,
                                               uint32_t mask, uint64_t address)
{
    const int lane = static_cast<int>(get_laneid());
    const uint32_t some = mask != 0 ? mask : active; // read_lane() needs a lane
    const uint32_t others = some & (some - 1);
    const uint64_t base = read_lane(active, address, first_of(some));
    const uint64_t next = read_lane(active, address, first_of(others != 0 ? others : some));
    const uint64_t stride = next - base;
    const int rank = __popc(mask & ((1u << lane) - 1));
    const bool is_mine = (mask >> lane & 1) != 0;
    const bool fits = !is_mine || address == base + static_cast<uint64_t>(rank) * stride;
    const bool even = __all_sync(active, fits) != 0 && mask != 0;
    const int head = RECORD_WORDS + (even ? 2 : 0);
    const int total = even ? head : RECORD_WORDS + __popc(mask);
    words->word[0] |= static_cast<uint64_t>(8 * total) |
                      (even ? static_cast<uint64_t>(TRACER_RECORD_STRIDE) << 24 : 0);
    words->word[RECORD_WORDS] = base;
    words->word[RECORD_WORDS + 1] = stride;
    send(*words, head, total, is_mine && !even ? RECORD_WORDS + rank : -1, address, ring,
         active);
}

__device__ __forceinline__ void add(uint64_t *counter, uint64_t value)
{
    atomicAdd(reinterpret_cast<unsigned long long *>(counter), value);
}

// How many different values the lanes of MASK, who call this together, have.
__device__ __forceinline__ unsigned count_different(uint32_t mask, uint64_t value)
{
    const uint32_t same = __match_any_sync(mask, static_cast<unsigned long long>(value));
    return __popc(__ballot_sync(mask, first_of(same) == static_cast<int>(get_laneid())));
}

// Local memory is interleaved by thread: a word of eight lanes is a sector.
__device__ __forceinline__ unsigned local_sectors(uint32_t mask, uint64_t address,
                                                  unsigned width)
{
    unsigned sectors = 0;
    const unsigned words = width > 4 ? width / 4 : 1;
    for (unsigned w = 0; w < words; w++)
        sectors += count_different(mask, (address / 4 + w) << 2 | get_laneid() / 8);
    return sectors;
}

// The kind of a generic access by its first lane's address, as in Accel-Sim.
__device__ __forceinline__ uint32_t resolve(const DeviceState *state, uint32_t kind,
                                            uint64_t address)
{
    const uint64_t window = UINT64_C(1) << 24;
    const bool shared = address >= state->shared_base && address < state->shared_base + window;
    const bool local = address >= state->local_base && address < state->local_base + window;
    switch (kind) {
    case TRACER_COUNT_LOAD:
        return shared ? TRACER_COUNT_SLD : local ? TRACER_COUNT_LLD : TRACER_COUNT_GLD;
    case TRACER_COUNT_STORE:
        return shared ? TRACER_COUNT_SST : local ? TRACER_COUNT_LST : TRACER_COUNT_GST;
    case TRACER_COUNT_ATOM:
        return shared || local ? TRACER_COUNT_PLAIN : TRACER_COUNT_GATOM;
    default:
        return kind;
    }
}

// Counts an access of KIND; one lane, for the warp.
__device__ __forceinline__ void add_access(tracer_counts *counts, uint32_t kind,
                                           unsigned sectors, bool on)
{
    switch (kind) {
    case TRACER_COUNT_GLD:
        add(&counts->gld_insts, 1);
        add(&counts->gld_insts_on, on);
        add(&counts->gld_sectors, sectors);
        break;
    case TRACER_COUNT_GST:
        add(&counts->gst_insts, 1);
        add(&counts->gst_insts_on, on);
        add(&counts->gst_sectors, sectors);
        break;
    case TRACER_COUNT_GATOM:
        add(&counts->gatom_insts, 1);
        break;
    case TRACER_COUNT_LLD:
        add(&counts->lld_insts, 1);
        add(&counts->lld_sectors, sectors);
        break;
    case TRACER_COUNT_SLD:
        add(&counts->sld_insts, 1);
        break;
    case TRACER_COUNT_SST:
        add(&counts->sst_insts, 1);
        break;
    default:
        break;
    }
    add(&counts->mem_requests, sectors);
}

__device__ __forceinline__ unsigned sectors_of(uint32_t kind, uint32_t mask, uint64_t address,
                                               unsigned width)
{
    switch (kind) {
    case TRACER_COUNT_GLD:
    case TRACER_COUNT_GST:
    case TRACER_COUNT_GATOM:
        return count_different(mask, address / 32);
    case TRACER_COUNT_LLD:
    case TRACER_COUNT_LST:
        return local_sectors(mask, address, width);
    default:
        return 0;
    }
}

// The lanes that leave at an EXIT with a predicate operand: those where it holds, too.
__device__ __forceinline__ int32_t leaves(int32_t guard, int32_t operand, uint32_t negated)
{
    return guard != 0 && (operand != 0) != (negated != 0);
}

__device__ __forceinline__ void record_inst(int32_t guard, uint32_t inst, uint32_t wanted,
                                            uint64_t launch, uint64_t ring)
{
    if ((launch >> 32 & wanted) == 0)
        return;
    const uint32_t active = __activemask();
    const uint32_t predicate = __ballot_sync(active, guard);
    Words words;
    fill(&words, inst, launch, active, predicate);
    send_plain(&words, ring, active);
}

__device__ __forceinline__ void count_insts(int32_t guard, uint32_t count, uint64_t launch,
                                            uint64_t device_state)
{
    if ((launch >> 32 & TRACER_WANT_COUNTS) == 0)
        return;
    DeviceState *state = reinterpret_cast<DeviceState *>(device_state);
    tracer_counts *counts = &state->counts[static_cast<uint32_t>(launch) % COUNT_SLOTS];
    const uint32_t active = __activemask();
    const uint32_t mask = __ballot_sync(active, guard) & active;
    if (static_cast<int>(get_laneid()) != first_of(active))
        return;
    add(&counts->warp_insts, count);
    add(&counts->thread_insts, static_cast<uint64_t>(count) * __popc(mask));
}

} // namespace

// WANTED: of which launches a record is made, a set of tracer_wanted.
extern "C" __device__ __noinline__ void
hearth_inst(int32_t guard, uint32_t inst, uint32_t wanted, uint64_t launch, uint64_t ring)
{
    record_inst(guard, inst, wanted, launch, ring);
}

// EXIT with a predicate operand, which is NEGATED or not.
extern "C" __device__ __noinline__ void hearth_exit(int32_t guard, int32_t operand,
                                                    uint32_t negated, uint32_t inst,
                                                    uint32_t wanted, uint64_t launch,
                                                    uint64_t ring)
{
    record_inst(leaves(guard, operand, negated), inst, wanted, launch, ring);
}

// A barrier with VALUES in registers: they are those of the first lane that executes it.
extern "C" __device__ __noinline__ void hearth_values(int32_t guard, uint32_t inst,
                                                      uint32_t wanted, uint64_t launch,
                                                      uint64_t ring, uint32_t number,
                                                      uint32_t threads)
{
    if ((launch >> 32 & wanted) == 0)
        return;
    const uint32_t active = __activemask();
    const uint32_t predicate = __ballot_sync(active, guard);
    const uint32_t mask = active & predicate;
    const int first = first_of(mask != 0 ? mask : active);
    Words words;
    fill(&words, inst, launch, active, predicate);
    words.word[0] |= 8 * (RECORD_WORDS + 2);
    words.word[RECORD_WORDS] = read_lane(active, number, first);
    words.word[RECORD_WORDS + 1] = read_lane(active, threads, first);
    send(words, RECORD_WORDS + 2, RECORD_WORDS + 2, -1, 0, ring, active);
}

extern "C" __device__ __noinline__ void hearth_access(int32_t guard, uint32_t inst,
                                                      uint32_t wanted, uint64_t launch,
                                                      uint64_t ring, uint64_t address)
{
    if ((launch >> 32 & wanted) == 0)
        return;
    const uint32_t active = __activemask();
    const uint32_t predicate = __ballot_sync(active, guard);
    Words words;
    fill(&words, inst, launch, active, predicate);
    send_addresses(&words, ring, active, active & predicate, address);
}

// COUNT instructions that are executed together, by the same lanes.
extern "C" __device__ __noinline__ void hearth_count(int32_t guard, uint32_t count,
                                                     uint64_t launch, uint64_t device_state)
{
    count_insts(guard, count, launch, device_state);
}

// One EXIT as hearth_exit() takes it: counted are the lanes that leave, as in traces.
extern "C" __device__ __noinline__ void hearth_count_exit(int32_t guard, int32_t operand,
                                                          uint32_t negated, uint64_t launch,
                                                          uint64_t device_state)
{
    count_insts(leaves(guard, operand, negated), 1, launch, device_state);
}

// One access of KIND, enum tracer_count_kind, of WIDTH bytes a lane, which
// hearth_count() counts as an instruction.
extern "C" __device__ __noinline__ void hearth_count_access(int32_t guard, uint32_t kind,
                                                            uint32_t width, uint64_t launch,
                                                            uint64_t device_state,
                                                            uint64_t address)
{
    if ((launch >> 32 & TRACER_WANT_COUNTS) == 0)
        return;
    DeviceState *state = reinterpret_cast<DeviceState *>(device_state);
    tracer_counts *counts = &state->counts[static_cast<uint32_t>(launch) % COUNT_SLOTS];
    const uint32_t active = __activemask();
    const uint32_t mask = __ballot_sync(active, guard) & active;
    const int lane = static_cast<int>(get_laneid());
    if (mask == 0) {
        /* A generic access without a lane has no space. */
        if (lane == first_of(active) && kind < TRACER_COUNT_LOAD)
            add_access(counts, kind, 0, false);
        return;
    }
    kind = resolve(state, kind, read_lane(active, address, first_of(mask)));
    if ((mask >> lane & 1) == 0)
        return;
    const unsigned sectors = sectors_of(kind, mask, address, width);
    if (lane == first_of(mask))
        add_access(counts, kind, sectors, true);
}
