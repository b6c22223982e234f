/* Heat maps of SMs, L2 slices and DRAM channels, from parts.csv. */
#include <math.h>
#include <stdlib.h>

#include "tools/commands/report/report.h"
#include "tools/report/axis.h"
#include "tools/report/bands.h"
#include "tools/view/part_view.h"

#define ROWS 5
#define NOTE 120

/* A row: a counter, or the share of two. */
struct part_row {
    const char *name;
    enum sim_part_index counter;
    int of; /* SIM_PART_COUNTERS: the counter itself */
};

static const struct part_map {
    const char *title, *label;
    struct part_row rows[ROWS];
    size_t count;
} maps[PART_VIEW_KINDS] = {
    {"SMs",
     "SM",
     {{"thread blocks", SIM_PART_blocks, SIM_PART_COUNTERS},
      {"warp instructions", SIM_PART_warp_insts, SIM_PART_COUNTERS},
      {"cycles with a block", SIM_PART_sm_active_cycles, SIM_PART_COUNTERS},
      {"L1 accesses, sectors", SIM_PART_l1d_accesses, SIM_PART_COUNTERS},
      {"L1 hits of accesses", SIM_PART_l1d_hits, SIM_PART_l1d_accesses}},
     5},
    {"L2 slices",
     "slice",
     {{"reads, sectors", SIM_PART_l2_reads, SIM_PART_COUNTERS},
      {"writes, sectors", SIM_PART_l2_writes, SIM_PART_COUNTERS},
      {"hits of reads", SIM_PART_l2_read_hits, SIM_PART_l2_reads},
      {"dirty lines evicted", SIM_PART_l2_evictions_dirty, SIM_PART_COUNTERS}},
     4},
    {"DRAM channels",
     "channel",
     {{"bytes read", SIM_PART_dram_read_bytes, SIM_PART_COUNTERS},
      {"bytes written", SIM_PART_dram_write_bytes, SIM_PART_COUNTERS},
      {"requests whose row was open", SIM_PART_dram_row_hits, SIM_PART_COUNTERS},
      {"rows opened", SIM_PART_dram_activates, SIM_PART_COUNTERS}},
     4},
};

static double value_of(const struct sim_part *part, const struct part_row *row)
{
    double count = (double)part->counts[row->counter];
    if (row->of == SIM_PART_COUNTERS)
        return count;
    double whole = (double)part->counts[row->of];
    return whole > 0 ? 100 * count / whole : NAN;
}

/* "12 k to 15 k, mean 13 k". */
static void describe(const double *values, size_t count, bool share, char note[NOTE])
{
    char texts[3][AXIS_TEXT];
    double least = INFINITY, most = 0, sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
            sum += values[i];
            known++;
        }
    const char *unit = share ? " %" : "";
    if (known == 0)
        snprintf(note, NOTE, "none");
    else
        snprintf(note, NOTE, "%s%s to %s%s, mean %s%s", axis_number(least, 3, texts[0]), unit,
                 axis_number(most, 3, texts[1]), unit,
                 axis_number(sum / (double)known, 3, texts[2]), unit);
}

static int write_map(const struct report *report, const struct part_view *view,
                     enum part_view_kind kind, struct error *err)
{
    const struct part_map *map = &maps[kind];
    size_t count = view->counts[kind];
    double *values = calloc(count * map->count + 1, sizeof *values);
    struct band_row rows[ROWS] = {0};
    char notes[ROWS][NOTE];
    if (values == NULL)
        return error_no_memory(err);
    for (size_t r = 0; r < map->count; r++) {
        for (size_t i = 0; i < count; i++)
            values[r * count + i] = value_of(&view->parts[kind][i], &map->rows[r]);
        describe(values + r * count, count, map->rows[r].of != SIM_PART_COUNTERS, notes[r]);
        rows[r] = (struct band_row){map->rows[r].name, notes[r], NULL};
    }
    const struct heat_map heat = {.title = map->title,
                                  .x_label = map->label,
                                  .rows = rows,
                                  .row_count = map->count,
                                  .columns = count,
                                  .values = values,
                                  .unit = ""};
    fputs("<figure>", report->out);
    heat_map_write(&heat, SVG_PAGE, report->out);
    fputs("</figure>\n", report->out);
    free(values);
    return 0;
}

int report_parts(const struct report *report, struct error *err)
{
    struct part_view view;
    int result = part_view_read(&view, report->run, err);
    if (result == 0 && view.counts[PART_VIEW_SM] == 0)
        result = 1;
    for (int kind = 0; result == 0 && kind < PART_VIEW_KINDS; kind++)
        if (view.counts[kind] > 0)
            result = write_map(report, &view, (enum part_view_kind)kind, err);
    part_view_finish(&view);
    return result;
}
