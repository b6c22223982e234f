#include "tools/run/results/totals.h"

static void add_warm(struct totals *totals, const struct row *row)
{
    const struct sim_counters *c = &row->result.counters;
    totals->warm++;
    totals->warm_insts += c->warp_insts;
    totals->warm_sectors += c->l1d_accesses + c->l2_reads + c->l2_writes;
}

static void add_corrected(struct totals *totals, const struct row *row)
{
    if (!row->corrected)
        return;
    totals->corrected = true;
    totals->corrected_cycles += row->correction.cycles;
}

static void add_row(struct totals *totals, const struct row *row)
{
    uint64_t cycles = row->result.end_cycle - row->result.start_cycle;
    totals->launches++;
    totals->cycles += cycles;
    totals->gap_cycles += row->result.gap_cycles;
    sim_counters_add(&totals->counters, &row->result.counters);
    totals->peaks = row->result.peaks;
    add_corrected(totals, row);
}

/* Returns the cycles of ROW in which no launch of SPAN ran: those after SPAN's end, since
 * overlapping launches leave no gap that a later one of the plan could fill. */
static uint64_t add_span(struct totals_span *span, const struct row *row)
{
    uint64_t from = row->result.start_cycle;
    if (span->any && span->last > from)
        from = span->last;
    if (!span->any || row->result.start_cycle < span->first)
        span->first = row->result.start_cycle;
    if (!span->any || row->result.end_cycle > span->last)
        span->last = row->result.end_cycle;
    span->any = true;
    return row->result.end_cycle > from ? row->result.end_cycle - from : 0;
}

static void end_segment(struct totals *totals)
{
    totals->elapsed += totals->span.last - totals->span.first;
    totals->span = (struct totals_span){0};
}

void totals_add(struct totals *totals, const struct row *row)
{
    if (row->segments != totals->span.segment)
        end_segment(totals);
    totals->span.segment = row->segments;
    totals->restored += row->result.restored_sectors;
    if (row->role == PLAN_WARM) {
        add_warm(totals, row);
        return;
    }
    add_row(totals, row);
    totals->busy += add_span(&totals->span, row);
}

void totals_end(struct totals *totals)
{
    end_segment(totals);
}

void totals_init(struct totals *totals, const struct rows *rows)
{
    *totals = (struct totals){0};
    struct rows_pass pass = {.rows = rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;)
        totals_add(totals, row);
    totals_end(totals);
}

static struct value count(uint64_t number)
{
    return (struct value){.kind = VALUE_COUNT, .count = number};
}

static struct value ratio(uint64_t part, uint64_t whole)
{
    return (struct value){.kind = VALUE_RATIO,
                          .ratio = whole > 0 ? (double)part / (double)whole : 0};
}

static struct value get_launches(const struct totals *t)
{
    return count(t->launches);
}

static struct value get_warm(const struct totals *t)
{
    return count(t->warm);
}

static struct value get_warm_insts(const struct totals *t)
{
    return count(t->warm_insts);
}

static struct value get_warm_sectors(const struct totals *t)
{
    return count(t->warm_sectors);
}

static struct value get_cycles(const struct totals *t)
{
    return count(t->cycles);
}

static struct value get_elapsed(const struct totals *t)
{
    return count(t->elapsed);
}

static struct value get_gap(const struct totals *t)
{
    return count(t->gap_cycles);
}

static struct value get_ipc(const struct totals *t)
{
    return ratio(t->counters.thread_insts, t->busy);
}

static struct value get_warp_ipc(const struct totals *t)
{
    return ratio(t->counters.warp_insts, t->busy);
}

static struct value get_dram_bytes(const struct totals *t)
{
    return count(32 * (t->counters.dram_reads + t->counters.dram_writes));
}

/* NUMBER as a count, if possible. */
static struct value rounded(double number)
{
    if (number >= 0x1p63)
        return (struct value){.kind = VALUE_RATIO, .ratio = number};
    return count(number > 0 ? (uint64_t)(number + 0.5) : 0);
}

static struct value get_restored(const struct totals *t)
{
    return count(t->restored);
}

static bool has_restored(const struct totals *t)
{
    return t->restored != 0;
}

static struct value get_corrected(const struct totals *t)
{
    return rounded(t->corrected_cycles);
}

static struct value get_corrected_ipc(const struct totals *t)
{
    return (struct value){.kind = VALUE_RATIO,
                          .ratio = (double)t->counters.thread_insts / t->corrected_cycles};
}

