// What each lane of a warp executes on the GPU before an instruction. These functions
// are called by name; see functions.cc for their arguments.
#include <cstdint>

#include "tracer/nvbit/channel/ring.h"
#include "tracer/nvbit/device.h"

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

constexpr int TAIL_WORDS = (TRACER_MOST_VALUES + 1) / 2;

// What follows the addresses of a record: words that its first lane writes, or a half of a
// word from each lane that has a slot.
struct Tail {
    int words;     // in all; 0: nothing follows
    int slot;      // of the lane, in halves; -1: none
    uint32_t half; // that it writes there
    uint64_t word[TAIL_WORDS];
};

__device__ __forceinline__ void put_tail(const Tail &tail, uint64_t *at, bool is_first)
{
    uint32_t *halves = reinterpret_cast<uint32_t *>(at);
    if (tail.slot >= 0)
        halves[tail.slot] = tail.half;
    if (tail.slot >= 0 && tail.slot == 2 * tail.words - 2)
        halves[tail.slot + 1] = 0; // of the last lane of an odd number
    for (int i = 0; i < TAIL_WORDS; i++)
        if (is_first && tail.slot < 0 && i < tail.words)
            at[i] = tail.word[i];
}

// A record that all ACTIVE lanes send together; those of MASK execute its instruction.
struct Record {
    Words words;
    uint32_t active, mask;
};

// Sends RECORD, of which HEAD words are its own, and TOTAL words in all without TAIL: the
// others are ADDRESS of the lanes that have a SLOT, -1 for none. Lanes write side by side.
__device__ __forceinline__ void send(const Record &record, int head, int total, int slot,
                                     uint64_t address, const Tail &tail, uint64_t ring)
{
    const uint32_t active = record.active;
    const int lane = static_cast<int>(get_laneid());
    const int first = first_of(active);
    const uint32_t bytes = static_cast<uint32_t>(8 * (total + tail.words));
    uint64_t claimed = 0;
    if (lane == first)
        claimed = reinterpret_cast<uint64_t>(ring_claim(reinterpret_cast<Ring *>(ring), bytes));
    uint64_t *at = reinterpret_cast<uint64_t *>(read_lane(active, claimed, first));
    const int lanes = __popc(active);
    for (int i = __popc(active & ((1u << lane) - 1)); i < head; i += lanes)
        at[i] = record.words.get(i);
    if (slot >= 0)
        at[slot] = address;
    put_tail(tail, at + total, lane == first);
    __syncwarp(active);
    if (lane == first)
        ring_commit(reinterpret_cast<Ring *>(ring), bytes);
}

__device__ __forceinline__ Tail no_tail()
{
    Tail tail = {};
    tail.slot = -1;
    return tail;
}

// Values of the lanes of a mask, if they are evenly apart.
struct Even {
    uint64_t base, stride;
    bool is_even; // there are lanes, and they are
    int rank;     // of the calling lane among them; -1: it is none
};

__device__ __forceinline__ Even find_even(const Record &record, uint64_t value)
{
    const int lane = static_cast<int>(get_laneid());
    const uint32_t mask = record.mask;
    const uint32_t some = mask != 0 ? mask : record.active; // read_lane() needs a lane
    const uint32_t others = some & (some - 1);
    const uint64_t base = read_lane(record.active, value, first_of(some));
    const uint64_t next =
        read_lane(record.active, value, first_of(others != 0 ? others : some));
    const uint64_t stride = next - base;
    const int rank = __popc(mask & ((1u << lane) - 1));
    const bool is_mine = (mask >> lane & 1) != 0;
    const bool fits = !is_mine || value == base + static_cast<uint64_t>(rank) * stride;
    return {base, stride, __all_sync(record.active, fits) != 0 && mask != 0,
            is_mine ? rank : -1};
}

__device__ __forceinline__ void send_plain(Record *record, uint64_t ring)
{
    record->words.word[0] |= TRACER_RECORD_BYTES;
    send(*record, RECORD_WORDS, RECORD_WORDS, -1, 0, no_tail(), ring);
}

