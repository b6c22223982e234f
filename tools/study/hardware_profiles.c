#include "tools/study/hardware_profiles.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/page.h"
#include "tools/study/study_files.h"
#include "tools/study/study_page.h"
#include "tools/study/thresholds.h"
#include "traces/traces.h"

/* Two profiles of an application, and which of their launches are the same. */
struct matching {
    const struct profile *flush, *noflush;
    size_t *partner; /* for each flushed launch, its index in `noflush`; SIZE_MAX: none */
    bool *taken;     /* for each launch of `noflush`: it has a partner */
};

/* ---- matching ---------------------------------------------------------- */

static const char *kernel_of(const struct profile *profile, size_t i)
{
    return profile->kernels[profile->rows[i].kernel];
}

/* Whether two launches may be the same. What only one of the profiles knows does not
 * matter. */
static bool alike(const struct matching *m, size_t a, size_t b)
{
    const struct profile_row *x = &m->flush->rows[a], *y = &m->noflush->rows[b];
    uint64_t known = x->known & y->known;
    if (strcmp(kernel_of(m->flush, a), kernel_of(m->noflush, b)) != 0)
        return false;
    if ((known & PROFILE_GRID) == PROFILE_GRID && memcmp(x->grid, y->grid, sizeof x->grid) != 0)
        return false;
    return (known & PROFILE_BLOCK) != PROFILE_BLOCK ||
           memcmp(x->block, y->block, sizeof x->block) == 0;
}

/* The N-th launch of a kernel and grid in one profile is the N-th of them in the other. Each
 * search starts after the partner of the previous such launch, so that equal lists need one
 * comparison per launch. */
static void match(struct matching *m)
{
    size_t next = 0, count = m->noflush->count;
    for (size_t a = 0; a < m->flush->count; a++) {
        m->partner[a] = SIZE_MAX;
        if (next < count && !m->taken[next] && alike(m, a, next)) {
            m->partner[a] = next;
        } else {
            for (size_t b = 0; b < count && m->partner[a] == SIZE_MAX; b++)
                if (!m->taken[b] && alike(m, a, b))
                    m->partner[a] = b;
        }
        if (m->partner[a] != SIZE_MAX) {
            m->taken[m->partner[a]] = true;
            next = m->partner[a] + 1;
        }
    }
}

/* ---- tables ------------------------------------------------------------ */

static const struct report_table_column match_columns[] = {
    {"launch_flush", "", "id in the profile with flushed caches"},
    {"launch_noflush", "", "id in the other"},
    {"kernel", "", ""},
    {"insts", "warp insts", "without flushes"},
    {"cycles_flush", "cycles", ""},
    {"cycles_noflush", "cycles", ""},
    {"ipc_flush", "insts/cycle", "warp instructions"},
    {"ipc_noflush", "insts/cycle", "warp instructions"},
    {"difference", "%", "IPC flushed against not: negative where flushed is slower"},
};

static const struct report_table_column alone_columns[] = {
    {"profile", "", ""},
    {"launch", "", "id in it"},
    {"kernel", "", ""},
};

static struct pair pair_of(const struct matching *m, size_t a)
{
    const struct profile_row *x = &m->flush->rows[a], *y = &m->noflush->rows[m->partner[a]];
    return (struct pair){
        .insts = (double)y->warp_insts,
        .cold = (double)x->warp_insts / x->cycles,
        .warm = (double)y->warp_insts / y->cycles,
    };
}

static void fill_matches(const struct matching *m, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "launches",
                                   .title = "Every launch, flushed and not",
                                   .note = "Matched by kernel, grid, block and order.",
                                   REPORT_TABLE_OF(match_columns)};
    for (size_t a = 0; a < m->flush->count; a++) {
        if (m->partner[a] == SIZE_MAX)
            continue;
        struct pair pair = pair_of(m, a);
        report_table_count(sheet, m->flush->rows[a].launch);
        report_table_count(sheet, m->noflush->rows[m->partner[a]].launch);
        report_table_text(sheet, kernel_of(m->flush, a));
        report_table_number(sheet, pair.insts, 0);
        report_table_number(sheet, m->flush->rows[a].cycles, 0);
        report_table_number(sheet, m->noflush->rows[m->partner[a]].cycles, 0);
        report_table_number(sheet, pair.cold, 4);
        report_table_number(sheet, pair.warm, 4);
        report_table_number(sheet, pair_difference(&pair), 2);
    }
}

