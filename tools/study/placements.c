#include "tools/study/placements.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_LENGTH 300
#define TURNS       256 /* values of -hearth_gpc_turn */

/* What the configuration of a run has for its first draw. */
struct first_draw {
    uint32_t seed;
    uint32_t turn; /* GPC */
};

/* Of each launch of the first draw. */
struct cycle_sums {
    uint64_t *cycles;
    unsigned *runs; /* of them, how many have the launch */
    size_t count;
};

static int sums_init(struct cycle_sums *sums, size_t count, struct error *err)
{
    *sums = (struct cycle_sums){.cycles = calloc(count + 1, sizeof *sums->cycles),
                                .runs = calloc(count + 1, sizeof *sums->runs),
                                .count = count};
    return sums->cycles != NULL && sums->runs != NULL ? 0 : error_no_memory(err);
}

static void sums_finish(struct cycle_sums *sums)
{
    free(sums->cycles);
    free(sums->runs);
}

static int check_rows(const struct rows *rows, size_t read, struct error *err)
{
    return read == rows->count ? 0 : row_store_check(rows->store, err);
}

static int add(struct cycle_sums *sums, const struct results *results, struct error *err)
{
    struct rows_pass pass = {.rows = &results->rows};
    size_t i = 0;
    for (const struct row *row; (row = rows_next(&pass)) != NULL; i++) {
        if (i >= sums->count)
            continue;
        sums->cycles[i] += row->result.end_cycle - row->result.start_cycle;
        sums->runs[i]++;
    }
    return check_rows(&results->rows, i, err);
}

static int put_mean(const struct cycle_sums *sums, size_t i, struct rows *rows,
                    struct error *err)
{
    struct row row;
    if (!rows_read(rows, i, &row))
        return row_store_check(rows->store, err);
    row.result.end_cycle =
        row.result.start_cycle + (sums->cycles[i] + sums->runs[i] / 2) / sums->runs[i];
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

/* One more draw, number N, of RUN: the turn goes round by one, so that as many draws as there
 * are GPCs have each once. */
static int draw(const struct study_options *options, const struct study_run *run, unsigned n,
                struct study_run_count *count, struct cycle_sums *sums,
                const struct first_draw *first, struct error *err)
{
    char name[NAME_LENGTH], seed[64], turn[64];
    struct study_run other = *run;
    struct results results = {0};
    snprintf(name, sizeof name, "%s.placement-%u", run->name, n);
    snprintf(seed, sizeof seed, "hearth_l2_half_seed=%u", first->seed + n);
    snprintf(turn, sizeof turn, "hearth_gpc_turn=%u", (first->turn + n) % TURNS);
    add_set(&other, seed);
    add_set(&other, turn);
    other.name = name;
    study_run_tell(options, &other, count);
    int code = study_run_execute(options, &other, count, &results, err);
    count->done++;
    if (code == 0)
        code = add(sums, &results, err);
    results_finish(&results);
    return code;
}

static int draw_others(const struct study_options *options, const struct study_run *run,
                       struct study_run_count *count, const struct first_draw *first,
                       struct results *results, struct error *err)
{
    struct cycle_sums sums;
    int code = sums_init(&sums, results->rows.count, err);
    if (code == 0)
        code = add(&sums, results, err);
    for (unsigned n = 1; n < options->placements && code == 0; n++)
        code = draw(options, run, n, count, &sums, first, err);
    for (size_t i = 0; i < sums.count && code == 0; i++)
        code = put_mean(&sums, i, &results->rows, err);
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
                                 config->options.hearth_gpc_turn};
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
    int code = study_run_execute(options, run, count, results, err);
    count->done++;
    if (code == 0 && options->placements > 1)
        code = draw_others(options, run, count, &first, results, err);
    return code;
}
