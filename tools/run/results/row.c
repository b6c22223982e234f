#include "tools/run/results/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/text/number_text.h"

void row_init(struct row *row, const struct trace_header *header, struct row_segment segment)
{
    *row = (struct row){
        .stream = header->stream, .segment = segment, .kernel = header->name, .scale = 1};
    memcpy(row->grid, header->grid, sizeof row->grid);
    memcpy(row->block, header->block, sizeof row->block);
}

void row_finish(struct row *row)
{
    intervals_finish(&row->intervals);
    stacks_finish(&row->stacks);
    row_parts_finish(&row->parts);
    notes_finish(&row->notes);
    *row = (struct row){0};
}

bool row_keep(struct row *row, const struct sim *sim)
{
    return stacks_keep(&row->stacks, sim) && row_parts_keep(&row->parts, sim);
}

static struct value count(uint64_t number)
{
    return (struct value){.kind = VALUE_COUNT, .count = number};
}

static struct value text(const char *longer)
{
    return (struct value){.kind = VALUE_TEXT, .longer = longer};
}

static struct value ratio(uint64_t part, uint64_t whole)
{
    return (struct value){.kind = VALUE_RATIO,
                          .ratio = whole > 0 ? (double)part / (double)whole : 0};
}

static struct value derived(const struct row *row, size_t index)
{
    const struct sim_result *result = &row->result;
    return (struct value){.kind = VALUE_RATIO,
                          .ratio = sim_derived_table[index].get(
                              &result->counters, result->end_cycle - result->start_cycle,
                              result->gap_cycles, &result->peaks)};
}

static struct value size3(const uint32_t size[3])
{
    struct value value = {.kind = VALUE_TEXT};
    snprintf(value.text, sizeof value.text, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, size[0],
             size[1], size[2]);
    return value;
}

static uint64_t cycles(const struct row *row)
{
    return row->result.end_cycle - row->result.start_cycle;
}

static struct value get_step(const struct row *row)
{
    return count(row->step);
}

static struct value get_segment(const struct row *row)
{
    const struct row_segment *segment = &row->segment;
    struct value value = text(segment->text);
    if (segment->number == 0)
        return value;
    value.longer = NULL;
    snprintf(value.text, sizeof value.text, "%s%s%" PRIu64, segment->text,
             segment->text[0] != '\0' ? "-" : "", segment->number);
    return value;
}

static struct value get_launch(const struct row *row)
{
    return count(row->launch);
}

static struct value get_kernel(const struct row *row)
{
    return text(row->kernel);
}

static struct value get_stream(const struct row *row)
{
    return count(row->stream);
}

static struct value get_grid(const struct row *row)
{
    return size3(row->grid);
}

static struct value get_block(const struct row *row)
{
    return size3(row->block);
}

static struct value get_role(const struct row *row)
{
    return text(plan_role_names[row->role]);
}

static struct value get_mode(const struct row *row)
{
    return text(plan_mode_names[row->mode]);
}

static struct value get_cycles(const struct row *row)
{
    return count(cycles(row));
}

static struct value get_start(const struct row *row)
{
    return count(row->result.start_cycle);
}

static struct value get_end(const struct row *row)
{
    return count(row->result.end_cycle);
}

static struct value get_warp_insts(const struct row *row)
{
    return count(row->result.counters.warp_insts);
}

static struct value get_thread_insts(const struct row *row)
{
    return count(row->result.counters.thread_insts);
}

static struct value get_ipc(const struct row *row)
{
    return ratio(row->result.counters.thread_insts, cycles(row));
}

static struct value get_warp_ipc(const struct row *row)
{
    return ratio(row->result.counters.warp_insts, cycles(row));
}

static struct value get_gap(const struct row *row)
{
    return count(row->result.gap_cycles);
}

static struct value get_primed(const struct row *row)
{
    return count(row->primed);
}

static struct value get_restored(const struct row *row)
{
    return count(row->result.restored_sectors);
}

