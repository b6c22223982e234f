#include "tools/run/prime.h"

#include <stdlib.h>

/* Removes every second step, so that steps become twice as long. */
static void halve(struct prime *prime)
{
    for (size_t i = 1; i < prime->count; i += 2)
        prime->steps[i / 2] = prime->steps[i];
    prime->count /= 2;
    prime->every *= 2;
}

bool prime_add(struct prime *prime, const struct sim_interval *interval)
{
    if (prime->steps == NULL) {
        prime->steps = malloc(PRIME_STEPS * sizeof *prime->steps);
        prime->every = 1;
    }
    if (prime->steps == NULL)
        return false;
    prime->sum.end = interval->end;
    sim_counters_add(&prime->sum.counters, &interval->counters);
    if (++prime->skipped < prime->every)
        return true;
    prime->skipped = 0;
    prime->steps[prime->count++] = prime->sum;
    if (prime->count == PRIME_STEPS)
        halve(prime);
    return true;
}

void prime_apply(const struct prime *prime, double percent, struct row *row)
{
    struct sim_result *result = &row->result;
    double enough = (double)result->counters.warp_insts * percent / 100;
    const struct prime_step *step = NULL;
    for (size_t i = 0; percent > 0 && i < prime->count; i++) {
        const struct prime_step *next = &prime->steps[i];
        if (next->counters.warp_insts >= result->counters.warp_insts)
            break; /* otherwise nothing would be left */
        step = next;
        if ((double)step->counters.warp_insts >= enough)
            break;
    }
    if (step == NULL || step->counters.warp_insts == 0)
        return;
    row->primed = step->counters.warp_insts;
    result->start_cycle += step->end;
    sim_counters_subtract(&result->counters, &step->counters);
}

double prime_latency(const struct sim_config *config, uint64_t blocks)
{
    const struct sim_options *options = &config->options;
    return (double)options->gpgpu_kernel_launch_latency +
           (double)blocks * options->gpgpu_TB_launch_latency;
}

double prime_cycles(double cycles, double part, double latency)
{
    return part > 1 ? cycles + latency / part : cycles;
}

void prime_finish(struct prime *prime)
{
    free(prime->steps);
    *prime = (struct prime){0};
}
