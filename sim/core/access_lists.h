/* The lists of sectors of an SM's memory instructions, from issue until the load/store unit has
 * sent all of them. An instruction in flight (struct sm_op) knows its list by number. */
#ifndef HEARTH_SIM_CORE_ACCESS_LISTS_H
#define HEARTH_SIM_CORE_ACCESS_LISTS_H

#include "sim/core/coalesce.h"
#include "sim/core/op.h"

struct access_lists {
    uint64_t free;             /* mask of `lists` */
    struct access_list *lists; /* SM_LISTS of them */
};

/* All are free. Returns false when memory is short. */
bool access_lists_init(struct access_lists *lists);
void access_lists_finish(struct access_lists *lists);

/* Whether an instruction that needs a list can be issued. */
static inline bool access_lists_any(const struct access_lists *lists)
{
    return lists->free != 0;
}

/* Whether no instruction has one. */
static inline bool access_lists_unused(const struct access_lists *lists)
{
    return lists->free == ~0ull;
}

/* The list of OP, or NULL. */
static inline struct access_list *access_lists_of(const struct access_lists *lists,
                                                  const struct sm_op *op)
{
    return op->list < SM_LISTS ? &lists->lists[op->list] : NULL;
}

/* Gives OP an empty list; only if access_lists_any(). The lowest that is free, so that few are
 * ever used. */
static inline struct access_list *access_lists_take(struct access_lists *lists,
                                                    struct sm_op *op)
{
    op->list = (uint8_t)__builtin_ctzll(lists->free);
    lists->free &= lists->free - 1;
    lists->lists[op->list].count = 0;
    return &lists->lists[op->list];
}

/* OP needs none any more, if it had one. */
static inline void access_lists_drop(struct access_lists *lists, struct sm_op *op)
{
    if (op->list < SM_LISTS)
        lists->free |= 1ull << op->list;
    op->list = SM_LISTS;
}

#endif