static struct value get_corrected(const struct row *row)
{
    return row->corrected && row->correction.cycles > 0
               ? count((uint64_t)(row->correction.cycles + 0.5))
               : (struct value){.kind = VALUE_NONE};
}

static struct value get_corrected_ipc(const struct row *row)
{
    if (!row->corrected || !(row->correction.cycles > 0))
        return (struct value){.kind = VALUE_NONE};
    double insts = (double)row->result.counters.thread_insts;
    return (struct value){.kind = VALUE_RATIO, .ratio = insts / row->correction.cycles};
}

static struct value get_intra(const struct row *row)
{
    return text(row->intra != NULL ? row->intra : "");
}

static struct value get_check(const struct row *row)
{
    return text(intra_check_name(row->outcome.check));
}

uint64_t row_simulated_insts(const struct row *row)
{
    return row->intra != NULL ? row->outcome.warp_insts : row->result.counters.warp_insts;
}

static struct value get_simulated(const struct row *row)
{
    return count(row_simulated_insts(row));
}

static struct value get_simulated_blocks(const struct row *row)
{
    return count(row->intra != NULL ? row->outcome.blocks : row->result.counters.blocks);
}

static struct value get_simulated_cycles(const struct row *row)
{
    return count(row->intra != NULL ? row->outcome.cycles : cycles(row));
}

/* A ratio that may be unknown. */
static struct value known(const struct row *row, double number)
{
    return row->intra != NULL && isfinite(number)
               ? (struct value){.kind = VALUE_RATIO, .ratio = number}
               : (struct value){.kind = VALUE_NONE};
}

static struct value get_bar(const struct row *row)
{
    return known(row, row->outcome.bar);
}

static struct value get_stability(const struct row *row)
{
    return known(row, row->outcome.stability);
}

/* The counters that are already among the first columns: the first of their table. */
#define COUNTERS_LEADING 2

static const struct result_column {
    struct row_column column;
    struct value (*get)(const struct row *row);
} leading[] = {
    {{"step", "", "position in the executed plan, from 1; the key"}, get_step},
    {{"segment", "", "segment of the plan: its name, or its number from 1"}, get_segment},
    {{"launch", "",
      "kernel id of the trace, or position in the list if ids are missing or repeat"},
     get_launch},
    {{"kernel", "", "name of the kernel as in the trace"}, get_kernel},
    {{"stream", "", "stream of the launch"}, get_stream},
    {{"grid", "blocks", "size of the grid"}, get_grid},
    {{"block", "threads", "size of a block"}, get_block},
    {{"role", "", "measure, or warm: simulated only for the state it leaves"}, get_role},
    {{"mode", "", "how it was simulated: detailed, memory or functional"}, get_mode},
    {{"cycles", "core cycles", "from when the launch may start until its last block ends",
      "gpc__cycles_elapsed.max", .kind = ROW_ADDITIVE},
     get_cycles},
    {{"start_cycle", "core cycles", "start, on the clock of its segment"}, get_start},
    {{"end_cycle", "core cycles", "end, on the clock of its segment"}, get_end},
    {{"warp_insts", "instructions", "warp instructions issued", "smsp__inst_executed.sum",
      .kind = ROW_ADDITIVE},
     get_warp_insts},
    {{"thread_insts", "instructions",
      "thread instructions issued: active lanes summed over warp instructions",
      "smsp__thread_inst_executed_pred_on.sum", .kind = ROW_ADDITIVE},
     get_thread_insts},
    {{"ipc", "instructions/cycle", "thread instructions per core cycle", .kind = ROW_RATIO},
     get_ipc},
    {{"warp_ipc", "instructions/cycle", "warp instructions per core cycle",
      "sm__inst_executed.sum.per_cycle_elapsed", .kind = ROW_RATIO},
     get_warp_ipc},
};