static void add_alone(struct report_table *sheet, const struct profile *profile, size_t i)
{
    report_table_text(sheet, profile->path);
    report_table_count(sheet, profile->rows[i].launch);
    report_table_text(sheet, kernel_of(profile, i));
}

static void fill_alone(const struct matching *m, struct report_table *sheet)
{
    *sheet = (struct report_table){.name = "unmatched",
                                   .title = "Launches that only one profile has",
                                   REPORT_TABLE_OF(alone_columns)};
    for (size_t a = 0; a < m->flush->count; a++)
        if (m->partner[a] == SIZE_MAX)
            add_alone(sheet, m->flush, a);
    for (size_t b = 0; b < m->noflush->count; b++)
        if (!m->taken[b])
            add_alone(sheet, m->noflush, b);
}

static int fill_thresholds(const struct matching *m, struct report_table *sheet)
{
    size_t count = 0;
    struct pair *pairs = calloc(m->flush->count + 1, sizeof *pairs);
    *sheet = (struct report_table){
        .name = "thresholds",
        .title = "How much of the application flushed caches change",
        .note = "Launches whose IPC differs by so much or more, and their "
                "share of all warp instructions (figures 4.2 and 4.3 of "
                "the thesis)."};
    if (pairs == NULL)
        return -1;
    for (size_t a = 0; a < m->flush->count; a++)
        if (m->partner[a] != SIZE_MAX)
            pairs[count++] = pair_of(m, a);
    thresholds_fill(sheet, pairs, count);
    free(pairs);
    return 0;
}

/* ---- files ------------------------------------------------------------- */

enum { MATCHES, ALONE, THRESHOLDS, SHEETS };

static const struct plot chart = {.name = "thresholds",
                                  .kind = PLOT_BARS,
                                  .title =
                                      "Share of instructions in launches that flushes change",
                                  .x_label = "difference of IPC, at least (%)",
                                  .y_label = "instructions (%)",
                                  .y = {4, 6},
                                  .names = thresholds_names,
                                  .drops_zeros = true};

/* From the second row of the thresholds, 10 %. */
static void conclude(const struct matching *m, const struct report_table sheets[SHEETS],
                     struct study_conclusion *conclusion)
{
    const struct report_table *sheet = &sheets[THRESHOLDS];
    size_t size = sizeof conclusion->sentences[0];
    snprintf(conclusion->sentences[0], size,
             "%zu of %zu launches are the same in both profiles, by kernel, grid, block and "
             "order.",
             report_table_rows(&sheets[MATCHES]), m->flush->count);
    snprintf(conclusion->sentences[1], size,
             "Flushed caches change the IPC of %s of them by %s %% or more.",
             report_table_cell(sheet, 1, 1), report_table_cell(sheet, 1, 0));
    snprintf(conclusion->sentences[2], size,
             "These execute %s %% of the instructions, and %s of them are slower flushed.",
             report_table_cell(sheet, 1, 2), report_table_cell(sheet, 1, 3));
}

static int write_page(struct study_files *files, const struct study_options *options,
                      const struct matching *m, const struct report_table sheets[SHEETS],
                      struct error *err)
{
    static const int order[] = {THRESHOLDS, ALONE, MATCHES};
    FILE *page = study_files_open(files, "index.html", err);
    if (page == NULL)
        return -1;
    struct study_conclusion conclusion = {0};
    conclude(m, sheets, &conclusion);
    study_page_begin(page, "Cold start on hardware", &conclusion, options, "");
    page_paragraph(page,
                   "Flushed: %s, %zu launches. Not flushed: %s, %zu launches. The thesis "
                   "is " THRESHOLDS_THESIS ".",
                   m->flush->path, m->flush->count, m->noflush->path, m->noflush->count);
    struct plot plot = chart;
    plot.sheet = &sheets[THRESHOLDS];
    for (int i = 0; i < SHEETS; i++)
        study_files_show_sheet(&sheets[order[i]], order[i] == THRESHOLDS ? &plot : NULL, 200,
                               page);
    page_end(page);
    return study_files_close(files, err);
}

