/* Events of the GPU's components and their energy, from activity.csv. */
#include <math.h>
#include <string.h>

#include "tools/commands/report/report.h"
#include "tools/report/bands.h"
#include "tools/report/page.h"
#include "tools/report/report_table.h"
#include "tools/view/activity_view.h"

#define NOTE 64

/* The energy of the components, and what charts show of it. */
struct components {
    struct band_row rows[ACTIVITY_VIEW_MOST];
    double energies[ACTIVITY_VIEW_MOST]; /* µJ */
    char notes[ACTIVITY_VIEW_MOST][NOTE];
    size_t count;
    double sum, most;
};

/* Only components of which an energy is known. */
static void add_up(struct components *components, const struct activity_view *view)
{
    *components = (struct components){0};
    for (size_t i = 0; i < view->count; i++) {
        const struct activity_view_event *event = &view->events[i];
        size_t last = components->count;
        if (isnan(event->picojoules))
            continue;
        if (last == 0 || strcmp(components->rows[last - 1].label, event->component) != 0)
            components->rows[components->count++].label = event->component;
        components->energies[components->count - 1] += 1e-6 * event->picojoules;
        components->sum += 1e-6 * event->picojoules;
    }
    for (size_t i = 0; i < components->count; i++) {
        double energy = components->energies[i];
        components->most = fmax(components->most, energy);
        snprintf(components->notes[i], NOTE, "%.3g µJ, %.1f %%", energy,
                 report_table_percent(energy, components->sum));
        components->rows[i].note = components->notes[i];
    }
}

static void write_components(const struct report *report, const struct components *components)
{
    static const char *const part = "energy";
    const struct stacked_bars bars = {.title = "Energy of each component",
                                      .rows = components->rows,
                                      .count = components->count,
                                      .parts = {&part, 1, NULL},
                                      .values = components->energies,
                                      .whole = components->most,
                                      .unit = " µJ"};
    fputs("<figure>", report->out);
    stacked_bars_write(&bars, SVG_PAGE, report->out);
    fputs("</figure>\n", report->out);
}

static int write_events(const struct report *report, const struct activity_view *view,
                        double sum, struct error *err)
{
    static const struct report_table_column columns[] = {
        {"component", "", "", false},
        {"event", "", "as in activity.csv and in tables of energies", false},
        {"counted", "", "the unit of the count", false},
        {"count", "", "in measured launches", false},
        {"energy", "µJ", "empty: the table of energies has none", false},
        {"share", "%", "of all energy", true},
    };
    struct report_table sheet = {.name = "activity", REPORT_TABLE_OF(columns)};
    for (size_t i = 0; i < view->count; i++) {
        const struct activity_view_event *event = &view->events[i];
        report_table_text(&sheet, event->component);
        report_table_text(&sheet, event->name);
        report_table_text(&sheet, event->unit);
        report_table_count(&sheet, event->count);
        report_table_number(&sheet, 1e-6 * event->picojoules, 3);
        report_table_number(&sheet, report_table_percent(1e-6 * event->picojoules, sum), 1);
    }
    int result = sheet.failed ? error_no_memory(err) : 0;
    if (result == 0)
        report_table_write_html(&sheet, report->out, ACTIVITY_VIEW_MOST);
    report_table_finish(&sheet);
    return result;
}

int report_activity(const struct report *report, struct error *err)
{
    struct activity_view view;
    struct components components;
    int result = activity_view_read(&view, report->run, err);
    if (result != 0 || view.count == 0)
        return result != 0 ? result : 1;
    add_up(&components, &view);
    page_paragraph(report->out,
                   "%.4g µJ in all, by published energies of events that are not validated for "
                   "any card: for comparing configurations, not for watts.",
                   components.sum);
    if (components.count > 0)
        write_components(report, &components);
    return write_events(report, &view, components.sum, err);
}