static const struct result_column closing[] = {
    {{"gap_cycles", "core cycles",
      "spent draining memory before the launch; not part of its cycles", .kind = ROW_ADDITIVE},
     get_gap},
    {{"primed_warp_insts", "instructions",
      "warp instructions before the measured part; in no other column", .kind = ROW_ADDITIVE},
     get_primed},
    {{"restored_sectors", "sectors",
      "restored to L2 before the launch: the cost of that warm-up"},
     get_restored},
    {{"cycles_corrected", "core cycles", "corrected cycles; only with --warm correction:KIND",
      .kind = ROW_ADDITIVE},
     get_corrected},
    {{"ipc_corrected", "instructions/cycle",
      "thread instructions per corrected cycle; only with --warm correction:KIND",
      .kind = ROW_RATIO},
     get_corrected_ipc},
    {{"intra", "", "method that sampled inside the launch; the columns that follow: of it"},
     get_intra},
    {{"intra_check", "",
      "the check for which the method refused: simulated in full. Otherwise empty"},
     get_check},
    {{"simulated_warp_insts", "instructions", "warp instructions that were simulated in detail",
      .kind = ROW_ADDITIVE},
     get_simulated},
    {{"simulated_blocks", "blocks", "thread blocks that were simulated in detail",
      .kind = ROW_ADDITIVE},
     get_simulated_blocks},
    {{"simulated_cycles", "core cycles", "cycles that were simulated in detail",
      .kind = ROW_ADDITIVE},
     get_simulated_cycles},
    {{"intra_bar", "",
      "half of the interval that contains the cycles with the method's confidence, over the "
      "cycles"},
     get_bar},
    {{"intra_stability", "",
      "relative spread of what the method watched, when it had seen enough"},
     get_stability},
};

#define INTRA_COLUMNS 7 /* the last ones */

static const size_t leading_count = sizeof leading / sizeof leading[0];
static const size_t closing_count = sizeof closing / sizeof closing[0];

const char *row_kind_name(enum row_kind kind)
{
    static const char *const names[ROW_KINDS] = {"label", "additive", "ratio"};
    return names[kind];
}

size_t row_column_count(void)
{
    return leading_count + (sim_counter_count - COUNTERS_LEADING) + SIM_DERIVED_COUNT +
           closing_count;
}

size_t row_column_shown(bool intra)
{
    return row_column_count() - (intra ? 0 : INTRA_COLUMNS);
}

/* The line of a table of this file for column INDEX; NULL with *AT set to the number of a
 * counter or, counted from after the counters, of a derived value. */
static const struct result_column *find(size_t index, size_t *at)
{
    if (index < leading_count)
        return &leading[index];
    *at = index - leading_count + COUNTERS_LEADING;
    size_t own = sim_counter_count + SIM_DERIVED_COUNT;
    return *at < own ? NULL : &closing[*at - own];
}

struct row_column row_column(size_t index)
{
    size_t at;
    const struct result_column *column = find(index, &at);
    if (column != NULL)
        return column->column;
    if (at >= sim_counter_count) {
        const struct sim_derived *entry = &sim_derived_table[at - sim_counter_count];
        return (struct row_column){entry->name, entry->unit, entry->description, entry->nsight,
                                   ROW_RATIO};
    }
    const struct sim_counter *entry = &sim_counter_table[at];
    return (struct row_column){entry->name, entry->unit, entry->description, entry->nsight,
                               ROW_ADDITIVE};
}

struct value row_value(const struct row *row, size_t index)
{
    size_t at;
    const struct result_column *column = find(index, &at);
    if (column != NULL)
        return column->get(row);
    if (at >= sim_counter_count)
        return derived(row, at - sim_counter_count);
    return count(sim_counter_get(&row->result.counters, at));
}

const char *value_text(const struct value *value, char buffer[32])
{
    if (value->kind == VALUE_NONE)
        return "";
    if (value->kind == VALUE_TEXT)
        return value->longer != NULL ? value->longer : value->text;
    /* The program never changes from the "C" locale, so the decimal separator is always a
     * point. */
    return value->kind == VALUE_COUNT ? number_text_count(value->count, buffer)
                                      : number_text_real(value->ratio, buffer);
}
