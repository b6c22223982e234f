#include "tools/run/activity/activity_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How often an event happened in a launch with counters C. */
#define EVENT(component, name, unit, count)                                                    \
    static uint64_t count_##name(const struct sim_counters *c, uint64_t cycles)                \
    {                                                                                          \
        (void)c, (void)cycles;                                                                 \
        return count;                                                                          \
    }
#include "tools/run/activity/events.def"
#undef EVENT

static const struct {
    const char *component, *name, *unit;
    uint64_t (*count)(const struct sim_counters *c, uint64_t cycles);
} events[ACTIVITY_EVENTS] = {
#define EVENT(component, name, unit, count) {component, #name, unit, count_##name},
#include "tools/run/activity/events.def"
#undef EVENT
};

static void write_events(const struct sim_counters *counters, uint64_t cycles,
                         const struct energies *energies, const char *label, FILE *out)
{
    for (int i = 0; i < ACTIVITY_EVENTS; i++) {
        uint64_t count = events[i].count(counters, cycles);
        if (count == 0)
            continue;
        fprintf(out, "%s,%s,%s,%s,%" PRIu64 ",", label, events[i].component, events[i].name,
                events[i].unit, count);
        if (!isnan(energies->picojoules[i]))
            fprintf(out, "%.6g", (double)count * energies->picojoules[i]);
        putc('\n', out);
    }
}

static uint64_t cycles_of(const struct row *row)
{
    return row->result.end_cycle - row->result.start_cycle;
}

/* Adds the measured launches up. */
static uint64_t add_up(const struct rows *rows, struct sim_counters *sum)
{
    uint64_t cycles = 0;
    struct rows_pass pass = {.rows = rows};
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        if (row->role != PLAN_MEASURE)
            continue;
        sim_counters_add(sum, &row->result.counters);
        cycles += cycles_of(row);
    }
    return cycles;
}

void activity_table_write(const struct rows *rows, const struct energies *energies, FILE *out)
{
    struct sim_counters sum = {0};
    struct rows_pass pass = {.rows = rows};
    fputs("step,launch,component,event,unit,count,picojoules\n", out);
    for (const struct row *row; (row = rows_next(&pass)) != NULL;) {
        char label[64];
        snprintf(label, sizeof label, "%" PRIu64 ",%" PRIu64, row->step, row->launch);
        write_events(&row->result.counters, cycles_of(row), energies, label, out);
    }
    uint64_t cycles = add_up(rows, &sum);
    write_events(&sum, cycles, energies, "all,", out);
}

/* Adds the events of the component of event FIRST; returns the first event after them. */
static int add_component(struct activity_component *component, int first,
                         const struct sim_counters *sum, uint64_t cycles,
                         const struct energies *energies)
{
    int i = first;
    *component = (struct activity_component){.name = events[first].component};
    for (; i < ACTIVITY_EVENTS && strcmp(events[i].component, component->name) == 0; i++) {
        uint64_t count = events[i].count(sum, cycles);
        bool known = !isnan(energies->picojoules[i]);
        component->known += count != 0 && known;
        component->unknown += count != 0 && !known;
        if (known)
            component->picojoules += (double)count * energies->picojoules[i];
    }
    return i;
}

int activity_table_components(const struct rows *rows, const struct energies *energies,
                              struct activity_component components[ACTIVITY_EVENTS])
{
    struct sim_counters sum = {0};
    uint64_t cycles = add_up(rows, &sum);
    int count = 0;
    for (int i = 0; i < ACTIVITY_EVENTS; count++)
        i = add_component(&components[count], i, &sum, cycles, energies);
    return count;
}
