/* Counts of memory accesses by space and kind. */
#include "traces/address.h"
#include "traces/profile/measure.h"

#define LANES_PER_SECTOR 8 /* 32 bytes of 4-byte words */
#define MOST_WORDS       8 /* 32 bytes a lane */

unsigned measure_local_sectors(const struct trace_record *record, const struct trace_inst *inst,
                               const uint64_t *addresses)
{
    uint64_t words[32 * MOST_WORDS], room[32];
    unsigned sectors = 0, count = 0, group = 32,
             lane_words = inst->width > 4 ? inst->width / 4 : 1;
    const uint64_t *lanes = address_lanes(record, addresses + record->address, room);
    unsigned i = 0;
    if (record->mode == TRACE_ADDRESS_NONE)
        return 0;
    for (uint32_t mask = record->mask; mask != 0; mask &= mask - 1, i++) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t address = lanes[i];
        if (lane / LANES_PER_SECTOR != group) { /* other lanes share no sector with it */
            sectors += count;
            count = 0;
            group = lane / LANES_PER_SECTOR;
        }
        for (unsigned w = 0; w < lane_words; w++) {
            unsigned seen = count;
            while (seen > 0 && words[seen - 1] != address / 4 + w)
                seen--;
            if (seen == 0)
                words[count++] = address / 4 + w;
        }
    }
    return sectors + count;
}

/* The space that a record accesses; NONE for a generic access without an active
 * lane. As in the simulator, the first lane decides. */
static unsigned find_space(const struct trace_header *header, const struct trace_record *record,
                           const struct trace_inst *inst, const uint64_t *addresses)
{
    if (inst->space != TRACE_SPACE_GENERIC)
        return inst->space;
    if (record->mode == TRACE_ADDRESS_NONE)
        return TRACE_SPACE_NONE;
    return trace_resolve_space(header, addresses[record->address]);
}

static void count_global(struct profile_row *row, const struct trace_record *record,
                         const struct trace_inst *inst, unsigned sectors)
{
    switch (inst->access) {
    case TRACE_ACCESS_LOAD:
        row->gld_insts++;
        row->gld_insts_on += record->mask != 0;
        row->gld_sectors += sectors;
        break;
    case TRACE_ACCESS_STORE:
        row->gst_insts++;
        row->gst_insts_on += record->mask != 0;
        row->gst_sectors += sectors;
        break;
    default:
        row->gatom_insts++;
        break;
    }
}

unsigned trace_record_requests(const struct trace_header *header,
                               const struct trace_record *record, const struct trace_inst *inst,
                               const uint64_t *addresses)
{
    uint64_t numbers[TRACE_MAX_SECTORS];
    if (inst->access == TRACE_ACCESS_NONE)
        return 0;
    switch (find_space(header, record, inst, addresses)) {
    case TRACE_SPACE_GLOBAL:
        return trace_record_sectors(record, inst, addresses, numbers);
    case TRACE_SPACE_LOCAL:
        return measure_local_sectors(record, inst, addresses);
    default:
        return 0;
    }
}

static void count_access(struct measure *measure, const struct trace_record *record,
                         const struct trace_inst *inst, const uint64_t *addresses,
                         struct measured_block *block)
{
    struct profile_row *row = &measure->row;
    unsigned sectors = trace_record_requests(measure->header, record, inst, addresses);
    block->mem_requests += sectors;
    switch (find_space(measure->header, record, inst, addresses)) {
    case TRACE_SPACE_GLOBAL:
        count_global(row, record, inst, sectors);
        break;
    case TRACE_SPACE_LOCAL:
        row->lld_insts += inst->access == TRACE_ACCESS_LOAD;
        row->lld_sectors += inst->access == TRACE_ACCESS_LOAD ? sectors : 0;
        break;
    case TRACE_SPACE_SHARED:
        row->sld_insts += inst->access == TRACE_ACCESS_LOAD;
        row->sst_insts += inst->access == TRACE_ACCESS_STORE;
        break;
    default:
        break;
    }
}

void measure_record(struct measure *measure, const struct trace_record *record,
                    const struct trace_inst *inst, const uint64_t *addresses,
                    struct measured_block *block)
{
    block->warp_insts++;
    block->thread_insts += (unsigned)__builtin_popcount(record->mask);
    if (inst->access != TRACE_ACCESS_NONE)
        count_access(measure, record, inst, addresses, block);
}
