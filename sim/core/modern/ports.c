/* Read ports of the register file. A sub-core has two banks, even and odd registers, with one
 * port each; an instruction reads in three cycles, and waits in the allocate stage until it
 * can. Operands that the code marks for reuse are kept, one for each slot and bank. Source:
 * "Dissecting and Modeling the Architecture of Modern GPU Cores" (MICRO 2025), sections 5.1.1
 * and 5.3. */
#include "sim/core/modern/core.h"

#define READ_CYCLES 3
#define PORT_CYCLES 64 /* for which reads are planned */
#define BEFORE      2  /* cycles from issue to the allocate stage */

static uint16_t kept_name(uint32_t warp, uint32_t reg)
{
    return (uint16_t)((warp << 8 | reg) + 1);
}

/* Counts the reads of each bank, and updates what is kept. */
static void count_reads(const struct modern_spec *spec, struct modern_sub_core *sub,
                        uint32_t warp, const struct inst_issue *issue,
                        uint32_t reads[MODERN_BANKS])
{
    for (uint32_t slot = 0; slot < INST_SLOTS; slot++) {
        bool keeps = spec->reuse && (issue->reuse >> slot & 1);
        for (uint32_t i = 0; i < issue->registers[slot]; i++) {
            uint32_t reg = issue->slots[slot] + i, bank = reg % MODERN_BANKS;
            uint16_t name = kept_name(warp, reg & 255);
            reads[bank] += sub->kept[slot][bank] != name;
            sub->kept[slot][bank] = keeps ? name : 0;
        }
    }
}

/* Whether a bank has COUNT free reads in WINDOW cycles from AT on, relative to port_base. */
static bool has_room(uint64_t used, uint64_t at, uint32_t window, uint32_t count)
{
    uint32_t busy = (uint32_t)__builtin_popcountll(used >> at & ((1u << window) - 1));
    return busy + count <= window;
}

static void take(uint64_t *used, uint64_t at, uint32_t count)
{
    for (uint64_t i = at; count != 0 && i < PORT_CYCLES; i++)
        if (!(*used >> i & 1)) {
            *used |= 1ull << i;
            count--;
        }
}

static void advance(struct modern_sub_core *sub, uint64_t base)
{
    uint64_t shift = base - sub->port_base;
    for (uint32_t bank = 0; bank < MODERN_BANKS; bank++)
        sub->port_used[bank] = shift < PORT_CYCLES ? sub->port_used[bank] >> shift : 0;
    sub->port_base = base;
}

/* Products of groups of warps read their sums through the same ports. Returns the cycles in
 * which an instruction reads: more of them where products take a part of each bank's. */
static uint32_t add_products(struct modern *core, struct modern_sub_core *sub)
{
    uint64_t from = sub->products_until > sub->port_base ? sub->products_until : sub->port_base;
    if (!core_async_is_reading(core->async))
        return READ_CYCLES;
    sub->products_until = core_async_reads(core->async, sub->port_base, from,
                                           sub->port_base + PORT_CYCLES, sub->port_used);
    return 2 * READ_CYCLES;
}

void core_read_registers(struct modern *core, struct modern_sub_core *sub, uint32_t warp,
                         const struct inst *inst)
{
    uint32_t reads[MODERN_BANKS] = {0};
    if (!core->spec->read_ports || !inst->issue.has_code)
        return; /* without code, it is not known which operands are kept */
    count_reads(core->spec, sub, warp, &inst->issue, reads);
    for (uint32_t bank = 0; bank < MODERN_BANKS; bank++)
        if (reads[bank] > READ_CYCLES)
            reads[bank] = READ_CYCLES; /* operands of matrices come in several turns */
    uint64_t allocate = core->sm.now + BEFORE;
    if (allocate < sub->allocate_free)
        allocate = sub->allocate_free;
    advance(sub, core->sm.now);
    uint32_t window = add_products(core, sub);
    uint64_t at = allocate + 1 - sub->port_base;
    while (at + window < PORT_CYCLES && (!has_room(sub->port_used[0], at, window, reads[0]) ||
                                         !has_room(sub->port_used[1], at, window, reads[1])))
        at++;
    take(&sub->port_used[0], at, reads[0]);
    take(&sub->port_used[1], at, reads[1]);
    allocate = at - 1 + sub->port_base;
    sub->allocate_free = allocate + 1;
    sub->issue_free = allocate - 1; /* the control stage holds the next one until then */
}

void core_forget_operands(struct modern *core, uint32_t warp)
{
    struct modern_sub_core *sub = &core->subs[warp % core->sm.spec->schedulers];
    for (uint32_t slot = 0; slot < INST_SLOTS; slot++)
        for (uint32_t bank = 0; bank < MODERN_BANKS; bank++)
            if ((uint32_t)(sub->kept[slot][bank] - 1) >> 8 == warp)
                sub->kept[slot][bank] = 0;
}
