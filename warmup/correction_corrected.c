/* Reads: of the cycles by which the launch would have ended earlier had L2 held all that it
 * reads (sim_ideal_l2()), those of waits in which no sector would have been missing: sectors
 * that are fetched side by side save time only where L2 would have held all of them, and the
 * launch ends with its last SM. Writes: what the launch pushes out of L2 takes DRAM's pins, as
 * far as these have no time left. */
#include <math.h>

#include "warmup/correction.h"

/* SMs that the launch's blocks are spread over. */
static double sms_of(const struct correction_input *input)
{
    uint64_t blocks = input->counters->blocks, sms = input->peaks.sms;
    return blocks == 0 ? 1 : (double)(blocks < sms ? blocks : sms);
}

/* The chance that none of SOME of COUNT sectors is one of the MISSING of them (hypergeometric;
 * MISSING is whole). */
static double chance_of_whole(double count, double missing, double some)
{
    if (missing <= 0 || some <= 0)
        return 1;
    if (missing + some > count)
        return 0;
    double chance = exp(lgamma(count - missing + 1) - lgamma(count - missing - some + 1) +
                        lgamma(count - some + 1) - lgamma(count + 1));
    return chance < 1 ? chance : 1;
}

/* The same where MISSING is a mean: of the whole numbers next to it. */
static double chance_of_none(double count, double missing, double some)
{
    double whole = floor(missing), more = missing - whole;
    return (1 - more) * chance_of_whole(count, whole, some) +
           more * chance_of_whole(count, whole + 1, some);
}

/* The logarithm of the chance that K of COUNT succeed, with CHANCE each. */
static double log_binomial(double count, double k, double chance)
{
    return lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(chance) +
           (count - k) * log1p(-chance);
}

/* Of COUNT waits of each of SMS, each saved with CHANCE: those that the SM saves that saves
 * the least, in the mean. That is the sum over k of the chance that all save k or more; for
 * all but the k around the mean it is 1 or 0. */
static double least_saved(double count, double chance, double sms)
{
    if (chance <= 0 || chance >= 1)
        return chance <= 0 ? 0 : count;
    double mean = count * chance, far = 10 * sqrt(mean * (1 - chance)) + 10;
    double low = mean - far > 0 ? floor(mean - far) : 0, sum = low, more = 0;
    for (double k = mean + far < count ? ceil(mean + far) : count; k > low; k--) {
        more += exp(log_binomial(count, k, chance));
        sum += pow(more < 1 ? more : 1, sms);
    }
    return sum;
}

/* Waits of PENALTY cycles one behind the other in the exposed ones. */
static double waits_of(const struct correction_input *input)
{
    double waits = round((double)input->saved_cycles / input->penalty);
    return waits > 1 ? waits : 1;
}

/* Cycles that the launch ends earlier by what L2 holds of its reads. */
static double saved_of(const struct correction_input *input)
{
    double reads = (double)input->counters->dram_reads, sms = sms_of(input);
    double waits = waits_of(input), missing = reads * (1 - input->reuse.received);
    double all = chance_of_none(reads, missing, reads / waits);
    return least_saved(waits, pow(all, 1 / sms), sms) / waits * (double)input->saved_cycles;
}

static double parallel_of(const struct correction_input *input)
{
    if (input->saved_cycles == 0)
        return 0;
    return (double)input->counters->dram_reads / sms_of(input) / waits_of(input);
}

/* Cycles that the pins need for WRITTEN sectors more and SAVED ones fewer than in the cold run,
 * beyond those in which they were idle. */
static double cycles_of_writes(const struct correction_input *input, double saved)
{
    const struct sim_counters *c = input->counters;
    double written = input->reuse.pushed;
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
    correction->parallel = parallel_of(input);
    correction->delta = saved_of(input) - correction->writes;
    correction->cycles = (double)input->cycles - correction->delta;
}
