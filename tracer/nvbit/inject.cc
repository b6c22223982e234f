// What runs on the GPU in front of instructions, each lane of the warp. These
// are called by name; see functions.cc for their arguments.
#include <cstdint>

#include "utils/channel.hpp"
#include "utils/utils.h"

#include "tracer/nvbit/device.h"

namespace
{

// A record and its addresses as they go into the channel.
struct Packet {
    tracer_record record;
    uint64_t words[TRACER_RECORD_WORDS];
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

__device__ __forceinline__ void fill(Packet *packet, uint32_t inst, uint64_t launch,
                                     uint32_t active, uint32_t predicate)
{
    packet->record.size = TRACER_RECORD_BYTES;
    packet->record.kind = TRACER_RECORD_INST;
    packet->record.flags = 0;
    packet->record.launch = static_cast<uint32_t>(launch);
    packet->record.block = block_number();
    packet->record.inst = inst;
    packet->record.warp = warp_number();
    packet->record.zero = 0;
    packet->record.active = active;
    packet->record.predicate = predicate;
}

// Adds the addresses of MASK's lanes: a base and a stride where they are evenly
// apart. All active lanes take part.
__device__ __forceinline__ void add_addresses(Packet *packet, uint32_t active, uint32_t mask,
                                              uint64_t address)
{
    const int lane = static_cast<int>(get_laneid());
    const int first = first_of(mask), count = __popc(mask);
    const uint32_t others = mask & (mask - 1);
    const uint64_t base = read_lane(active, address, first);
    const uint64_t next = read_lane(active, address, others != 0 ? first_of(others) : first);
    const uint64_t stride = next - base;
    const uint64_t rank = static_cast<uint64_t>(__popc(mask & ((1u << lane) - 1)));
    const bool fits = (mask >> lane & 1) == 0 || address == base + rank * stride;
    int words = count;
    if (__all_sync(active, fits)) {
        packet->record.flags = TRACER_RECORD_STRIDE;
        packet->words[0] = base;
        packet->words[1] = stride;
        words = 2;
    } else {
        uint32_t left = mask;
        for (int i = 0; i < count; i++, left &= left - 1)
            packet->words[i] = read_lane(active, address, first_of(left));
    }
    packet->record.size = static_cast<uint16_t>(TRACER_RECORD_BYTES + 8 * words);
}

__device__ __forceinline__ void send(Packet *packet, uint64_t channel, uint32_t active)
{
    if (static_cast<int>(get_laneid()) == first_of(active))
        reinterpret_cast<ChannelDev *>(channel)->push(packet, packet->record.size);
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
                                            uint64_t launch, uint64_t channel)
{
    if ((launch >> 32 & wanted) == 0)
        return;
    const uint32_t active = __activemask();
    const uint32_t predicate = __ballot_sync(active, guard);
    Packet packet;
    fill(&packet, inst, launch, active, predicate);
    send(&packet, channel, active);
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
hearth_inst(int32_t guard, uint32_t inst, uint32_t wanted, uint64_t launch, uint64_t channel)
{
    record_inst(guard, inst, wanted, launch, channel);
}

// EXIT with a predicate operand, which is NEGATED or not.
extern "C" __device__ __noinline__ void hearth_exit(int32_t guard, int32_t operand,
                                                    uint32_t negated, uint32_t inst,
                                                    uint32_t wanted, uint64_t launch,
                                                    uint64_t channel)
{
    record_inst(leaves(guard, operand, negated), inst, wanted, launch, channel);
}

extern "C" __device__ __noinline__ void hearth_access(int32_t guard, uint32_t inst,
                                                      uint32_t wanted, uint64_t launch,
                                                      uint64_t channel, uint64_t address)
{
    if ((launch >> 32 & wanted) == 0)
        return;
    const uint32_t active = __activemask();
    const uint32_t predicate = __ballot_sync(active, guard);
    Packet packet;
    fill(&packet, inst, launch, active, predicate);
    if ((active & predicate) != 0)
        add_addresses(&packet, active, active & predicate, address);
    send(&packet, channel, active);
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