// Sends a record with the addresses of the lanes that execute it, if there are any: a base and
// a stride where they are evenly apart.
__device__ __forceinline__ void send_addresses(Record *record, uint64_t ring, uint64_t address,
                                               const Tail &tail)
{
    const Even even = find_even(*record, address);
    const int head = RECORD_WORDS + (even.is_even ? 2 : 0);
    const int total = even.is_even ? head : RECORD_WORDS + __popc(record->mask);
    record->words.word[0] |=
        static_cast<uint64_t>(8 * (total + tail.words)) |
        (even.is_even ? static_cast<uint64_t>(TRACER_RECORD_STRIDE) << 24 : 0);
    record->words.word[RECORD_WORDS] = even.base;
    record->words.word[RECORD_WORDS + 1] = even.stride;
    send(*record, head, total, even.rank >= 0 && !even.is_even ? RECORD_WORDS + even.rank : -1,
         address, tail, ring);
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

// The lanes for which an instruction with a predicate operand does something: those where it
// holds, too.
__device__ __forceinline__ int32_t both_hold(int32_t guard, int32_t operand, uint32_t negated)
{
    return guard != 0 && (operand != 0) != (negated != 0);
}

// Whether the launch wants a record; then it is begun.
__device__ __forceinline__ bool begin(Record *record, int32_t guard, uint32_t inst,
                                      uint32_t wanted, uint64_t launch)
{
    if ((launch >> 32 & wanted) == 0)
        return false;
    record->active = __activemask();
    const uint32_t predicate = __ballot_sync(record->active, guard);
    record->mask = record->active & predicate;
    fill(&record->words, inst, launch, record->active, predicate);
    return true;
}

__device__ __forceinline__ void record_inst(int32_t guard, uint32_t inst, uint32_t wanted,
                                            uint64_t launch, uint64_t ring)
{
    Record record;
    if (begin(&record, guard, inst, wanted, launch))
        send_plain(&record, ring);
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
    record_inst(both_hold(guard, operand, negated), inst, wanted, launch, ring);
}

// A barrier with VALUES in registers: they are those of the first lane that executes it.
extern "C" __device__ __noinline__ void hearth_values(int32_t guard, uint32_t inst,
                                                      uint32_t wanted, uint64_t launch,
                                                      uint64_t ring, uint32_t number,
                                                      uint32_t threads)
{
    Record record;
    if (!begin(&record, guard, inst, wanted, launch))
        return;
    const int first = first_of(record.mask != 0 ? record.mask : record.active);
    record.words.word[0] |= 8 * (RECORD_WORDS + 2);
    record.words.word[RECORD_WORDS] = read_lane(record.active, number, first);
    record.words.word[RECORD_WORDS + 1] = read_lane(record.active, threads, first);
    send(record, RECORD_WORDS + 2, RECORD_WORDS + 2, -1, 0, no_tail(), ring);
}

extern "C" __device__ __noinline__ void hearth_access(int32_t guard, uint32_t inst,
                                                      uint32_t wanted, uint64_t launch,
                                                      uint64_t ring, uint64_t address)
{
    Record record;
    if (begin(&record, guard, inst, wanted, launch))
        send_addresses(&record, ring, address, no_tail());
}

// A load of constants: ADDRESS is that in their bank.
extern "C" __device__ __noinline__ void hearth_constant(int32_t guard, uint32_t inst,
                                                        uint32_t wanted, uint64_t launch,
                                                        uint64_t ring, uint32_t index,
                                                        uint32_t offset)
{
    Record record;
    if (begin(&record, guard, inst, wanted, launch))
        send_addresses(&record, ring, static_cast<uint32_t>(index + offset), no_tail());
}

// A copy from global to SHARED memory: lanes have two addresses. Those whose OPERAND does not
// hold read nothing.
extern "C" __device__ __noinline__ void
hearth_copy(int32_t guard, int32_t operand, uint32_t negated, uint32_t inst, uint32_t wanted,
            uint64_t launch, uint64_t ring, uint64_t address, uint64_t shared)
{
    Record record;
    if (!begin(&record, both_hold(guard, operand, negated), inst, wanted, launch))
        return;
    shared &= UINT32_MAX;
    Tail tail = no_tail();
    const Even even = find_even(record, shared);
    tail.words = even.is_even ? 1 : (__popc(record.mask) + 1) / 2;
    tail.word[0] = even.base | even.stride << 32;
    tail.half = static_cast<uint32_t>(shared);
    if (even.is_even)
        record.words.word[0] |= static_cast<uint64_t>(TRACER_RECORD_SECOND) << 24;
    else
        tail.slot = even.rank;
    send_addresses(&record, ring, address, tail);
}

// An access with COUNT values in registers, as hearth_values() has them.
extern "C" __device__ __noinline__ void
hearth_access_values(int32_t guard, uint32_t inst, uint32_t wanted, uint64_t launch,
                     uint64_t ring, uint64_t address, uint32_t count, uint32_t v0, uint32_t v1,
                     uint32_t v2, uint32_t v3, uint32_t v4, uint32_t v5, uint32_t v6,
                     uint32_t v7, uint32_t v8, uint32_t v9)
{
    Record record;
    if (!begin(&record, guard, inst, wanted, launch))
        return;
    const int first = first_of(record.mask != 0 ? record.mask : record.active);
    const uint32_t values[TRACER_MOST_VALUES] = {v0, v1, v2, v3, v4, v5, v6, v7, v8, v9};
    Tail tail = no_tail();
    tail.words = record.mask != 0 ? static_cast<int>(count + 1) / 2 : 0;
    for (int i = 0; i < TAIL_WORDS; i++)
        tail.word[i] =
            read_lane(record.active,
                      values[2 * i] | static_cast<uint64_t>(values[2 * i + 1]) << 32, first);
    send_addresses(&record, ring, address, tail);
}

// COUNT instructions that are executed together, by the same lanes.
extern "C" __device__ __noinline__ void hearth_count(int32_t guard, uint32_t count,
                                                     uint64_t launch, uint64_t device_state)
{
    count_insts(guard, count, launch, device_state);
}

// One instruction with a predicate operand: counted are the lanes where it holds, as in traces.
extern "C" __device__ __noinline__ void hearth_count_where(int32_t guard, int32_t operand,
                                                           uint32_t negated, uint64_t launch,
                                                           uint64_t device_state)
{
    count_insts(both_hold(guard, operand, negated), 1, launch, device_state);
}

// One access of KIND, enum tracer_count_kind, of WIDTH bytes a lane, which
// hearth_count() counts as an instruction.
extern "C" __device__ __noinline__ void
hearth_count_access(int32_t guard, int32_t operand, uint32_t negated, uint32_t kind,
                    uint32_t width, uint64_t launch, uint64_t device_state, uint64_t address)
{
    if ((launch >> 32 & TRACER_WANT_COUNTS) == 0)
        return;
    DeviceState *state = reinterpret_cast<DeviceState *>(device_state);
    tracer_counts *counts = &state->counts[static_cast<uint32_t>(launch) % COUNT_SLOTS];
    const uint32_t active = __activemask();
    const uint32_t mask = __ballot_sync(active, both_hold(guard, operand, negated)) & active;
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
