/* The policy mse: "Minimal Subset Evaluation: Rapid Warm-up for Simulated Hardware State"
 * (Haskins, Skadron, 2001), with launches for instructions.
 *
 * The launches before it that have touched enough lines to fill L2, up to a percentile of its
 * ways, if lines fall into sets at random. What the launch itself touches does not matter. */
#include "warmup/policies.h"
#include "warmup/warm_distance.h"

const struct warmup_policy warmup_policy_mse = {
    .policy = {.name = "mse",
               .description = "apply the accesses of the launches before it that fill L2, "
                              "without timing (minimal subset evaluation)"},
    .make = warmup_replay,
    .step = WARMUP_FUNCTIONAL,
    .alone = true,
    .distance = warm_distance_to_full,
};
