/* hearth study sampled --tracing: what the tracer would have to record for each sample and
 * policy.
 *
 * The workload is written once as the tracer writes packed traces, and once with only what
 * touches memory. Of each launch, the bytes and records of both are known then; the CPU time of
 * a pass is shared by its records. */
#define _GNU_SOURCE /* asprintf */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/study/sampled/sampled.h"
#include "traces/base/process/host.h"

#define LEVEL 3 /* the tracer's TRACE_LEVEL */

enum recorded { NOT_RECORDED, RECORDED_MEMORY, RECORDED_WHOLE, RECORDED_KINDS };

struct launch_cost {
    uint64_t launch; /* its number */
    double bytes[RECORDED_KINDS], records[RECORDED_KINDS];
};

struct sampled_costs {
    struct launch_cost *launches; /* in the order of the workload */
    size_t count;
    double bytes;                   /* of the whole trace */
    double seconds[RECORDED_KINDS]; /* of a record */
};

/* ---- the workload ---- */

/* Writes the workload to PATH, recorded as KIND; *SECONDS becomes the CPU time. */
static int write_trace(const struct sampled *study, const char *path, enum recorded kind,
                       double *seconds, struct error *err)
{
    const struct trace_writer_options options = {
        .output = TRACE_OUTPUT_PACKED, .level = LEVEL, .launch_groups = true, .replace = true};
    const struct trace_copy what = {.memory_only = kind == RECORDED_MEMORY};
    double begun = host_cpu_seconds();
    struct trace_writer *writer = trace_writer_create(path, &options, err);
    int result =
        writer != NULL ? trace_writer_workload(writer, study->source.workload, &what, err) : -1;
    if (result == 0)
        result = trace_writer_end(writer, err);
    trace_writer_destroy(writer);
    *seconds = host_cpu_seconds() - begun;
    return result;
}

static int take_launch(struct launch_cost *cost, enum recorded kind,
                       const struct trace_workload *workload,
                       const struct trace_command *command, struct error *err)
{
    struct trace_counts counts = {0};
    struct trace_kernel *kernel = trace_workload_kernel(workload, command->text, NULL, err);
    if (kernel == NULL)
        return -1;
    trace_kernel_counts(kernel, &counts);
    trace_kernel_close(kernel);
    cost->bytes[kind] = (double)command->kernel.packed;
    cost->records[kind] = (double)counts.records;
    return 0;
}

/* Reads what the launches take in the trace at PATH. */
static int take_trace(struct sampled_costs *costs, const char *path, enum recorded kind,
                      double seconds, struct error *err)
{
    size_t at = 0;
    double records = 0;
    struct trace_workload *workload = trace_workload_open(path, err);
    int result = workload != NULL ? 0 : -1;
    for (size_t i = 0; result == 0 && i < workload->count; i++)
        if (workload->commands[i].kind == TRACE_KERNEL && at < costs->count) {
            result =
                take_launch(&costs->launches[at], kind, workload, &workload->commands[i], err);
            records += costs->launches[at++].records[kind];
        }
    trace_workload_destroy(workload);
    costs->seconds[kind] = records > 0 ? seconds / records : 0;
    return result;
}

static int record(struct sampled *study, enum recorded kind, struct error *err)
{
    char *path;
    double seconds;
    if (asprintf(&path, "%s/tracing.packed", study->options.output) < 0)
        return error_no_memory(err);
    int result = write_trace(study, path, kind, &seconds, err);
    if (result == 0) {
        result = take_trace(study->costs, path, kind, seconds, err);
        unlink(path);
    }
    free(path);
    return result;
}

static void number_launches(const struct sampled *study, struct sampled_costs *costs)
{
    const struct trace_workload *workload = study->source.workload;
    for (size_t i = 0; i < workload->count; i++)
        if (workload->commands[i].kind == TRACE_KERNEL) {
            size_t at = costs->count++;
            costs->launches[at].launch =
                launches_number(&study->source.launches, workload->commands[i].text, at + 1);
        }
}

