/* The runs of hearth study cold-start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/cold_start/cold_start.h"
#include "tools/study/footprint/footprint.h"
#include "traces/base/bytes.h"
#include "traces/base/process/heap.h"
#include "traces/base/process/stop.h"

/* -hearth_start_phase of the runs in phase. */
#define IN_PHASE 1

const char *const cold_flush_names[COLD_START_FLUSHES / 2] = {"none", "l1", "l2", "all"};

/* Makes a run that the study has not made yet, and keeps its measurements. */
static int make_run(struct cold_start *cold, const struct study_run *run, struct error *err)
{
    struct results results;
    struct cold_start_done **more =
        realloc(cold->done, (cold->done_count + 1) * sizeof *cold->done);
    struct cold_start_done *done = more != NULL ? calloc(1, sizeof *done) : NULL;
    cold->done = more != NULL ? more : cold->done;
    if (done == NULL)
        return error_no_memory(err);
    cold->done[cold->done_count++] = done;
    snprintf(done->name, sizeof done->name, "%s", study_run_name(run));
    int code = study_run_execute(&cold->options, run, &cold->count, &results, err);
    if (code == 0)
        code = run_measures_init(&done->measures, &results, err);
    results_finish(&results);
    size_t count = done->measures.count, all = cold->done[0]->measures.count;
    if (code != 0 || count == all)
        return code;
    return error_set(err, ERROR_SIMULATION, cold->options.output, 0, 0,
                     "run %s measured %zu launches, full %zu", run->policy, count, all);
}

/* Stores the measurements of RUN in *MEASURES. Makes the run unless another one has the same
 * results. */
static int run_one(struct cold_start *cold, const struct study_run *run,
                   const struct run_measures **measures, struct error *err)
{
    size_t i = 0;
    int code = study_stopped(&cold->count, err);
    if (code != 0)
        return code;
    study_run_tell(&cold->options, run, &cold->count);
    while (i < cold->done_count && strcmp(cold->done[i]->name, study_run_name(run)) != 0)
        i++;
    if (i == cold->done_count)
        code = make_run(cold, run, err);
    if (code != 0)
        return code;
    *measures = &cold->done[i]->measures;
    cold->count.done++;
    return 0;
}

/* The policy whose run also serves for POLICY: if every launch is measured, what the last
 * launch left is what all launches left. */
static const char *run_of(const struct cold_start *cold, const char *policy)
{
    return strcmp(policy, "stitch") == 0 && cold->options.launches == NULL ? "full" : policy;
}

static int run_policies(struct cold_start *cold, struct error *err)
{
    int code = run_one(cold, &(struct study_run){.policy = "full"}, &cold->full, err);
    for (size_t i = 0; i < cold->run_count && code == 0; i++) {
        const char *policy = cold->runs[i].policy;
        const struct study_run run = {.policy = run_of(cold, policy), .serves = policy};
        code = run_one(cold, &run, &cold->runs[i].measures, err);
    }
    return code;
}

/* NAME-POLICY, with all launches starting in PHASE. */
static int run_from_phase(struct cold_start *cold, const char *name, int phase,
                          const char *policy, const struct run_measures **measures,
                          struct error *err)
{
    const char *base = run_of(cold, policy);
    char own[256], serves[256], set[64];
    snprintf(own, sizeof own, "%s-%s", name, base);
    snprintf(serves, sizeof serves, "%s-%s", name, policy);
    snprintf(set, sizeof set, "hearth_start_phase=%d", phase);
    const struct study_run run = {.name = own, .policy = base, .serves = serves, .sets = {set}};
    const struct study_run plain = study_run_plain(&cold->options, &run);
    return run_one(cold, &plain, measures, err);
}

static int run_in_phase(struct cold_start *cold, struct error *err)
{
    if (cold->no_in_phase)
        return 0;
    int code = run_from_phase(cold, "in-phase", IN_PHASE, "full", &cold->full_in_phase, err);
    for (size_t i = 0; i < cold->run_count && code == 0; i++)
        code = run_from_phase(cold, "in-phase", IN_PHASE, cold->runs[i].policy,
                              &cold->runs[i].in_phase, err);
    return code;
}

static int run_back(struct cold_start *cold, const char *policy, unsigned back,
                    const struct run_measures **measures, struct error *err)
{
    char text[64];
    snprintf(text, sizeof text, "%s:%u", policy, back);
    /* replaying no launch is no warm-up */
    const struct study_run run = {.policy = back == 0 ? "none" : text, .serves = text};
    return run_one(cold, &run, measures, err);
}

static int run_reach(struct cold_start *cold, struct error *err)
{
    int code = 0;
    for (size_t i = 0; i < cold->reach_count && code == 0; i++) {
        code = run_back(cold, "memory", cold->reaches[i], &cold->memory[i], err);
        if (code == 0)
            code = run_back(cold, "functional", cold->reaches[i], &cold->functional[i], err);
    }
    return code;
}

