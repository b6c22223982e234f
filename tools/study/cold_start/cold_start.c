/* hearth study cold-start: what cold caches cost each launch of a workload, and the cost and
 * benefit of restoring their contents. After "Cold-start" (thesis, 2024), chapters 4 to 6. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/cold_start/cold_hardware.h"
#include "tools/study/cold_start/cold_start.h"
#include "tools/study/hardware_profiles.h"
#include "tools/study/placements.h"
#include "tools/study/study.h"
#include "traces/base/ranges.h"
#include "warmup/warmup.h"

#define REPLAYS     "memory:1,functional:1,functional:auto,checkpoint,nsl,stitch,prime:10"
#define CORRECTIONS "correction:thesis,correction:artifact"
#define POLICIES    REPLAYS "," CORRECTIONS
#define REACH       "0-10"

struct cold_start_work {
    struct cold_start cold;
    bool profiles;
    const char *hardware, *metric; /* NULL: not given */
};

#define AT(member) CLI_AT(struct cold_start_work, member)

static const struct cli_option table[] = {
    STUDY_COMMON(struct cold_start_work, cold.options),
    STUDY_LAUNCHES(struct cold_start_work, cold.options),
    {0, "warm", "LIST",
     "policies of hearth run --warm in addition to none and full, separated by "
     "commas",
     CLI_TEXT, AT(cold.policies), .initial = POLICIES, .values = warmup_describe,
     .former = "policies"},
    STUDY_STATES(struct cold_start_work, cold.options, ""),
    {0, "reach", "LIST", "launches to go back in memory:K and functional:K", CLI_TEXT,
     AT(cold.reach), .initial = REACH},
    {0, "noise", "N", "starting phases over which each launch's noise is measured; 0: none",
     CLI_WHOLE, AT(cold.phases), 0, COLD_START_PHASES, .initial = "8"},
    {0, "no-flush-modes", NULL,
     "leave out the runs with L1 and L2 flushed or not, and with copies that "
     "fill L2 or not",
     CLI_FLAG, AT(cold.no_flush_modes)},
    {0, "no-in-phase", NULL,
     "leave out the runs of full and all policies in which each launch starts "
     "in the same phase: idle memory, and the same clocks, turns and DRAM rows",
     CLI_FLAG, AT(cold.no_in_phase)},
    {0, "profiles", NULL,
     "instead of simulating: compare two profiles of hardware, one with caches "
     "flushed before each launch and one without",
     CLI_FLAG, AT(profiles)},
    {0, "hardware", "CSV",
     "instead of comparing policies: simulate each workload warm and with flushed caches, and "
     "compare what that costs each launch with what it costs hardware, as in study correlate",
     CLI_TEXT, AT(hardware)},
    {0, "metric", "COLUMN",
     "measured cycles of --hardware; those with flushed caches are cold_ and this name",
     CLI_TEXT, AT(metric), .otherwise = "sm_cycles or sm__cycles_active.max"},
    STUDY_PLACEMENTS(struct cold_start_work, cold.options),
};

static const struct cli_command command = {
    "hearth study cold-start",
    "WORKLOAD -o DIR [OPTION]...\n--profiles FLUSH.csv NOFLUSH.csv -o DIR\n"
    "WORKLOAD... --hardware CSV -o DIR [OPTION]...",
    "Simulates every launch cold and with what the launches before it leave, measures\n"
    "what that changes and how close each warm-up policy comes to it. Writes tables (CSV,\n"
    "JSON), charts (SVG) and a page (index.html) to DIR.",
    table,
    sizeof table / sizeof table[0],
};

/* ---- options ----------------------------------------------------------- */

static int check(struct cold_start_work *work, struct error *err)
{
    const struct study_options *options = &work->cold.options;
    size_t wanted = work->profiles ? 2 : 1;
    if (work->hardware != NULL && work->profiles)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "either --hardware or --profiles");
    if (options->states != NULL && (work->hardware != NULL || work->profiles))
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "--states is for comparing policies, not for --hardware or --profiles");
    if (work->metric != NULL && work->hardware == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--metric needs --hardware");
    if (options->placements > 1 && work->hardware == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--placements needs --hardware");
    if (work->hardware != NULL && options->operand_count > 0)
        return study_check_output(options, "cold-start", err);
    if (options->operand_count != wanted)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected %s, got %zu; see hearth study cold-start --help",
                         work->profiles ? "two profiles" : "one workload",
                         options->operand_count);
    return study_check_output(options, "cold-start", err);
}

