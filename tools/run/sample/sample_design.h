/* How the launches of a plan were chosen: strata, scales, and whether by chance. */
#ifndef HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_DESIGN_H
#define HEARTH_TOOLS_RUN_SAMPLE_SAMPLE_DESIGN_H

#include <stdbool.h>

#include "sampling/sampling.h"
#include "tools/run/plan/plan.h"

struct sample_design {
    struct sampling_design of; /* `sizes` are left to the caller, who looks at `unit` */
    enum sampling_unit unit;   /* of the sizes that scales are made of; SAMPLING_NO_INSTS:
                                * launches count alike */
    size_t count;              /* measured launches that are not skipped */
    size_t *places;            /* of each, in the plan's order: its place in `of`, where strata
                                * stand together */
    double launches;           /* that all of them stand for */
    double warp_insts, thread_insts; /* of the application, as !total has them; NaN: not known,
                                      * or the measured launches do not stand for all of it */
    bool scaled;                     /* one stands for more than itself */
    bool whole;  /* no measured launch is skipped, nor missing from what !total says */
    bool listed; /* private, as all below: each lists what it stands for */
    struct sampling_draw *draws;
    double *scales;
};

/* Of the items of PLAN without those in SKIP (one flag an item; NULL: none): their keys scale,
 * stratum, stands and spread, scale, draw, insts and confidence of !method, and !total. Without
 * draw=random nothing is taken for chance. Returns 0, or -1 with ERR filled. */
int sample_design_init(struct sample_design *design, const struct plan *plan, const bool *skip,
                       struct error *err);
/* Of COUNT launches that each stand for themselves. */
int sample_design_init_all(struct sample_design *design, size_t count, struct error *err);
/* Accepts a zeroed one. */
void sample_design_finish(struct sample_design *design);

#endif
