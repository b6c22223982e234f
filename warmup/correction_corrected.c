/* Reads: the launch would have ended earlier by some cycles if L2 had held all that it reads
 * (sim_ideal_l2()). Of these cycles, only waits in which no sector would have been missing are
 * saved: sectors fetched together save time only if L2 would have held all of them, and the
 * launch ends with its last SM. Writes: dirty sectors that the launch evicts from L2 take
 * DRAM's pins, unless the pins have idle time left. */
#include <math.h>

#include "warmup/correction.h"

/* SMs that execute the launch's blocks. */
static double sms_of(const struct correction_input *input)
{
    uint64_t blocks = input->counters->blocks, sms = input->peaks.sms;
    return blocks == 0 ? 1 : (double)(blocks < sms ? blocks : sms);
}

/* The chance that SOME sectors, drawn from COUNT, include none of the MISSING ones
 * (hypergeometric; MISSING is a whole number). */
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

/* The same if MISSING is a mean: interpolated between the whole numbers next to it. */
static double chance_of_none(double count, double missing, double some)
{
    double whole = floor(missing), more = missing - whole;
    return (1 - more) * chance_of_whole(count, whole, some) +
           more * chance_of_whole(count, whole + 1, some);
}

/* The logarithm of the chance that K of COUNT trials succeed, each with CHANCE. */
static double log_binomial(double count, double k, double chance)
{
    return lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(chance) +
           (count - k) * log1p(-chance);
}

/* Each of SMS has COUNT waits, and each wait is saved with CHANCE: how many waits the SM that
 * saves the fewest saves, on average. That is the sum over k of the chance that all SMs save k
 * or more. Except for k around the mean, this chance is 1 or 0. */
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

/* How many waits of PENALTY cycles, one after the other, make up the exposed cycles. */
static double waits_of(const struct correction_input *input)
{
    double waits = round((double)input->saved_cycles / input->penalty);
    return waits > 1 ? waits : 1;
}

/* Cycles by which the launch ends earlier because L2 holds some of its reads. */
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

/* Cycles that the pins need for WRITTEN more sectors and SAVED fewer sectors than in the cold
 * run, beyond the cycles in which they were idle. */
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
