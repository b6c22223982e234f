#include "tools/commands/accel_sim.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/run/notes.h"
#include "traces/base/draft.h"
#include "traces/base/process/host.h"
#include "traces/base/visible.h"

#define COUNTER(name) offsetof(struct accel_sim_sums, counters.name)

static uint64_t sum_at(const struct accel_sim_sums *sums, size_t offset)
{
    return *(const uint64_t *)((const char *)sums + offset);
}

/* ---- single values ---- */

enum scope { OF_LAUNCH, OF_ALL };

static const struct count_line {
    const char *name;
    enum scope scope;
    size_t offset;
} insts[] =
    {
        {"gpgpu_n_tot_thrd_icount", OF_ALL, COUNTER(thread_insts)},
        {"gpgpu_n_tot_w_icount", OF_ALL, COUNTER(warp_insts)},
        {"gpgpu_n_shmem_bkconflict", OF_ALL, COUNTER(shmem_conflict_cycles)},
        {"gpgpu_n_l1cache_bkconflict", OF_ALL, COUNTER(l1d_bank_conflict_cycles)},
},
  launch_counts[] =
      {
          {"gpu_sim_cycle", OF_LAUNCH, offsetof(struct accel_sim_sums, cycles)},
          {"gpu_sim_insn", OF_LAUNCH, COUNTER(thread_insts)},
          {"gpu_tot_sim_cycle", OF_ALL, offsetof(struct accel_sim_sums, cycles)},
          {"gpu_tot_sim_insn", OF_ALL, COUNTER(thread_insts)},
          {"gpu_tot_issued_cta", OF_ALL, COUNTER(blocks)},
},
  l1_counts[] =
      {
          {"\tL1D_total_cache_accesses", OF_ALL, COUNTER(l1d_accesses)},
          {"\tL1D_total_cache_misses", OF_ALL, COUNTER(l1d_misses)},
          {"\tL1D_total_cache_pending_hits", OF_ALL, COUNTER(l1d_pending_hits)},
          {"\tL1D_total_cache_reservation_fails", OF_ALL, COUNTER(l1d_reservation_fails)},
},
  dram_counts[] = {
      {"total dram reads", OF_ALL, COUNTER(dram_reads)},
      {"total dram writes", OF_ALL, COUNTER(dram_writes)},
};

#define PRINT_COUNTS(text, launch, lines)                                                      \
    print_counts(text, launch, lines, sizeof(lines) / sizeof(lines)[0])

static void print_counts(const struct accel_sim *text, const struct accel_sim_sums *launch,
                         const struct count_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(text->out, "%s = %" PRIu64 "\n", lines[i].name,
                sum_at(lines[i].scope == OF_ALL ? &text->all : launch, lines[i].offset));
}

static double ipc(const struct accel_sim_sums *sums)
{
    return sums->cycles > 0 ? (double)sums->counters.thread_insts / (double)sums->cycles : 0;
}

static double derived(const struct accel_sim_sums *sums, enum sim_derived_index index,
                      const struct sim_peaks *peaks)
{
    return sim_derived_table[index].get(&sums->counters, sums->cycles, 0, peaks);
}

static void print_rates(const struct accel_sim *text, const struct accel_sim_sums *launch,
                        const struct sim_peaks *peaks)
{
    const struct accel_sim_sums *all = &text->all;
    fprintf(text->out, "gpu_ipc = %12.4f\n", ipc(launch));
    fprintf(text->out, "gpu_tot_ipc = %12.4f\n", ipc(all));
    fprintf(text->out, "gpu_occupancy = %.4f%% \n",
            100 * derived(launch, SIM_DERIVED_occupancy, peaks));
    fprintf(text->out, "gpu_tot_occupancy = %.4f%% \n",
            100 * derived(all, SIM_DERIVED_occupancy, peaks));
    fprintf(text->out, "L2_BW  = %12.4f GB/Sec\n",
            derived(launch, SIM_DERIVED_l2_bandwidth, peaks));
    fprintf(text->out, "L2_BW_total  = %12.4f GB/Sec\n",
            derived(all, SIM_DERIVED_l2_bandwidth, peaks));
}

/* ---- caches by kind of access ---- */

/* Hits, misses and so on: a counter minus another one that is included in it and has its own
 * line (0: none). No line without a counter. */
struct status_line {
    const char *status;
    size_t offset, less;
};

