#include "tools/commands/estimate/estimate_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/equations.h"
#include "traces/base/bytes.h"

void estimate_rows_finish(struct estimate_rows *rows)
{
    free(rows->items);
    texts_finish(&rows->texts);
    memset(rows, 0, sizeof *rows);
}

struct estimate_row *estimate_rows_add(struct estimate_rows *rows, struct error *err)
{
    if (!array_room(&rows->items, rows->count, sizeof *rows->items)) {
        error_no_memory(err);
        return NULL;
    }
    struct estimate_row *row = &rows->items[rows->count++];
    memset(row, 0, sizeof *row);
    row->bound = NAN;
    row->lambda = 1;
    return row;
}

/* ---- estimates ---- */

/* WORK as SETTING changes it: other blocks of the same threads, or more blocks. */
static struct estimate_work changed(const struct estimate_work *from,
                                    const struct estimate_setting *setting)
{
    struct estimate_work work = *from;
    double size = setting->size > 0 ? setting->size : 1;
    if (setting->block > 0) {
        work.blocks = ceil(from->blocks * from->block_threads / setting->block);
        work.block_threads = setting->block;
    }
    work.blocks = ceil(work.blocks * size);
    double factor = equation_warps(work.blocks, work.block_threads) /
                    equation_warps(from->blocks, from->block_threads);
    estimate_work_scale(&work, factor);
    return work;
}

static int make_row(struct estimate_row *row, const struct estimate_setting *setting,
                    struct error *err)
{
    const struct estimate_device *device = setting->device;
    if (row->launch == 0) {
        double size = setting->size > 0 ? setting->size : 1;
        row->seconds = equation_copy_seconds(device, row->in, row->bytes * size);
        return 0;
    }
    if (!row->known)
        return 0;
    struct estimate_work work = changed(&row->work, setting);
    double lambda = row->lambda * device->lambda_kernel;
    struct error wrong = {0};
    if (launch_estimate_make(&row->estimate, device, &work, setting->occupancy, lambda,
                             &wrong) != 0)
        return error_set(err, wrong.kind, NULL, 0, 0, "launch %" PRIu64 ", %.100s: %s",
                         row->launch, row->kernel, wrong.text);
    row->seconds = row->estimate.seconds;
    return 0;
}

/* ---- streams ---- */

struct stream_end {
    uint64_t stream;
    double end;
};

struct timeline {
    struct stream_end *streams;
    size_t count;
    double copied; /* end of the last copy: every stream waits for it */
    double end;    /* of all so far */
};

/* When STREAM is free; NULL without memory. */
static double *end_of(struct timeline *timeline, uint64_t stream)
{
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->streams[i].stream == stream)
            return &timeline->streams[i].end;
    if (!array_room(&timeline->streams, timeline->count, sizeof *timeline->streams))
        return NULL;
    timeline->streams[timeline->count] = (struct stream_end){.stream = stream};
    return &timeline->streams[timeline->count++].end;
}

static int place(struct timeline *timeline, struct estimate_row *row, struct error *err)
{
    if (row->launch == 0) {
        row->start = timeline->end;
        timeline->copied = timeline->end = row->start + row->seconds;
        return 0;
    }
    double *end = end_of(timeline, row->work.stream);
    if (end == NULL)
        return error_no_memory(err);
    row->start = fmax(*end, timeline->copied);
    *end = row->start + row->seconds;
    timeline->end = fmax(timeline->end, *end);
    return 0;
}

int estimate_rows_make(struct estimate_rows *rows, const struct estimate_setting *setting,
                       double *seconds, struct error *err)
{
    struct timeline timeline = {0};
    int result = 0;
    for (size_t i = 0; i < rows->count && result == 0; i++) {
        result = make_row(&rows->items[i], setting, err);
        if (result == 0)
            result = place(&timeline, &rows->items[i], err);
    }
    *seconds = timeline.end;
    free(timeline.streams);
    return result;
}