int sampled_tracing_measure(struct sampled *study, struct error *err)
{
    if (!study->tracing)
        return 0;
    if (!study->options.quiet)
        fprintf(stderr, "hearth: tracing\n");
    study->costs = calloc(1, sizeof *study->costs);
    if (study->costs == NULL)
        return error_no_memory(err);
    study->costs->launches =
        calloc(study->source.workload->count + 1, sizeof *study->costs->launches);
    if (study->costs->launches == NULL)
        return error_no_memory(err);
    number_launches(study, study->costs);
    int result = record(study, RECORDED_WHOLE, err);
    if (result == 0)
        result = record(study, RECORDED_MEMORY, err);
    for (size_t i = 0; i < study->costs->count; i++)
        study->costs->bytes += study->costs->launches[i].bytes[RECORDED_WHOLE];
    return result;
}

void sampled_tracing_finish(struct sampled *study)
{
    if (study->costs != NULL)
        free(study->costs->launches);
    free(study->costs);
}

/* ---- a sample ---- */

/* The launch number NUMBER; COUNT if there is none. Mostly the one at or after *AT. */
static size_t find(const struct sampled_costs *costs, uint64_t number, size_t *at)
{
    for (size_t looked = 0; looked < costs->count; looked++) {
        size_t i = (*at + looked) % costs->count;
        if (costs->launches[i].launch == number)
            return *at = i;
    }
    return costs->count;
}

/* What has to be known of the launch of ROW. */
static enum recorded kind_of(const struct row *row)
{
    return row->role == PLAN_MEASURE || row->mode == PLAN_DETAILED ? RECORDED_WHOLE
                                                                   : RECORDED_MEMORY;
}

/* Sets KINDS of all launches of RESULTS; *LAST becomes the end of the measured ones. */
static void mark(const struct sampled_costs *costs, const struct results *results,
                 unsigned char *kinds, size_t *last)
{
    size_t at = 0;
    struct rows_pass pass = {.rows = &results->rows};
    *last = 0;
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        size_t i = find(costs, row->launch, &at);
        if (i == costs->count)
            continue;
        kinds[i] = kinds[i] > kind_of(row) ? kinds[i] : (unsigned char)kind_of(row);
        if (row->role == PLAN_MEASURE && i >= *last)
            *last = i + 1;
    }
}

static void add_launch(const struct sampled_costs *costs, size_t i, enum recorded kind,
                       bool stored, struct sampled_tracing *tracing)
{
    const struct launch_cost *cost = &costs->launches[i];
    tracing->sent += cost->records[kind];
    tracing->seconds += cost->records[kind] * costs->seconds[kind];
    if (!stored)
        return;
    tracing->recorded += kind == RECORDED_WHOLE;
    tracing->memory += kind == RECORDED_MEMORY;
    *(kind == RECORDED_WHOLE ? &tracing->trace_bytes : &tracing->memory_bytes) +=
        cost->bytes[kind];
}

/* Adds the size of the state in FOLDER before the launch at index I: by its number where the
 * tracer made it, by its position where the study did. */
static int add_state(const struct sampled *study, const char *folder, size_t i,
                     struct sampled_tracing *tracing, struct error *err)
{
    char *path;
    struct stat file;
    size_t number =
        study->options.states != NULL ? (size_t)study->costs->launches[i].launch : i + 1;
    if (i == 0 && number == 1) /* nothing precedes it: its state is not restored */
        return 0;
    if (asprintf(&path, "%s/launch-%zu.l2", folder, number) < 0)
        return error_no_memory(err);
    if (stat(path, &file) == 0) {
        tracing->states++;
        tracing->state_bytes += (double)file.st_size;
    }
    free(path);
    return 0;
}

/* The states of the measured launches, which the tracer makes of the accesses of all launches
 * before them. */