#define KIND(type, name, mshr_hits)                                                            \
    {                                                                                          \
        type,                                                                                  \
        {                                                                                      \
            {"HIT", COUNTER(name##_hits), 0},                                                  \
                {"HIT_RESERVED", COUNTER(name##_pending_hits), 0},                             \
                {"MISS", COUNTER(name##_misses), COUNTER(name##_sector_misses)},               \
                {"RESERVATION_FAIL", COUNTER(name##_reservation_fails), 0},                    \
                {"SECTOR_MISS", COUNTER(name##_sector_misses), 0}, {"MSHR_HIT", mshr_hits, 0}, \
                {"TOTAL_ACCESS", COUNTER(name##s), 0},                                         \
        }                                                                                      \
    }

#define STATUS_LINES 7

static const struct kind_lines {
    const char *type;
    struct status_line lines[STATUS_LINES];
} l1_kinds[] =
    {
        KIND("GLOBAL_ACC_R", l1d_global_load, COUNTER(l1d_global_load_mshr_hits)),
        KIND("LOCAL_ACC_R", l1d_local_load, COUNTER(l1d_local_load_mshr_hits)),
        KIND("GLOBAL_ACC_W", l1d_global_store, 0),
        KIND("LOCAL_ACC_W", l1d_local_store, 0),
},
  l2_kinds[] = {
      KIND("GLOBAL_ACC_R", l2_global_read, COUNTER(l2_global_read_mshr_hits)),
      KIND("LOCAL_ACC_R", l2_local_read, COUNTER(l2_local_read_mshr_hits)),
      KIND("GLOBAL_ACC_W", l2_global_write, 0),
      KIND("LOCAL_ACC_W", l2_local_write, 0),
      KIND("L1_WRBK_ACC", l2_l1_write_back, 0),
};

/* Atomics are global reads in GPGPU-Sim. */
static const struct kind_lines atomics =
    KIND("GLOBAL_ACC_R", l2_atomic, COUNTER(l2_atomic_mshr_hits));

static uint64_t status_count(const struct accel_sim_sums *all, const struct status_line *line)
{
    uint64_t count = sum_at(all, line->offset);
    return line->less != 0 ? count - sum_at(all, line->less) : count;
}

/* MORE is added to the first of KINDS; NULL: nothing is. */
static void print_kinds(const struct accel_sim *text, const char *cache,
                        const struct kind_lines *kinds, size_t count,
                        const struct kind_lines *more)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < STATUS_LINES; i++) {
            const struct status_line *line = &kinds[k].lines[i];
            if (line->offset == 0)
                continue;
            uint64_t sum = status_count(&text->all, line);
            if (k == 0 && more != NULL)
                sum += status_count(&text->all, &more->lines[i]);
            fprintf(text->out, "\t%s[%s][%s] = %" PRIu64 "\n", cache, kinds[k].type,
                    line->status, sum);
        }
}

static void print_l1(const struct accel_sim *text, const struct accel_sim_sums *launch)
{
    fputs("L1D_cache:\n", text->out);
    PRINT_COUNTS(text, launch, l1_counts);
    fputs("\nTotal_core_cache_stats:\n", text->out);
    print_kinds(text, "Total_core_cache_stats_breakdown", l1_kinds,
                sizeof l1_kinds / sizeof l1_kinds[0], NULL);
}

static void print_l2(const struct accel_sim *text)
{
    const struct sim_counters *c = &text->all.counters;
    uint64_t accesses = c->l2_reads + c->l2_writes;
    uint64_t misses = c->l2_read_misses + c->l2_write_misses;
    uint64_t fails = c->l2_global_read_reservation_fails + c->l2_local_read_reservation_fails +
                     c->l2_atomic_reservation_fails + c->l2_global_write_reservation_fails +
                     c->l2_local_write_reservation_fails +
                     c->l2_l1_write_back_reservation_fails;
    fputs("\n========= L2 cache stats =========\n", text->out);
    fprintf(text->out, "L2_total_cache_accesses = %" PRIu64 "\n", accesses);
    fprintf(text->out, "L2_total_cache_misses = %" PRIu64 "\n", misses);
    fprintf(text->out, "L2_total_cache_miss_rate = %.4f\n",
            accesses > 0 ? (double)misses / (double)accesses : 0);
    fprintf(text->out, "L2_total_cache_pending_hits = %" PRIu64 "\n",
            c->l2_read_pending_hits + c->l2_write_pending_hits);
    fprintf(text->out, "L2_total_cache_reservation_fails = %" PRIu64 "\n", fails);
    fputs("L2_total_cache_breakdown:\n", text->out);
    print_kinds(text, "L2_cache_stats_breakdown", l2_kinds,
                sizeof l2_kinds / sizeof l2_kinds[0], &atomics);
}

/* ---- time ---- */

/* Whole seconds, at least one. */
static uint64_t elapsed(const struct accel_sim *text)
{
    double seconds = host_seconds() - text->started;
    return seconds > 1 ? (uint64_t)seconds : 1;
}

static void print_time(const struct accel_sim *text, const struct sim_peaks *peaks)
{
    uint64_t seconds = elapsed(text), cycles = text->all.cycles / seconds;
    fprintf(text->out,
            "\n\ngpgpu_simulation_time = %" PRIu64 " days, %" PRIu64 " hrs, %" PRIu64
            " min, %" PRIu64 " sec (%" PRIu64 " sec)\n",
            seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, seconds);
    fprintf(text->out, "gpgpu_simulation_rate = %" PRIu64 " (inst/sec)\n",
            text->all.counters.thread_insts / seconds);
    fprintf(text->out, "gpgpu_simulation_rate = %" PRIu64 " (cycle/sec)\n", cycles);
    fprintf(text->out, "gpgpu_silicon_slowdown = %.0fx\n",
            peaks->core_hz / (double)(cycles > 0 ? cycles : 1));
}

/* ---- the whole ---- */

/* Accel-Sim's scripts search its program, and GPGPU-Sim's library, for versions that begin so.
 */
static const char build[] = "accelsim-commit-hearth-" HEARTH_VERSION;
static const char library_build[] = "gpgpu-sim_git-commit-hearth-" HEARTH_VERSION;

void accel_sim_init(struct accel_sim *text, FILE *out)
{
    *text = (struct accel_sim){.out = out, .started = host_seconds()};
    fprintf(out,
            "Accel-Sim [build %s]\n"
            "Hearth " HEARTH_VERSION ", in the words of GPGPU-Sim [build %s]\n",
            build, library_build);
}

/* If launches overlap, each cycle counts once. */
static void add_cycles(struct accel_sim *text, const struct row *row)
{
    uint64_t from = row->result.start_cycle, end = row->result.end_cycle;
    if (row->segments != text->segment)
        text->last = 0;
    if (text->last > from)
        from = text->last;
    text->segment = row->segments;
    if (end <= from)
        return;
    text->all.cycles += end - from;
    text->last = end;
}

void accel_sim_launch(struct accel_sim *text, const struct row *row)
{
    const struct sim_peaks *peaks = &row->result.peaks;
    const struct accel_sim_sums launch = {
        .cycles = row->result.end_cycle - row->result.start_cycle,
        .counters = row->result.counters,
    };
    add_cycles(text, row);
    sim_counters_add(&text->all.counters, &launch.counters);
    fputs("kernel_name = ", text->out);
    visible_print(row->kernel, text->out);
    fputs(" \n", text->out);
    fprintf(text->out, "kernel_launch_uid = %" PRIu64 " \n", ++text->launches);
    fprintf(text->out, "kernel_stream_id = %" PRIu64 "\n", row->stream);
    PRINT_COUNTS(text, &launch, launch_counts);
    print_rates(text, &launch, peaks);
    print_l1(text, &launch);
    PRINT_COUNTS(text, &launch, insts);
    PRINT_COUNTS(text, &launch, dram_counts);
    print_l2(text);
    print_time(text, peaks);
    fflush(text->out);
}

void accel_sim_notes(struct accel_sim *text, const struct notes *notes)
{
    struct draft draft;
    if (notes->count == 0 || !draft_begin(&draft))
        return;
    notes_write(notes, draft.out);
    bool good = draft_end(&draft);
    for (const char *at = draft.text; good && *at != '\0'; at++)
        putc(*at == '=' ? ':' : *at, text->out);
    free(draft.text);
}

void accel_sim_end(struct accel_sim *text)
{
    fputs("GPGPU-Sim: *** simulation thread exiting ***\n"
          "GPGPU-Sim: *** exit detected ***\n",
          text->out);
}
