#include "traces/packed/models/predict_lane.h"

#include <string.h>

void predict_lane_fill(struct memory_inst *inst)
{
    if (!inst->lanes_linear)
        return;
    for (uint32_t l = 0; l < 32; l++)
        inst->lanes[l] = inst->lanes_first + l * inst->lanes_stride;
    inst->lanes_linear = false;
}

void predict_lane_note(struct memory_inst *inst, uint32_t mask, const struct piece *piece,
                       const struct piece_access *access)
{
    bool all = (inst->lanes_set & ~mask) == 0;
    if (access->linear && all) {
        inst->lanes_linear = true;
        inst->lanes_first = access->first;
        inst->lanes_stride = access->stride;
        inst->lanes_set = mask;
        return;
    }
    if (!all)
        predict_lane_fill(inst);
    inst->lanes_linear = false;
    inst->lanes_set |= mask;
    if (mask == UINT32_MAX) { /* linear ones were dealt with */
        memcpy(inst->lanes, piece->lanes + access->at, sizeof inst->lanes);
        return;
    }
    uint64_t addresses[32];
    int n = 0;
    piece_addresses(piece, access, mask, addresses);
    for (; mask != 0; mask &= mask - 1)
        inst->lanes[__builtin_ctz(mask)] = addresses[n++];
}

/* All 32 lanes: loops that compilers make vectors of. */
static void relate_all(const struct memory_inst *target, int shift, uint64_t offset,
                       uint64_t addresses[static 32])
{
    int left = shift > 0 ? shift : 0, right = shift < 0 ? -shift : 0;
    for (int n = 0; n < 32; n++)
        addresses[n] = offset + (target->lanes[n] << left >> right);
}

void predict_lane_relate(struct memory_inst *target, int shift, uint64_t offset, uint32_t mask,
                         uint64_t addresses[static 32])
{
    predict_lane_fill(target);
    if (mask == UINT32_MAX) {
        relate_all(target, shift, offset, addresses);
        return;
    }
    for (int n = 0; mask != 0; mask &= mask - 1)
        addresses[n++] =
            offset + predict_lane_scaled(target->lanes[__builtin_ctz(mask)], shift);
}

/* Without branches, as relate_all(). */
static bool is_all_related(const struct memory_inst *target, int shift, uint64_t offset,
                           const uint64_t *addresses)
{
    int left = shift > 0 ? shift : 0, right = shift < 0 ? -shift : 0;
    uint64_t differ = 0;
    for (int n = 0; n < 32; n++)
        differ |= addresses[n] ^ (offset + (target->lanes[n] << left >> right));
    return differ == 0;
}

bool predict_lane_is_related(struct memory_inst *target, int shift, uint64_t offset,
                             uint32_t mask, const uint64_t *addresses)
{
    uint32_t last = 31 - (uint32_t)__builtin_clz(mask); /* rules out most */
    predict_lane_fill(target);
    if (addresses[__builtin_popcount(mask) - 1] !=
        offset + predict_lane_scaled(target->lanes[last], shift))
        return false;
    if (mask == UINT32_MAX)
        return is_all_related(target, shift, offset, addresses);
    for (; mask != 0; mask &= mask - 1)
        if (*addresses++ !=
            offset + predict_lane_scaled(target->lanes[__builtin_ctz(mask)], shift))
            return false;
    return true;
}

uint8_t predict_lane_list_form(const uint64_t *addresses, int n)
{
    uint64_t bits = 0, most = 0;
    for (int i = 1; i < n; i++)
        bits |= addresses[i] - addresses[i - 1];
    int shift = bits == 0 ? 0 : __builtin_ctzll(bits);
    shift = shift > 15 ? 15 : shift;
    for (int i = 1; i < n; i++)
        most |= zigzag((uint64_t)((int64_t)(addresses[i] - addresses[i - 1]) >> shift));
    int bytes = most == 0 ? 0 : (63 - __builtin_clzll(most)) / 8 + 1;
    return (uint8_t)(bytes << 4 | shift);
}
