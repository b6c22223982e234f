#include "sampling/intra/blocks_series.h"

#include <math.h>

#define LEAST_PAIRS 4 /* differences of a kind, for their mean to count */

/* The time of a wave if all its blocks took as long as those that ended; over its
 * instructions with BY_INSTS. */
static double value(const struct blocks_series *series, const struct blocks_wave *wave,
                    bool by_insts)
{
    double time = wave->time / (double)wave->ended * (double)series->wave;
    return by_insts && wave->insts > 0 ? time / (double)wave->insts : time;
}

static bool is_sampled(const struct blocks_wave *wave, uint64_t ended)
{
    return !wave->skipped && wave->ended >= (ended > 0 ? ended : 1);
}

/* What is summed up over the sampled waves. */
struct wave_sums {
    size_t count, pairs, across;
    double value, squares; /* of values; half of those of differences between successive ones */
    double across_squares; /* of the latter, with a gap in between */
    double time;
    double weight;
};

/* A gap of SKIPPED waves between two samples, after one of BEFORE waves. */
static double gap_weight(double before, double skipped)
{
    double own = (before + skipped) / 2;
    return own * own + skipped;
}

static struct wave_sums sum(const struct blocks_series *series, size_t first, size_t last,
                            uint64_t ended, bool by_insts)
{
    struct wave_sums sums = {0};
    double previous = 0, before = 0, skipped = 0;
    for (size_t i = first; i < last; i++) {
        const struct blocks_wave *wave = &series->waves[i];
        skipped += wave->skipped;
        if (!is_sampled(wave, ended))
            continue;
        double now = value(series, wave, by_insts);
        if (sums.count > 0) {
            sums.pairs++;
            sums.squares += (now - previous) * (now - previous) / 2;
            sums.across += skipped > 0;
            sums.across_squares += skipped > 0 ? (now - previous) * (now - previous) / 2 : 0;
            sums.weight += gap_weight(before, skipped);
            before = skipped;
        }
        skipped = 0;
        sums.count++;
        sums.value += now;
        sums.time += value(series, wave, false);
        previous = now;
    }
    sums.weight += before * before / 4; /* of the last sample, which has no gap after it */
    return sums;
}

static double variance(const struct wave_sums *sums)
{
    double mean = sums->count > 0 ? sums->value / (double)sums->count : 0;
    return sums->pairs > 0 && mean > 0 ? sums->squares / (double)sums->pairs / (mean * mean)
                                       : 0;
}

/* The first skipped wave, or LAST. */
static size_t first_gap(const struct blocks_series *series, size_t first, size_t last)
{
    while (first < last && !series->waves[first].skipped)
        first++;
    return first;
}

/* The root of the number of sampled waves from FIRST to LAST - 1. */
static size_t root(const struct blocks_series *series, size_t first, size_t last,
                   uint64_t ended)
{
    size_t count = 0;
    for (; first < last; first++)
        count += is_sampled(&series->waves[first], ended);
    return (size_t)sqrt((double)count);
}

/* Half of the mean squared difference between waves FIRST to LAST - 1, all simulated, that are
 * LAG apart; 0 if there are few. */
static double variogram(const struct blocks_series *series, size_t first, size_t last,
                        uint64_t ended, bool by_insts, size_t lag)
{
    double squares = 0, pairs = 0;
    for (size_t i = first; i + lag < last; i++) {
        const struct blocks_wave *a = &series->waves[i], *b = &series->waves[i + lag];
        if (!is_sampled(a, ended) || !is_sampled(b, ended))
            continue;
        double difference = value(series, b, by_insts) - value(series, a, by_insts);
        squares += difference * difference / 2;
        pairs++;
    }
    return pairs >= LEAST_PAIRS ? squares / pairs : 0;
}

/* The greatest variance, as in struct blocks_spread: with serial correlation, or where launches
 * change, waves differ more the farther they are apart, and gaps are wide. */
static double greatest(const struct blocks_series *series, size_t first, size_t last,
                       uint64_t ended, bool by_insts, const struct wave_sums *sums)
{
    double mean = sums->count > 0 ? sums->value / (double)sums->count : 0;
    if (mean <= 0)
        return 0;
    size_t gap = first_gap(series, first, last);
    double apart =
        variogram(series, first, gap, ended, by_insts, root(series, first, gap, ended)) /
        (mean * mean);
    double across = sums->across >= LEAST_PAIRS
                        ? sums->across_squares / (double)sums->across / (mean * mean)
                        : 0;
    return fmax(variance(sums), fmax(apart, across));
}

/* Fills SPREAD's contrast, and what is changed. */
static void compare(const struct blocks_series *series, size_t first, size_t last,
                    uint64_t ended, struct blocks_spread *spread)
{
    size_t gap = first_gap(series, first, last);
    double before = 0, after = 0;
    for (size_t i = first; i < last; i++) {
        const struct blocks_wave *wave = &series->waves[i];
        if (!is_sampled(wave, ended))
            continue;
        double now = value(series, wave, spread->by_insts);
        before += i < gap ? now : 0;
        after += i < gap ? 0 : now;
        spread->before += i < gap;
        spread->after += i >= gap;
    }
    spread->changed = (double)(last - gap);
    if (spread->after > 0 && before > 0)
        spread->contrast = after / spread->after / (before / spread->before) - 1;
}

struct blocks_spread blocks_series_spread(const struct blocks_series *series, size_t first,
                                          size_t last, uint64_t ended)
{
    struct wave_sums plain = sum(series, first, last, ended, false);
    struct wave_sums ratios = sum(series, first, last, ended, true);
    bool by_insts = variance(&ratios) < variance(&plain);
    struct blocks_spread spread = {
        .pairs = plain.pairs,
        .mean = plain.count > 0 ? plain.time / (double)plain.count : 0,
        .v = greatest(series, first, last, ended, by_insts, by_insts ? &ratios : &plain),
        .weight = plain.weight,
        .by_insts = by_insts,
    };
    compare(series, first, last, ended, &spread);
    return spread;
}

bool blocks_series_drifts(const struct blocks_series *series, size_t first, size_t last,
                          uint64_t ended, double least)
{
    struct blocks_spread spread = blocks_series_spread(series, first, last, ended);
    size_t half = first + (last - first) / 2;
    struct wave_sums early = sum(series, first, half, ended, spread.by_insts);
    struct wave_sums late = sum(series, half, last, ended, spread.by_insts);
    if (early.count == 0 || late.count == 0 || early.value <= 0)
        return false;
    double change = late.value / (double)late.count / (early.value / (double)early.count) - 1;
    double error = sqrt(spread.v * (1 / (double)early.count + 1 / (double)late.count));
    return fabs(change) > 3 * error && fabs(change) > least;
}

double blocks_series_skipped(const struct blocks_series *series, size_t first, size_t last)
{
    bool by_insts = blocks_series_spread(series, first, last, series->wave).by_insts;
    double total = 0, before = 0, waves = 0;
    for (size_t i = first; i < last; i++) {
        const struct blocks_wave *wave = &series->waves[i];
        if (wave->skipped) {
            waves += by_insts ? (double)wave->insts : 1;
            continue;
        }
        double now = value(series, wave, by_insts);
        total += waves * (before + now) / 2;
        before = now;
        waves = 0;
    }
    return total;
}
