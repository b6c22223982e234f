#include "tools/study/placements.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_LENGTH 300

/* What the configuration of a run has for its first draw. */
struct first_draw {
    uint32_t seed;
    uint32_t turn; /* GPC */
    uint32_t gpcs;
};

/* What the draws so far have in common. */
struct cycle_sums {
    uint64_t *cycles; /* of each launch */
    size_t count;     /* launches that all of them have, from the first one on */
    unsigned runs;
    struct error failed; /* of the first draw that could not be simulated to its end */
};

static int sums_init(struct cycle_sums *sums, size_t count, struct error *err)
{
    *sums =
        (struct cycle_sums){.cycles = calloc(count + 1, sizeof *sums->cycles), .count = count};
    return sums->cycles != NULL ? 0 : error_no_memory(err);
}

static void sums_finish(struct cycle_sums *sums)
{
    free(sums->cycles);
}

static int check_rows(const struct rows *rows, size_t read, struct error *err)
{
    return read == rows->count ? 0 : row_store_check(rows->store, err);
}

static int add(struct cycle_sums *sums, const struct results *results, struct error *err)
{
    struct rows_pass pass = {.rows = &results->rows};
    size_t i = 0;
    for (const struct row *row; (row = rows_next(&pass)) != NULL; i++)
        if (i < sums->count)
            sums->cycles[i] += row->result.end_cycle - row->result.start_cycle;
    sums->count = i < sums->count ? i : sums->count;
    sums->runs++;
    return check_rows(&results->rows, i, err);
}

/* Whether RUN of draw N, which ended with CODE and WHY, counts as far as it went. If it was not
 * simulated to its end, SUMS note that. */
static bool counts(struct cycle_sums *sums, const struct study_run *run, unsigned n, int code,
                   const struct error *why)
{
    if (code == 0)
        return true;
    if (code != -1 || why->kind != ERROR_SIMULATION || why->no_memory)
        return false;
    error_set(&sums->failed, ERROR_SIMULATION, NULL, 0, 0, "draw %u, %s: %s", n + 1, run->name,
              why->text);
    return true;
}

static int put_mean(const struct cycle_sums *sums, size_t i, struct rows *rows,
                    struct error *err)
{
    struct row row;
    if (!rows_read(rows, i, &row))
        return row_store_check(rows->store, err);
    row.result.end_cycle =
        row.result.start_cycle + (sums->cycles[i] + sums->runs / 2) / sums->runs;
    int rc = rows_replace(rows, i, &row, err);
    row_finish(&row);
    return rc;
}

/* Appends SET to what RUN sets, which has room for it. */
static void add_set(struct study_run *run, const char *set)
{
    size_t sets = 0;
    while (sets < STUDY_RUN_SETS - 1 && run->sets[sets] != NULL)
        sets++;
    run->sets[sets] = set;
}

/* The turn of draw N after FIRST: one GPC on each time, so that as many draws as there are GPCs
 * have each once. */
static uint32_t turn_of(const struct first_draw *first, unsigned n)
{
    return (first->turn + n) % first->gpcs;
}

/* One more draw, number N, of RUN. */
static int draw(const struct study_options *options, const struct study_run *run, unsigned n,
                struct study_run_count *count, struct cycle_sums *sums,
                const struct first_draw *first, struct error *err)
{
    char name[NAME_LENGTH], seed[64], turn[64];
    struct study_run other = *run;
    struct results results = {0};
    struct error why = {0};
    snprintf(name, sizeof name, "%s.placement-%u", run->name, n);
    snprintf(seed, sizeof seed, "hearth_l2_half_seed=%u", first->seed + n);
    snprintf(turn, sizeof turn, "hearth_gpc_turn=%u", turn_of(first, n));
    add_set(&other, seed);
    add_set(&other, turn);
    other.name = name;
    study_run_tell(options, &other, count);
    int code = study_run_execute(options, &other, count, &results, &why);
    count->done++;
    if (counts(sums, &other, n, code, &why))
        code = add(sums, &results, err);
    else
        error_pass(err, &why);
    results_finish(&results);
    return code;
}

/* The FIRST draw has ended with CODE and WHY, and RESULTS have its rows. */
static int draw_others(const struct study_options *options, const struct study_run *run,
                       struct study_run_count *count, const struct first_draw *first, int code,
                       const struct error *why, struct results *results, struct error *err)
{
    struct cycle_sums sums;
    size_t end = count->done + options->placements - 1;
    if (sums_init(&sums, results->rows.count, err) != 0)
        code = -1;
    else if (counts(&sums, run, 0, code, why))
        code = add(&sums, results, err);
    else
        error_pass(err, why);
    for (unsigned n = 1; n < options->placements && code == 0 && sums.count != 0; n++)
        code = draw(options, run, n, count, &sums, first, err);
    rows_cut(&results->rows, sums.count);
    for (size_t i = 0; i < sums.count && code == 0; i++)
        code = put_mean(&sums, i, &results->rows, err);
    if (code == 0)
        count->done = end; /* no draw is left if there is no launch that all have */
    if (code == 0 && sums.failed.kind != ERROR_NONE)
        code = error_pass(err, &sums.failed);
    sums_finish(&sums);
    return code;
}

/* Whether draws differ with CONFIG. */
static bool is_drawn(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    bool halves = config->l2_half_bits != 0 && options->hearth_l2_far_latency != 0;
    bool turns = options->hearth_gpcs > 1 && options->hearth_gpc_blocks;
    return halves || (turns && options->hearth_gpc_first != 0);
}

/* The first draw. Refuses, before it is simulated, what has no others. */
static int find_first(const struct study_options *options, const struct study_run *run,
                      struct first_draw *first, struct error *err)
{
    struct sim_config *config = study_run_config(options, run, err);
    if (config == NULL)
        return -1;
    bool drawn = is_drawn(config);
    *first = (struct first_draw){config->options.hearth_l2_half_seed,
                                 config->options.hearth_gpc_turn, config->options.hearth_gpcs};
    sim_config_destroy(config);
    if (drawn)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--placements: in this configuration no address tells a half of L2 "
                     "(-hearth_l2_far_latency, -hearth_l2_half_bits), and no GPC has a turn "
                     "(-hearth_gpc_first)");
}

int placements_execute(const struct study_options *options, const struct study_run *run,
                       struct study_run_count *count, struct results *results,
                       struct error *err)
{
    struct first_draw first = {0};
    *results = (struct results){0};
    if (options->placements > 1 && find_first(options, run, &first, err) != 0)
        return -1;
    study_run_tell(options, run, count);
    struct error why = {0};
    int code = study_run_execute(options, run, count, results, &why);
    count->done++;
    if (options->placements > 1)
        return draw_others(options, run, count, &first, code, &why, results, err);
    if (code != 0)
        error_pass(err, &why);
    return code;
}
