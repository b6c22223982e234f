#include "sim/config/flush_places.h"

static const struct flush_place start = {
    .policy = {.name = "start",
               .description = "when a launch starts, so that copies before it leave nothing in "
                              "L2, as the cache control of Nsight Compute"},
    .start = true,
};
static const struct flush_place end = {
    .policy = {.name = "end",
               .description =
                   "when a launch has ended, so that copies before the next one stay "
                   "in L2, as GPGPU-Sim without launch latency"},
    .end = true,
};
static const struct flush_place both = {
    .policy = {.name = "both", .description = "both, as GPGPU-Sim with launch latency"},
    .start = true,
    .end = true,
};

const struct policy *const flush_places[] = {&start.policy, &end.policy, &both.policy, 0};
