#include "tools/commands/trace/footprint_sum.h"

#include <inttypes.h>

#define MIB ((double)(1 << 20))

static unsigned bucket(uint32_t distance)
{
    return distance > 1 ? 32 - (unsigned)__builtin_clz(distance - 1) : 0;
}

void footprint_sum_add(struct footprint_sum *sum, const struct footprint_row *row)
{
    const struct trace_footprint *counts = &row->counts;
    sum->launches++;
    sum->records += counts->records;
    sum->accesses += counts->accesses;
    sum->sectors += counts->sectors.all;
    sum->reused += counts->reused;
    sum->copied += counts->copied;
    for (size_t i = 0; i < counts->source_count; i++)
        if (!counts->sources[i].copy)
            sum->by_distance[bucket(counts->sources[i].distance)] += counts->sources[i].sectors;
}

void footprint_sum_add_reuse(struct footprint_sum *sum, const struct footprint_row *row)
{
    double all = (double)row->counts.addresses;
    if (all > 0 && row->has_next) {
        sum->forward += (double)row->next_addresses / all;
        sum->forwards++;
    }
    if (all > 0 && row->has_previous) {
        sum->backward += (double)row->counts.shared_addresses / all;
        sum->backwards++;
    }
}

static void print_mean(FILE *out, const char *name, double sum, uint64_t count)
{
    if (count > 0)
        fprintf(out, "%s %.2f %% of a launch's addresses, mean of %" PRIu64 "\n", name,
                100 * sum / (double)count, count);
}

static void print_source(FILE *out, const struct footprint_sum *sum, const char *name,
                         uint64_t sectors)
{
    if (sectors > 0)
        fprintf(out, "  %-24s %6.2f %%  %" PRIu64 "\n", name,
                100 * (double)sectors / (double)sum->sectors, sectors);
}

static void print_distances(FILE *out, const struct footprint_sum *sum)
{
    char name[64];
    print_source(out, sum, "the launch before", sum->by_distance[0]);
    print_source(out, sum, "2 launches before", sum->by_distance[1]);
    for (unsigned i = 2; i < FOOTPRINT_BUCKETS; i++) {
        snprintf(name, sizeof name, "%" PRIu64 " to %" PRIu64 " before",
                 (UINT64_C(1) << (i - 1)) + 1, UINT64_C(1) << i);
        print_source(out, sum, name, sum->by_distance[i]);
    }
}

void footprint_sum_print(FILE *out, const struct footprint_sum *sum,
                         const struct trace_reuse_totals *totals)
{
    fprintf(out,
            "\nlaunches      %" PRIu64 "\nmemory insts  %" PRIu64 "\naccesses      %" PRIu64
            " sectors, each once an instruction\nfootprint     %.2f MiB of lines, %.2f MiB of "
            "sectors, of %" PRIu64 " launches\n",
            sum->launches, sum->records, sum->accesses,
            (double)totals->lines * TRACE_LINE_BYTES / MIB, (double)totals->sectors * 32 / MIB,
            totals->launches);
    print_mean(out, "forward reuse", sum->forward, sum->forwards);
    print_mean(out, "backw. reuse ", sum->backward, sum->backwards);
    fprintf(out, "sectors       %" PRIu64 ", each once a launch, touched last by\n",
            sum->sectors);
    print_distances(out, sum);
    print_source(out, sum, "copies", sum->copied);
    print_source(out, sum, "nobody before", sum->sectors - sum->reused - sum->copied);
    fprintf(out, "tables        %.2f MiB of memory\n", (double)totals->memory / MIB);
}
