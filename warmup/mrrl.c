/* The policy mrrl: "Memory Reference Reuse Latency: Accelerated Warmup for Sampled
 * Microarchitecture Simulation" (Haskins, Skadron, 2003), with launches for instructions.
 *
 * Of all references of the launch, it covers a percentile of their reuse latencies, counted in
 * launches: 0 if the launch itself has touched the sector before. References to what nothing
 * touched before have none. Unlike auto, which is BLRL's rule, it also counts reuse within the
 * launch and asks neither for what L2 would still hold nor for what filled it. */
#include "warmup/policies.h"
#include "warmup/warm_distance.h"

static uint32_t go_back(const struct warm_distance *at)
{
    const struct trace_footprint *footprint = at->footprint;
    uint64_t covered = footprint->accesses - footprint->sectors.all, all = covered;
    uint32_t back = 0;
    for (size_t i = 0; i < footprint->source_count; i++)
        all += footprint->sources[i].sectors;
    double enough = (double)all * at->limits->percentile / 100;
    for (size_t i = 0; i < footprint->source_count && (double)covered < enough; i++) {
        const struct trace_reuse_source *source = &footprint->sources[i];
        covered += source->sectors;
        if (warm_distance_counts(at, source) && source->sectors > 0)
            back = source->distance;
    }
    return back;
}

const struct warmup_policy warmup_policy_mrrl = {
    .policy = {.name = "mrrl",
               .description = "apply the accesses of the launches before it that memory "
                              "reference reuse latency asks for, without timing"},
    .make = warmup_replay,
    .step = WARMUP_FUNCTIONAL,
    .alone = true,
    .distance = go_back,
};