static int add_states(const struct sampled *study, const struct study_run *run,
                      const unsigned char *kinds, size_t last, struct sampled_tracing *tracing,
                      struct error *err)
{
    char *folder = study_run_states(&study->options, run);
    int result = folder != NULL ? 0 : error_no_memory(err);
    for (size_t i = 0; i < last && result == 0; i++)
        if (kinds[i] == RECORDED_WHOLE)
            result = add_state(study, folder, i, tracing, err);
        else if (kinds[i] == NOT_RECORDED)
            add_launch(study->costs, i, RECORDED_MEMORY, false, tracing);
    free(folder);
    return result;
}

int sampled_tracing_of(const struct sampled *study, const struct study_run *run,
                       const struct results *results, struct sampled_tracing *tracing,
                       struct error *err)
{
    const struct sampled_costs *costs = study->costs;
    size_t last;
    if (costs == NULL)
        return 0;
    unsigned char *kinds = calloc(costs->count + 1, 1);
    if (kinds == NULL)
        return error_no_memory(err);
    mark(costs, results, kinds, &last);
    for (size_t i = 0; i < costs->count; i++)
        if (kinds[i] != NOT_RECORDED)
            add_launch(costs, i, kinds[i], true, tracing);
    int result =
        study_takes_states(run->policy) ? add_states(study, run, kinds, last, tracing, err) : 0;
    free(kinds);
    return result;
}

/* ---- the table ---- */

static const struct report_table_column columns[] = {
    {"method", "", ""},
    {"warm", "", "policy"},
    {"recorded", "", "launches of which everything is recorded"},
    {"memory", "", "launches of which only accesses of memory are recorded"},
    {"states", "", "of L2, that the tracer makes"},
    {"trace_bytes", "bytes", "of the first, packed"},
    {"memory_bytes", "bytes", "of the second, packed"},
    {"state_bytes", "bytes", ""},
    {"bytes", "bytes", "all three"},
    {"share", "%", "of the trace of the whole workload"},
    {"sent_records", "", "warp instructions that the GPU sends, recorded or not"},
    {"seconds", "s", "CPU time of writing as many records here"},
    {"seconds_a_record", "us", "of these"},
};

static void add_cell(const struct sampled *study, const struct sampled_plan *plan, size_t p,
                     struct report_table *sheet)
{
    const struct sampled_tracing *tracing = &plan->cells[0][p].tracing;
    double bytes = tracing->trace_bytes + tracing->memory_bytes + tracing->state_bytes;
    report_table_text(sheet, plan->method.text);
    report_table_text(sheet, study->variants[p].policy);
    report_table_count(sheet, tracing->recorded);
    report_table_count(sheet, tracing->memory);
    report_table_count(sheet, tracing->states);
    report_table_number(sheet, tracing->trace_bytes, 0);
    report_table_number(sheet, tracing->memory_bytes, 0);
    report_table_number(sheet, tracing->state_bytes, 0);
    report_table_number(sheet, bytes, 0);
    report_table_number(sheet, 100 * bytes / study->costs->bytes, 3);
    report_table_number(sheet, tracing->sent, 0);
    report_table_number(sheet, tracing->seconds, 4);
    report_table_number(sheet, 1e6 * tracing->seconds / tracing->sent, 3);
}

void sampled_fill_tracing(const struct sampled *study, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "tracing",
        .title = "What the tracer has to record",
        .note = "For the measured launches and their warm-up. States that the tracer makes "
                "need the accesses of all launches before the last measured one, which are "
                "sent, but not stored. What a policy reads to decide how far to go back, and "
                "what the GPU takes to send records, are not included.",
        REPORT_TABLE_OF(columns)};
    for (size_t m = 0; m < study->plan_count && study->costs != NULL; m++)
        for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++)
            if (study->variants[p].inside == 0)
                add_cell(study, &study->plans[m], p, sheet);
}