static int add_policy(struct cold_start *cold, const char *policy, struct error *err)
{
    struct warmup ignored;
    if (warmup_parse(&ignored, policy, err) != 0)
        return -1;
    cold->runs[cold->run_count++] =
        (struct cold_start_run){.policy = policy, .in_phase = &run_measures_none};
    return 0;
}

static int read_policies(struct cold_start *cold, struct error *err)
{
    const char *names[COLD_START_POLICIES - 1]; /* in addition to none */
    cold->names = strdup(cold->policies);
    if (cold->names == NULL)
        return error_no_memory(err);
    long count = study_cut(cold->names, names, COLD_START_POLICIES - 1, "--warm", err);
    if (count < 0 || add_policy(cold, "none", err) != 0)
        return -1;
    for (long i = 0; i < count; i++)
        if (strcmp(names[i], "full") != 0 && strcmp(names[i], "none") != 0 &&
            add_policy(cold, names[i], err) != 0)
            return -1;
    return study_check_states(&cold->options, names, (size_t)count, err);
}

static int read_reach(struct cold_start *cold, struct error *err)
{
    struct ranges ranges;
    if (ranges_init(&ranges, cold->reach, "--reach", NULL, 0, err) != 0)
        return -1;
    if (ranges.items[ranges.count - 1].last >= COLD_START_REACHES) {
        ranges_finish(&ranges);
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--reach \"%s\": at most %d launches",
                         cold->reach, COLD_START_REACHES - 1);
    }
    for (unsigned k = 0; k < COLD_START_REACHES; k++)
        if (ranges_contain(&ranges, k))
            cold->reaches[cold->reach_count++] = k;
    ranges_finish(&ranges);
    return 0;
}

/* ---- all --------------------------------------------------------------- */

double cold_start_accuracy(const struct run_measures *full, const struct run_measures *measures,
                           size_t index, double latency)
{
    double golden =
        full->launches[index].thread_insts / (full->launches[index].cycles + latency);
    double ipc =
        measures->launches[index].thread_insts / (measures->launches[index].cycles + latency);
    return 100 * (1 - fabs(ipc - golden) / golden);
}

static int report(struct cold_start *cold, struct error *err)
{
    struct report_table sheets[COLD_START_SHEETS];
    int code = cold_start_make_sheets(cold, sheets);
    if (code != 0)
        error_no_memory(err);
    else
        code = cold_start_write(cold, sheets, err);
    if (code == 0 && !cold->options.quiet) {
        report_table_write_text(&sheets[COLD_START_THRESHOLDS], stdout);
        putchar('\n');
        report_table_write_text(&sheets[COLD_START_POLICY], stdout);
        study_files_tell(&cold->files);
    }
    for (size_t i = 0; i < COLD_START_SHEETS; i++)
        report_table_finish(&sheets[i]);
    return code;
}

static int study(struct cold_start *cold, struct error *err)
{
    if (read_policies(cold, err) != 0 || read_reach(cold, err) != 0 ||
        study_check_workload(&cold->options, err) != 0 ||
        study_files_init(&cold->files, cold->options.output, &cold->options.reads, err) != 0)
        return -1;
    int code = cold_start_run_all(cold, err);
    return code != 0 ? code : report(cold, err);
}

static void finish(struct cold_start *cold)
{
    for (size_t i = 0; i < cold->done_count; i++) {
        run_measures_finish(&cold->done[i]->measures);
        free(cold->done[i]);
    }
    free(cold->done);
    free(cold->footprints);
    study_files_finish(&cold->files);
    free(cold->noise);
    free(cold->names);
    study_options_finish(&cold->options);
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct cold_start_work *work = data;
    study_take_operands(&work->cold.options, operands);
    if (check(work, err) != 0)
        return -1;
    if (work->hardware != NULL)
        return study_cold_hardware(&work->cold.options, operands, work->hardware, work->metric,
                                   err);
    return work->profiles ? study_profiles(&work->cold.options, err) : study(&work->cold, err);
}

int study_cold_start(int argc, char **argv, struct error *err)
{
    struct cold_start_work *work = calloc(1, sizeof *work);
    if (work == NULL)
        return error_no_memory(err);
    int code = study_take_command(&work->cold.options, argc, argv) == 0
                   ? cli_run(&command, argc, argv, work, carry_out, err)
                   : error_no_memory(err);
    finish(&work->cold);
    free(work);
    return code;
}
