/* The estimate of a launch: equations.h with every unit and level of memory. */
#ifndef HEARTH_ESTIMATE_LAUNCH_ESTIMATE_H
#define HEARTH_ESTIMATE_LAUNCH_ESTIMATE_H

#include "estimate/device.h"
#include "estimate/work.h"

enum estimate_resource {
#define RESOURCE(id, name) RESOURCE_##id,
#include "estimate/resources.def"
    ESTIMATE_RESOURCES
};

struct launch_estimate {
    double warps;                     /* W_L, equation 4.2 */
    double occupancy;                 /* warps of an SM */
    double latency;                   /* Lat_bound, with latency_block */
    double terms[ESTIMATE_RESOURCES]; /* SM cycles that a warp takes of each resource; of the
                                         first one latency / occupancy */
    double largest;                   /* of the terms but that one: 1 / Th_bound */
    double rate;                      /* W_Th, equation 4.3 */
    double equation;                  /* cycles of equation 4.1 with lambda_k 1 */
    double cycles; /* the same in whole blocks: what the SM with most blocks takes, at least
                      one latency bound; and the launch's latency */
    enum estimate_resource limit; /* what `cycles` are due to */
    double seconds;               /* cycles / (SM clock x LAMBDA) */
    double intensity; /* thread instructions for a byte of memory; 0 without memory */
    double reach;     /* of what the roofline allows, 0 to 1 */
};

const char *estimate_resource_name(enum estimate_resource resource);

/* OCCUPANCY: warps of an SM; 0: as the blocks of WORK allow. LAMBDA: lambda_k. Returns 0, or -1
 * with ERR (ERROR_USAGE) where no block fits on an SM. */
int launch_estimate_make(struct launch_estimate *estimate, const struct estimate_device *device,
                         const struct estimate_work *work, double occupancy, double lambda,
                         struct error *err);

/* The roofline of DEVICE in thread instructions a second, at INTENSITY. */
double estimate_roofline(const struct estimate_device *device, double intensity);

#endif
