/* Which launches ran when, by stream. */
#include <stdlib.h>
#include <string.h>

#include "tools/commands/report/report.h"
#include "tools/report/bands.h"

#define STREAMS 12   /* rows; further streams share the last one */
#define NAMED   6    /* kernels with a colour of their own */
#define OTHER   7    /* colour of the others, and of launches that are drawn together */
#define ITEMS   2000 /* of all rows */
#define TIP     160

struct stream_lanes {
    uint64_t streams[STREAMS];
    size_t count;
    bool shared; /* the last one is of several streams */
    struct timeline_item *items;
    char (*tips)[TIP];
    size_t item_count, launches; /* LAUNCHES of the last item */
    double least; /* seconds: what is shorter is drawn together with its neighbours */
};

static size_t lane_of(struct stream_lanes *lanes, uint64_t stream)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->streams[i] == stream)
            return i;
    if (lanes->count == STREAMS) {
        lanes->shared = true;
        return STREAMS - 1;
    }
    lanes->streams[lanes->count] = stream;
    return lanes->count++;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void find_lanes(struct stream_lanes *lanes, const struct run_view *run)
{
    for (size_t i = 0; i < run->launch_count; i++)
        lane_of(lanes, run->launches[i].stream);
    if (!lanes->shared)
        qsort(lanes->streams, lanes->count, sizeof *lanes->streams, by_number);
    lanes->least = view_seconds(run, (double)run->elapsed) * (double)lanes->count / ITEMS;
}

static void add_item(struct stream_lanes *lanes, const struct run_view *run,
                     const struct view_launch *launch, size_t lane)
{
    double from = view_seconds(run, (double)launch->start),
           to = view_seconds(run, (double)(launch->start + launch->cycles));
    struct timeline_item *last =
        lanes->item_count > 0 ? &lanes->items[lanes->item_count - 1] : NULL;
    if (last != NULL && last->row == lane && from >= last->from &&
        to - last->from < lanes->least) {
        last->to = to > last->to ? to : last->to;
        last->colour = OTHER;
        lanes->launches++;
        snprintf(lanes->tips[lanes->item_count - 1], TIP, "%zu launches up to %llu",
                 lanes->launches, (unsigned long long)launch->launch);
        return;
    }
    char *tip = lanes->tips[lanes->item_count];
    snprintf(tip, TIP, "launch %llu, %s: %.2f µs", (unsigned long long)launch->launch,
             run->kernels[launch->kernel].brief, 1e6 * (to - from));
    lanes->items[lanes->item_count++] = (struct timeline_item){
        from, to, lane, launch->kernel < NAMED ? (int)launch->kernel : OTHER, tip};
    lanes->launches = 1;
}

static void add_items(struct stream_lanes *lanes, const struct run_view *run)
{
    for (size_t lane = 0; lane < lanes->count; lane++)
        for (size_t i = 0; i < run->launch_count; i++)
            if (lane_of(lanes, run->launches[i].stream) == lane)
                add_item(lanes, run, &run->launches[i], lane);
}

static void write_lanes(const struct report *report, const struct stream_lanes *lanes)
{
    static const unsigned char colours[NAMED + 1] = {0, 1, 2, 3, 4, 5, OTHER};
    const struct run_view *run = report->run;
    struct band_row rows[STREAMS] = {0};
    char labels[STREAMS][40];
    const char *names[NAMED + 1];
    const char *unit_name;
    double unit = report_time_unit(view_seconds(run, (double)run->elapsed), &unit_name);
    size_t named = run->kernel_count < NAMED ? run->kernel_count : NAMED;
    for (size_t i = 0; i < lanes->count; i++) {
        bool shared = lanes->shared && i == STREAMS - 1;
        snprintf(labels[i], sizeof labels[i], shared ? "stream %llu and others" : "stream %llu",
                 (unsigned long long)lanes->streams[i]);
        rows[i].label = labels[i];
    }
    for (size_t i = 0; i < lanes->item_count; i++) {
        lanes->items[i].from /= unit;
        lanes->items[i].to /= unit;
    }
    for (size_t i = 0; i < named; i++)
        names[i] = run->kernels[i].brief;
    names[named] = "other kernels, or several short launches";
    unsigned char used[NAMED + 1];
    memcpy(used, colours, sizeof used);
    used[named] = OTHER;
    const struct timeline_chart timeline = {.title = "Launches by stream",
                                            .x_label = unit_name,
                                            .rows = rows,
                                            .row_count = lanes->count,
                                            .items = lanes->items,
                                            .count = lanes->item_count,
                                            .end =
                                                view_seconds(run, (double)run->elapsed) / unit,
                                            .legend = {names, named + 1, used}};
    fputs("<figure>", report->out);
    timeline_write(&timeline, SVG_PAGE, report->out);
    fputs("</figure>\n", report->out);
}

int report_timeline(const struct report *report, struct error *err)
{
    size_t most = report->run->launch_count + 1;
    struct stream_lanes lanes = {.items = calloc(most, sizeof *lanes.items),
                                 .tips = calloc(most, sizeof *lanes.tips)};
    bool good = lanes.items != NULL && lanes.tips != NULL;
    if (good) {
        find_lanes(&lanes, report->run);
        add_items(&lanes, report->run);
        write_lanes(report, &lanes);
    }
    free(lanes.items);
    free(lanes.tips);
    return good ? 0 : error_no_memory(err);
}
