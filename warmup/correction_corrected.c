/* Reads: of the cycles by which the launch would have ended earlier had L2 held all that it
 * reads (sim_what_if()), those that no sector would have been missing in: sectors that are
 * fetched side by side save time only where L2 would have held all of them. Writes: what the
 * launch pushes out of L2 takes DRAM's pins, as far as these have no time left. */
#include <math.h>

#include "warmup/correction.h"

/* SMs that the launch's blocks are spread over. */
static double sms_of(const struct correction_input *input)
{
    uint64_t blocks = input->counters->blocks, sms = input->peaks.sms;
    return blocks == 0 ? 1 : (double)(blocks < sms ? blocks : sms);
}

static double parallel_of(const struct correction_input *input, double exposed)
{
    double reads = (double)input->counters->dram_reads / sms_of(input);
    if (exposed <= 0)
        return 0;
    double parallel = reads * input->penalty / exposed;
    return parallel > 1 ? parallel : 1;
}

/* Cycles that the pins need for WRITTEN sectors more and SAVED ones fewer than in the cold run,
 * beyond those in which they were idle. */
static double cycles_of_writes(const struct correction_input *input, double saved)
{
    const struct sim_counters *c = input->counters;
    double written = input->reuse.pushed - (double)c->l2_evicted_dirty_sectors;
    if (written <= 0 || input->peaks.dram_bytes <= 0)
        return 0;
    double bytes = (double)(c->dram_read_bytes + c->dram_write_bytes);
    double busy = (bytes + 32 * (written - saved)) / input->peaks.dram_bytes;
    double cycles = busy - (double)input->cycles;
    return cycles > 0 ? cycles : 0;
}

void correction_make_corrected(const struct correction_input *input,
                               struct correction *correction)
{
    const struct correction_reuse *reuse = &input->reuse;
    double saved = reuse->received * (double)input->counters->dram_reads;
    *correction = (struct correction){
        .accesses = (double)reuse->lines,
        .controllers = correction_controllers(input),
        .forward = reuse->forward,
        .received = reuse->received,
        .penalty = input->penalty,
        .exposed = (double)input->saved_cycles,
        .writes = cycles_of_writes(input, saved),
    };
    correction->serial = correction->accesses / correction->controllers * correction->received *
                         correction->penalty;
    correction->parallel = parallel_of(input, correction->exposed);
    correction->delta = pow(correction->received, correction->parallel) * correction->exposed -
                        correction->writes;
    correction->cycles = (double)input->cycles - correction->delta;
}