static int write_json(struct study_files *files, const struct matching *m,
                      const struct report_table sheets[SHEETS], struct error *err)
{
    struct json json;
    FILE *out = study_files_open(files, "study.json", err);
    if (out == NULL)
        return -1;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "study", "cold-start of two profiles");
    json_text(&json, "flush", m->flush->path);
    json_text(&json, "noflush", m->noflush->path);
    for (int i = 0; i < SHEETS; i++)
        report_table_write_json(&sheets[i], &json);
    json_close(&json, '}');
    putc('\n', out);
    return study_files_close(files, err);
}

static int write_all(struct study_options *options, const struct matching *m,
                     struct report_table sheets[SHEETS], struct error *err)
{
    struct study_files files;
    struct plot plot = chart;
    plot.sheet = &sheets[THRESHOLDS];
    int result = study_files_init(&files, options->output, &options->reads, err);
    for (int i = 0; i < SHEETS && result == 0; i++)
        result = study_files_sheet(&files, &sheets[i], err);
    if (result == 0)
        result = study_files_plot(&files, &plot, err);
    if (result == 0)
        result = write_json(&files, m, sheets, err);
    if (result == 0)
        result = write_page(&files, options, m, sheets, err);
    study_files_finish(&files);
    return result;
}

static int report(struct study_options *options, const struct matching *m, struct error *err)
{
    struct report_table sheets[SHEETS] = {0};
    int result = 0;
    fill_matches(m, &sheets[MATCHES]);
    fill_alone(m, &sheets[ALONE]);
    if (fill_thresholds(m, &sheets[THRESHOLDS]) != 0)
        result = error_no_memory(err);
    else if (report_table_rows(&sheets[MATCHES]) == 0)
        result = error_set(err, ERROR_TRACE, m->noflush->path, 0, 0, "no launch is one of %s",
                           m->flush->path);
    else
        result = write_all(options, m, sheets, err);
    if (result == 0 && !options->quiet) {
        report_table_write_text(&sheets[THRESHOLDS], stdout);
        if (report_table_rows(&sheets[ALONE]) > 0) {
            printf("\nonly in one profile:\n");
            report_table_write_text(&sheets[ALONE], stdout);
        }
        printf("\n%s/index.html\n", options->output);
    }
    for (int i = 0; i < SHEETS; i++)
        report_table_finish(&sheets[i]);
    return result;
}

static int compare(struct study_options *options, struct matching *m, struct error *err)
{
    uint64_t needed = PROFILE_BIT(PROFILE_CYCLES) | PROFILE_BIT(PROFILE_WARP_INSTS);
    if (profile_require(m->flush, needed, "cold-start --profiles", err) != 0 ||
        profile_require(m->noflush, needed, "cold-start --profiles", err) != 0)
        return -1;
    m->partner = calloc(m->flush->count, sizeof *m->partner);
    m->taken = calloc(m->noflush->count, sizeof *m->taken);
    int result = -1;
    if (m->partner == NULL || m->taken == NULL) {
        error_no_memory(err);
    } else {
        match(m);
        result = report(options, m, err);
    }
    free(m->partner);
    free(m->taken);
    return result;
}

int study_profiles(struct study_options *options, struct error *err)
{
    struct profile *flush = profile_open(options->operands[0], err);
    struct profile *noflush = flush != NULL ? profile_open(options->operands[1], err) : NULL;
    struct matching matching = {.flush = flush, .noflush = noflush};
    int result = noflush != NULL ? compare(options, &matching, err) : -1;
    profile_destroy(noflush);
    profile_destroy(flush);
    return result;
}