static bool is_corrected(const struct totals *t)
{
    return t->corrected && t->corrected_cycles > 0;
}

struct totals_entry {
    struct row_column column;
    struct value (*get)(const struct totals *totals);
    bool (*shown)(const struct totals *totals); /* for the last entries */
};

static const struct totals_entry leading[] = {
    {{"launches", "launches", "measured launches", .kind = ROW_ADDITIVE}, get_launches},
    {{"warm_launches", "launches", "warm-up launches; in no other total", .kind = ROW_ADDITIVE},
     get_warm},
    {{"warm_warp_insts", "instructions", "warp instructions of warm-up launches",
      .kind = ROW_ADDITIVE},
     get_warm_insts},
    {{"warm_sectors", "sectors", "L1 and L2 accesses of warm-up launches",
      .kind = ROW_ADDITIVE},
     get_warm_sectors},
    {{"cycles", "core cycles", "sum of the launches' cycles", .kind = ROW_ADDITIVE},
     get_cycles},
    {{"elapsed_cycles", "core cycles",
      "from the first start to the last end, summed over segments", .kind = ROW_ADDITIVE},
     get_elapsed},
    {{"gap_cycles", "core cycles", "spent draining memory between launches",
      .kind = ROW_ADDITIVE},
     get_gap},
    {{"ipc", "instructions/cycle", "thread instructions per core cycle", .kind = ROW_RATIO},
     get_ipc},
    {{"warp_ipc", "instructions/cycle", "warp instructions per core cycle", .kind = ROW_RATIO},
     get_warp_ipc},
    {{"dram_bytes", "bytes", "read from and written to DRAM", .kind = ROW_ADDITIVE},
     get_dram_bytes},
};

/* Shown only if there are restored states, or corrections. */
static const struct totals_entry closing[] = {
    {{"restored_sectors", "sectors", "restored to L2 for warm-up", .kind = ROW_ADDITIVE},
     get_restored,
     has_restored},
    {{"cycles_corrected", "core cycles", "sum of the launches' corrected cycles",
      .kind = ROW_ADDITIVE},
     get_corrected,
     is_corrected},
    {{"ipc_corrected", "instructions/cycle", "thread instructions per corrected cycle",
      .kind = ROW_RATIO},
     get_corrected_ipc,
     is_corrected},
};

static const size_t leading_count = sizeof leading / sizeof leading[0];
static const size_t closing_count = sizeof closing / sizeof closing[0];

size_t totals_count(const struct totals *totals)
{
    size_t count = leading_count + sim_counter_count + SIM_DERIVED_COUNT;
    for (size_t i = 0; i < closing_count; i++)
        count += closing[i].shown(totals);
    return count;
}

/* Entry number INDEX of the last entries that are shown. */
static const struct totals_entry *find_closing(const struct totals *totals, size_t index)
{
    size_t i = 0;
    while (!closing[i].shown(totals) || index-- > 0)
        i++;
    return &closing[i];
}

/* The entry for INDEX, or NULL with *AT set to the number of a counter or, counted from after
 * the counters, of a derived value. */
static const struct totals_entry *find(const struct totals *totals, size_t index, size_t *at)
{
    if (index < leading_count)
        return &leading[index];
    *at = index - leading_count;
    size_t own = sim_counter_count + SIM_DERIVED_COUNT;
    return *at < own ? NULL : find_closing(totals, *at - own);
}

struct row_column totals_column(const struct totals *totals, size_t index)
{
    size_t at;
    const struct totals_entry *entry = find(totals, index, &at);
    if (entry != NULL)
        return entry->column;
    if (at >= sim_counter_count) {
        const struct sim_derived *d = &sim_derived_table[at - sim_counter_count];
        return (struct row_column){d->name, d->unit, d->description, d->nsight, ROW_RATIO};
    }
    const struct sim_counter *c = &sim_counter_table[at];
    return (struct row_column){c->name, c->unit, c->description, c->nsight, ROW_ADDITIVE};
}

struct value totals_value(const struct totals *totals, size_t index)
{
    size_t at;
    const struct totals_entry *entry = find(totals, index, &at);
    if (entry != NULL)
        return entry->get(totals);
    if (at < sim_counter_count)
        return count(sim_counter_get(&totals->counters, at));
    const struct sim_derived *d = &sim_derived_table[at - sim_counter_count];
    return (struct value){
        .kind = VALUE_RATIO,
        .ratio = d->get(&totals->counters, totals->busy, totals->gap_cycles, &totals->peaks)};
}
