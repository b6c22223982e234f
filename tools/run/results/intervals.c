#include "tools/run/results/intervals.h"

#include <inttypes.h>
#include <stdlib.h>

#include "traces/base/bytes.h"

#define COUNTER(name)                                                                          \
    {                                                                                          \
#name, offsetof(struct sim_counters, name)                                             \
    }

static const struct {
    const char *name;
    size_t offset;
} counters[INTERVALS_COUNTERS] = {
    COUNTER(warp_insts),       COUNTER(thread_insts),  COUNTER(l1d_accesses),
    COUNTER(l1d_hits),         COUNTER(l2_reads),      COUNTER(l2_read_hits),
    COUNTER(l2_writes),        COUNTER(l2_write_hits), COUNTER(dram_read_bytes),
    COUNTER(dram_write_bytes),
};

/* They are computed from the counters above. */
static const enum sim_derived_index rates[] = {
    SIM_DERIVED_l1d_hit_rate,
    SIM_DERIVED_l2_read_hit_rate,
    SIM_DERIVED_l2_write_hit_rate,
    SIM_DERIVED_dram_bandwidth_use,
};

static uint64_t *counter(struct sim_counters *of, size_t index)
{
    return (uint64_t *)((char *)of + counters[index].offset);
}

void intervals_finish(struct intervals *intervals)
{
    free(intervals->items);
    *intervals = (struct intervals){0};
}

struct interval *intervals_new(struct intervals *intervals)
{
    if (!array_room(&intervals->items, intervals->count, sizeof *intervals->items))
        return NULL;
    return &intervals->items[intervals->count++];
}

bool intervals_add(struct intervals *intervals, const struct sim_interval *interval)
{
    struct interval *item = intervals_new(intervals);
    if (item == NULL)
        return false;
    struct sim_counters all = interval->counters;
    item->begin = interval->begin;
    item->end = interval->end;
    for (size_t i = 0; i < INTERVALS_COUNTERS; i++)
        item->counts[i] = *counter(&all, i);
    return true;
}

void intervals_write_head(FILE *out)
{
    fputs("step,launch,interval,begin_cycle,end_cycle,cycles", out);
    for (size_t i = 0; i < INTERVALS_COUNTERS; i++)
        fprintf(out, ",%s", counters[i].name);
    fputs(",ipc,warp_ipc", out);
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        fprintf(out, ",%s", sim_derived_table[rates[i]].name);
    putc('\n', out);
}

static void write_rates(const struct interval *item, const struct sim_peaks *peaks, FILE *out)
{
    struct sim_counters c = {0};
    uint64_t cycles = item->end - item->begin;
    for (size_t i = 0; i < INTERVALS_COUNTERS; i++)
        *counter(&c, i) = item->counts[i];
    fprintf(out, ",%.6g,%.6g", (double)c.thread_insts / (double)cycles,
            (double)c.warp_insts / (double)cycles);
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        fprintf(out, ",%.6g", sim_derived_table[rates[i]].get(&c, cycles, 0, peaks));
    putc('\n', out);
}

void intervals_write(const struct intervals *intervals, uint64_t step, uint64_t launch,
                     const struct sim_peaks *peaks, FILE *out)
{
    for (size_t k = 0; k < intervals->count; k++) {
        const struct interval *item = &intervals->items[k];
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64, step,
                launch, k + 1, item->begin, item->end, item->end - item->begin);
        for (size_t i = 0; i < INTERVALS_COUNTERS; i++)
            fprintf(out, ",%" PRIu64, item->counts[i]);
        write_rates(item, peaks, out);
    }
}
