/* How the launches of a plan were chosen: strata, scales, and whether at random. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_DESIGN_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_DESIGN_H

#include <stdbool.h>

#include "sampling/sampling.h"
#include "tools/run/plan/plan.h"

struct sample_design {
    struct sampling_design of; /* the caller sets `sizes` according to `unit`, unless the plan
                                  has them */
    enum sampling_unit unit;   /* unit of the sizes from which scales are made;
                                  SAMPLING_NO_INSTS: each launch counts the same */
    size_t count;              /* measured launches that are not skipped */
    size_t *places;            /* for each of them, in the plan's order: its place in `of`,
                                  where strata are contiguous */
    double launches;           /* represented by all of them */
    double warp_insts, thread_insts; /* of the application, from !total; NaN: unknown, or the
                                        measured launches do not represent all of it */
    bool scaled;                     /* one represents more than itself */
    bool whole;  /* no measured launch is skipped, or missing from those in !total */
    bool listed; /* private, like all below: each lists the launches that it represents */
    struct sampling_draw *draws;
    double *scales;
    double *sizes; /* from the plan, of launches in groups; 1 without a group */
    bool grouped;  /* some are in groups */
};

/* Reads the items of PLAN without those in SKIP (one flag per item; NULL: none): their keys
 * scale, stratum, stands, spread, group and size; scale, draw, insts and confidence of !method;
 * and !total. Without draw=random, launches do not count as drawn at random. Returns 0, or -1
 * with ERR filled. */
int sample_design_init(struct sample_design *design, const struct plan *plan, const bool *skip,
                       struct error *err);
/* The design of COUNT launches that each represent only themselves. */
int sample_design_init_all(struct sample_design *design, size_t count, struct error *err);
/* Accepts a zeroed one. */
void sample_design_finish(struct sample_design *design);

#endif
