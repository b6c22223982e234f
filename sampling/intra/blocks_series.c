#include "sampling/intra/blocks_series.h"

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
    size_t count, pairs;
    double value, squares; /* of values; of differences between successive ones */
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

/* Fills SPREAD's contrast, and what is changed. */
static void compare(const struct blocks_series *series, size_t first, size_t last,
                    uint64_t ended, struct blocks_spread *spread)
{
    struct {
        double sum, count;
    } before = {0, 0}, after = {0, 0}, *mean;
    for (size_t i = first; i < last; i++) {
        const struct blocks_wave *wave = &series->waves[i];
        bool follows = i > first && series->waves[i - 1].skipped;
        spread->changed += wave->skipped || follows;
        mean = follows ? &after : &before;
        if ((!follows && spread->changed > 0) || !is_sampled(wave, ended))
            continue;
        mean->sum += value(series, wave, spread->by_insts);
        mean->count++;
    }
    spread->before = before.count;
    spread->after = after.count;
    if (after.count > 0 && before.sum > 0)
        spread->contrast = after.sum / after.count / (before.sum / before.count) - 1;
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
        .v = variance(by_insts ? &ratios : &plain),
        .weight = plain.weight,
        .by_insts = by_insts,
    };
    compare(series, first, last, ended, &spread);
    return spread;
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