static int run_flushes(struct cold_start *cold, struct error *err)
{
    int code = 0;
    for (size_t i = 0; i < COLD_START_FLUSHES && !cold->no_flush_modes && code == 0; i++) {
        bool copies = i >= COLD_START_FLUSHES / 2;
        const char *flush = cold_flush_names[i % (COLD_START_FLUSHES / 2)];
        char name[64];
        snprintf(name, sizeof name, "flush-%s-copies-%d", flush, copies);
        const struct study_run run = {
            .name = name,
            .flush = flush,
            .policy = "full",
            .sets = {copies ? "gpgpu_perf_sim_memcpy=1" : "gpgpu_perf_sim_memcpy=0",
                     copies ? NULL : "hearth_device_copies=0"}};
        const struct study_run plain = study_run_plain(&cold->options, &run);
        code = run_one(cold, &plain, &cold->flushes[i], err);
    }
    return code;
}

/* Computes the spread of each launch's IPC over starting phases, in percent. */
static int take_noise(struct cold_start *cold, const struct run_measures *const *phases,
                      struct error *err)
{
    cold->noise = calloc(cold->full->count + 1, sizeof *cold->noise);
    if (cold->noise == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < cold->full->count; i++) {
        double least = INFINITY, most = 0;
        for (unsigned p = 0; p < cold->phases; p++) {
            double ipc = run_measures_ipc(phases[p], i);
            least = ipc < least ? ipc : least;
            most = ipc > most ? ipc : most;
        }
        cold->noise[i] = cold->phases > 1 ? 100 * (most - least) / least : NAN;
    }
    return 0;
}

/* Simulates each launch alone, after a restored state, in different phases. */
static int run_phases(struct cold_start *cold, struct error *err)
{
    const struct run_measures *phases[COLD_START_PHASES];
    int code = 0;
    for (unsigned p = 0; p < cold->phases && cold->phases > 1 && code == 0; p++) {
        char serves[32], set[64];
        snprintf(serves, sizeof serves, "phase-%u", p);
        snprintf(set, sizeof set, "hearth_start_phase=%u", p);
        const struct study_run run = {.name = p == IN_PHASE ? "in-phase-checkpoint" : serves,
                                      .serves = serves,
                                      .policy = "checkpoint",
                                      .sets = {set}};
        const struct study_run plain = study_run_plain(&cold->options, &run);
        code = run_one(cold, &plain, &phases[p], err);
    }
    return code == 0 ? take_noise(cold, phases, err) : code;
}

/* ---- footprints --------------------------------------------------------- */

/* Stores the footprints that are shown, while they are read. */
static void on_footprint(void *data, const struct footprint_row *row)
{
    struct cold_start *cold = data;
    if (!array_room(&cold->footprints, cold->footprint_count, sizeof *cold->footprints)) {
        cold->footprint_lost = true;
        return;
    }
    struct cold_start_footprint *footprint = &cold->footprints[cold->footprint_count++];
    footprint->launch = row->launch;
    footprint->lines = row->counts.lines.all;
    footprint_row_text(row, "forward_addresses", footprint->forward);
    footprint_row_text(row, "backward_addresses", footprint->backward);
}

static int measure_footprint(struct cold_start *cold, struct error *err)
{
    char path[STUDY_FILES_PATH];
    snprintf(path, sizeof path, "%s/footprint.csv", cold->options.output);
    const struct footprint_request request = {
        .workload = cold->options.operands[0],
        .output = path,
        .replace = true,
        .limits = FOOTPRINT_LIMITS,
        .data = cold,
        .complete = on_footprint,
    };
    struct trace_reuse_totals ignored;
    if (!cold->options.quiet)
        fprintf(stderr, "hearth: footprints\n");
    struct footprint *footprint = footprint_create(&request, err);
    int code = footprint != NULL ? footprint_read(footprint, &ignored, err) : -1;
    footprint_destroy(footprint);
    return code == 0 && cold->footprint_lost ? error_no_memory(err) : code;
}

/* ---- all ---------------------------------------------------------------- */

int cold_start_run_all(struct cold_start *cold, struct error *err)
{
    bool noise = cold->phases > 1;
    cold->count.all = 1 + cold->run_count + 2 * cold->reach_count +
                      (cold->no_flush_modes ? 0 : COLD_START_FLUSHES) +
                      (noise ? cold->phases : 0) +
                      (cold->no_in_phase ? 0 : 1 + cold->run_count);
    stop_init();
    heap_use_huge_pages();
    cold->full_in_phase = &run_measures_none;
    int code = run_policies(cold, err);
    if (code == 0)
        code = run_reach(cold, err);
    if (code == 0)
        code = run_in_phase(cold, err);
    if (code == 0)
        code = run_phases(cold, err);
    if (code == 0)
        code = run_flushes(cold, err);
    return code != 0 ? code : measure_footprint(cold, err);
}
