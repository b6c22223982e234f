#include "sim/core/legacy/readers.h"

/* RZ holds nothing that could be overwritten. */
static bool counts(uint8_t reg)
{
    return reg != TRACE_REG_ZERO;
}

bool readers_forbid(const struct readers *readers, const struct inst *inst, uint32_t most)
{
    for (uint32_t i = 0; i < inst->dst_count; i++)
        if (readers->of[inst->dst[i]] != 0)
            return true;
    for (uint32_t i = 0; i < inst->read_count; i++)
        if (readers->of[inst->reads[i]] >= most)
            return true;
    return false;
}

void readers_add(struct readers *readers, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->read_count; i++)
        readers->of[inst->reads[i]] += counts(inst->reads[i]);
}

void readers_remove(struct readers *readers, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->read_count; i++)
        readers->of[inst->reads[i]] -= counts(inst->reads[i]);
}
