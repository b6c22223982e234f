/* The CPI stacks of an SM's schedulers (sim/stats/cpi.h). Cycles in which the SM holds a block
 * are charged as they are simulated; of the others it is enough to know how many there were and
 * when the launch began and ran out of blocks. */
#ifndef HEARTH_SIM_CORE_CPI_H
#define HEARTH_SIM_CORE_CPI_H

#include "sim/core/sm.h"
#include "sim/stats/cpi.h"

/* A core model's observer begins with it; it is the SM's `cpi`. */
struct cpi {
    struct sm_observer observer;
    struct sim_cpi stacks[SM_MAX_SCHEDULERS]; /* since sm_create(), ended launches in full */
    uint8_t classes[SM_MAX_SCHEDULERS];       /* enum sim_cpi_class, of the last cycle */
    uint8_t slots[SM_MAX_SCHEDULERS]; /* with `shares`: of the launch that it is charged to */
    struct sim_cpi *shares; /* of each launch slot and of it each scheduler, without cycles in
                             * which the SM holds no block, where several launches run at once;
                             * else NULL. The owner is the engine */
    uint64_t charged;       /* cycles of this launch that are in `stacks` */
};

/* The running launch; while launches overlap, a part of their time. */
struct cpi_launch {
    uint64_t start; /* its first cycle; UINT64_MAX: none runs */
    uint64_t first; /* at whose end it may get its first block */
    uint64_t
        none_left; /* in which the last block was taken from the trace; UINT64_MAX before */
};

/* Hooks for an observer that begins with a struct cpi. This one charges the cycles to the
 * classes and slots that the core model has set in it: */
void cpi_passed(struct sm_observer *observer, struct sm *sm, uint64_t cycles);
/* Calls its hook `turn` for all schedulers: none has issued. */
void cpi_no_turn(struct sm_observer *observer, struct sm *sm);
/* Only struct cpi itself. */
void cpi_serialize(struct sm_observer *observer, struct serializer *image);
void cpi_destroy(struct sm_observer *observer);

/* Makes an observer of SIZE zeroed bytes with HOOKS, which begins with a struct cpi; it is the
 * SM's from now on. Returns false when memory is short. */
bool cpi_create(struct sm *sm, const struct sm_observer_hooks *hooks, size_t size);

/* The cycles of LAUNCH before END in which the SM held no block. The SM stands at END, or is
 * past it with nothing left to do. */
struct sim_cpi cpi_rest(const struct sm *sm, const struct cpi_launch *launch, uint64_t end);
/* LAUNCH ends at END: charges those cycles, and returns them. */
struct sim_cpi cpi_end(struct sm *sm, const struct cpi_launch *launch, uint64_t end);

#endif
