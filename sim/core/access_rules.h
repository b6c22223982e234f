/* Rules of memory accesses that timed and functional launches share: which bypass L1, and how
 * local memory is laid out. (Which space a generic access belongs to is in
 * trace_resolve_space().) */
#ifndef HEARTH_SIM_CORE_ACCESS_RULES_H
#define HEARTH_SIM_CORE_ACCESS_RULES_H

#include "sim/core/sm.h"
#include "sim/packet.h"

static inline bool access_bypasses_l1(const struct sm_spec *spec, const struct inst *inst,
                                      enum trace_space space)
{
    return inst->access == TRACE_ACCESS_ATOMIC || (inst->flags & TRACE_INST_BYPASS_L1) ||
           !spec->l1_enabled || (spec->skip_l1_global && space != TRACE_SPACE_LOCAL);
}

/* The kind of packet that carries a sector of such an access. */
static inline enum packet_kind access_kind(const struct sm_spec *spec, const struct inst *inst,
                                           enum trace_space space)
{
    if (inst->access == TRACE_ACCESS_STORE)
        return PACKET_WRITE;
    if (inst->access == TRACE_ACCESS_ATOMIC)
        return PACKET_ATOMIC;
    return access_bypasses_l1(spec, inst, space) ? PACKET_READ_L2 : PACKET_READ;
}

/* Whether INST, past L1, is a reduction that no warp waits for. */
static inline bool access_is_posted(const struct sm_spec *spec, const struct inst *inst)
{
    return spec->posted_max != 0 && inst->reduces;
}

/* The layout of local memory for blocks of BLOCK_WARPS warps, of which an SM holds BLOCKS. The
 * same word of a block's threads, then of the blocks in the same place of all SMs, lies side by
 * side; without -gpgpu_local_mem_map, that of all threads of an SM. */
static inline struct local_layout access_local_layout(const struct sim_config *config,
                                                      uint32_t block_warps, uint32_t blocks)
{
    bool by_block = config->options.gpgpu_local_mem_map;
    uint32_t sms = (uint32_t)sim_config_sms(config);
    uint32_t threads = by_block ? 32 * block_warps : config->threads;
    return (struct local_layout){
        .word_stride = 4ull * threads * (by_block ? blocks : 1) * sms,
        .threads = threads,
        .groups = sms,
    };
}

#endif
