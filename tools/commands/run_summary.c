#include "tools/commands/run_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "traces/base/process/host.h"
#include "traces/base/process/terminal.h"

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* Newcomers wonder at cycles in which nothing happens. */
static void print_cycles(const struct results *results)
{
    const struct totals *totals = &results->totals;
    const struct sim_options *options = &results->config->options;
    double latency = (double)totals->launches * options->gpgpu_kernel_launch_latency +
                     (double)totals->counters.blocks * options->gpgpu_TB_launch_latency;
    printf("%-14s %" PRIu64, "cycles", totals->cycles);
    if (latency > 0 && totals->cycles > 0)
        printf(", %.0f of them launch latency", latency);
    putchar('\n');
}

/* So do cold launches that hit in L2. */
static void print_copies(const struct results *results)
{
    for (int on_device = 0; on_device < 2; on_device++) {
        const struct copies_run *copies = &results->copies[on_device];
        if (copies->count != 0)
            printf("%-14s %" PRIu64 " %s, %.3f MB%s\n", on_device ? "other writes" : "copies",
                   copies->count, on_device ? "on the device" : "to the device",
                   1e-6 * (double)copies->bytes,
                   sim_config_copies_fill(results->config, on_device) ? ", which fill L2" : "");
    }
}

void run_summary_print(const struct results *results, const char *folder)
{
    const struct totals *totals = &results->totals;
    const struct sim_counters *c = &totals->counters;
    double cycles = totals->cycles > 0 ? (double)totals->cycles : 1;
    if (results_partial(results))
        printf("%s%-14s%s stopped early (%s): only launches that finished\n",
               terminal_begin(stdout, TERMINAL_WARNING), "PARTIAL", terminal_end(stdout),
               results->stop_reason);
    printf("%-14s %" PRIu64, "launches", totals->launches);
    printf(totals->warm > 0 ? ", and %" PRIu64 " for warm-up\n" : "\n", totals->warm);
    print_copies(results);
    print_cycles(results);
    if (totals->corrected)
        printf("%-14s %.0f cycles\n", "corrected", totals->corrected_cycles);
    printf("%-14s %" PRIu64 ", %.3f a cycle\n", "warp insts", c->warp_insts,
           (double)c->warp_insts / cycles);
    printf("%-14s %" PRIu64 ", %.3f a cycle\n", "thread insts", c->thread_insts,
           (double)c->thread_insts / cycles);
    printf("%-14s %.2f %% of %" PRIu64 " sectors\n", "L1 hits",
           percent(c->l1d_hits, c->l1d_accesses), c->l1d_accesses);
    printf("%-14s %.2f %% of %" PRIu64 " sectors\n", "L2 read hits",
           percent(c->l2_read_hits, c->l2_reads), c->l2_reads);
    printf("%-14s %.3f MB read, %.3f MB written\n", "DRAM", 32e-6 * (double)c->dram_reads,
           32e-6 * (double)c->dram_writes);
    extrapolated_print(&results->extrapolated, stdout);
    struct results_speed speed = results_speed(results);
    printf("%-14s %.1f k warp instructions a second, %.1f a CPU second, %.0f MiB\n", "speed",
           speed.wall, speed.cpu, host_peak_mib());
    printf("%-14s %s\n", "results", folder);
}
