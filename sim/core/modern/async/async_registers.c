/* Registers that warps leave to others of their block (setmaxnreg of PTX, USETMAXREG). A block
 * begins with an empty pool. Source: PTX ISA, setmaxnreg: an increase blocks until the block's
 * pool has enough registers. How often the code asks for them in vain is up to the model: once.
 */
#include "sim/core/modern/async/async_parts.h"

#define UNIT 8u /* registers of a thread are given out in eights */

static uint32_t asked(const struct inst *inst)
{
    return inst->imm != 0 || inst->code == NULL ? inst->imm : async_registers(inst->code);
}

static uint32_t held(const struct modern *core, uint32_t number)
{
    const struct async_warp *warp = &core->async->warps[number];
    uint32_t launch = core_launch_of(core, &core->warps[number])->header->regs;
    return warp->registers != 0 ? warp->registers : (launch + UNIT - 1) / UNIT * UNIT;
}

/* Whether WARP has WANTED registers now: what it needs more than it has is in its block's pool,
 * or it leaves some there. */
static bool change(struct modern *core, uint32_t number, uint32_t wanted)
{
    struct async_block *block = async_block_of(core, core->warps[number].block);
    uint32_t has = held(core, number);
    if (wanted > has && wanted - has > block->registers)
        return false;
    block->registers += has;
    block->registers -= wanted;
    core->async->warps[number].registers = wanted;
    return true;
}

void async_registers_take(struct modern *core, uint32_t number, const struct inst *inst)
{
    struct async *async = async_of(core);
    struct async_warp *warp = &async->warps[number];
    warp->taken_at = inst->pc + 1;
    warp->wanted = asked(inst);
    if (!change(core, number, warp->wanted))
        async->waiting_registers |= 1ull << number;
}

void async_registers_give(struct modern *core, uint32_t number, const struct inst *inst)
{
    const struct async *async = async_of(core);
    uint32_t count = asked(inst);
    if (count > held(core, number))
        return;
    change(core, number, count);
    uint64_t rest = async->waiting_registers & core->sm.blocks[core->warps[number].block].warps;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctzll(rest);
        const struct async_warp *warp = &async->warps[other];
        if (warp->registers != warp->wanted && change(core, other, warp->wanted))
            async_go_on(core, other, core->sm.now + 1);
    }
}
