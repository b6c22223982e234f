/* Footprints: the handle, and the way through a trace. */
#include <stdlib.h>

#include "traces/footprint/launch.h"
#include "traces/traces.h"

#define WARPS_OF_BLOCK 32 /* 1024 threads */

struct trace_reuse *trace_reuse_create(const struct trace_reuse_options *options,
                                       struct error *err)
{
    struct trace_reuse *reuse = calloc(1, sizeof *reuse);
    if (options != NULL && reuse != NULL)
        reuse->options = *options;
    if (reuse == NULL || line_table_init(&reuse->table, reuse->options.addresses) != 0) {
        error_no_memory(err);
        free(reuse);
        return NULL;
    }
    return reuse;
}

void trace_reuse_destroy(struct trace_reuse *reuse)
{
    if (reuse == NULL)
        return;
    line_table_finish(&reuse->table);
    copied_finish(&reuse->copied);
    partly_finish(&reuse->parts);
    history_finish(&reuse->history);
    free(reuse->sources);
    free(reuse->unwritten);
    unsure_finish(&reuse->unsure);
    free(reuse);
}

int trace_reuse_copy(struct trace_reuse *reuse, uint64_t address, uint64_t bytes,
                     struct error *err)
{
    if (bytes == 0)
        return 0;
    uint64_t last = trace_copy_last(address, bytes), lines = trace_copy_lines(address, bytes);
    reuse->copy_lines += lines;
    if (reuse->copy_lines < lines)
        reuse->copy_lines = UINT64_MAX;
    if (copied_add(&reuse->copied, address >> SECTOR_SHIFT, last >> SECTOR_SHIFT,
                   reuse->history.now + 1) != 0)
        return error_no_memory(err);
    return 0;
}

/* ---- a launch ---------------------------------------------------------- */

/* What records of a block are read with. */
struct reuse_reader {
    struct trace_reuse *reuse;
    const struct trace_header *header;
    const struct trace_inst *insts;
    uint64_t number; /* of the block, from 0 */
    uint64_t place;  /* whose local memory */
};

static const uint8_t kinds[] = {
    [TRACE_ACCESS_NONE] = 0,
    [TRACE_ACCESS_LOAD] = TOUCH_READ,
    [TRACE_ACCESS_STORE] = TOUCH_WRITE,
    [TRACE_ACCESS_ATOMIC] = TOUCH_READ | TOUCH_WRITE,
};

static int add_record(const struct reuse_reader *reader, const struct trace_record *record,
                      const uint64_t *addresses, struct error *err)
{
    struct trace_reuse *reuse = reader->reuse;
    const struct trace_inst *inst = &reader->insts[record->inst];
    uint32_t width = inst->width > 0 ? inst->width : 1, sectors;
    if (record->mode == TRACE_ADDRESS_NONE || !trace_inst_in_memory_view(inst))
        return 0;
    enum trace_space space = inst->space;
    if (space == TRACE_SPACE_GENERIC)
        space = trace_resolve_space(reader->header, addresses[record->address]);
    if (space != TRACE_SPACE_GLOBAL && space != TRACE_SPACE_LOCAL)
        return 0;
    if (space == TRACE_SPACE_GLOBAL && reuse->options.unsure != NULL &&
        reuse->options.unsure(reuse->options.unsure_data, inst->pc))
        return unsure_add(reuse, record, inst, addresses) ? 0 : error_no_memory(err);
    if (touches_full(&reuse->touches) && launch_count(reuse, err) != 0)
        return -1;
    if (space == TRACE_SPACE_GLOBAL)
        sectors =
            touches_add_global(&reuse->touches, record, addresses, width, kinds[inst->access]);
    else
        sectors =
            touches_add_local(&reuse->touches, record, addresses, width, kinds[inst->access],
                              reader->header->local_base, reader->place);
    reuse->footprint.records++;
    reuse->footprint.accesses += sectors;
    return 0;
}

static bool goes_on(const struct trace_reuse *reuse, const struct trace_reuse_watch *watch,
                    uint64_t blocks)
{
    return watch == NULL || watch->watch(watch->data, blocks, reuse->footprint.records);
}

/* Returns 1 when WATCH stops it: it is asked within warps, too, as one may be all of a launch.
 */
static int read_warp(struct reuse_reader *reader, struct trace_warp *warp,
                     const struct trace_reuse_watch *watch, struct error *err)
{
    for (;;) {
        for (; warp->at < warp->end; warp->at++)
            if (add_record(reader, warp->at, warp->addresses, err) != 0)
                return -1;
        int rc = trace_warp_fill(warp, err);
        if (rc != 1)
            return rc;
        if (!goes_on(reader->reuse, watch, reader->number))
            return 1;
    }
}

static int read_block(struct trace_reuse *reuse, struct trace_kernel *kernel,
                      struct trace_block *block, uint64_t number,
                      const struct trace_reuse_watch *watch, struct error *err)
{
    uint32_t count;
    int rc = 0;
    struct reuse_reader reader = {reuse, trace_kernel_header(kernel),
                                  trace_kernel_insts(kernel, &count), number, 0};
    uint64_t resident = reuse->options.resident_blocks;
    uint64_t place = (resident > 0 ? number % resident : number) * WARPS_OF_BLOCK;
    for (uint32_t w = 0; w < block->warp_count && rc == 0; w++) {
        reader.place = place + w;
        rc = read_warp(&reader, &block->warps[w], watch, err);
    }
    return rc;
}

static int read_blocks(struct trace_reuse *reuse, struct trace_kernel *kernel,
                       const struct trace_reuse_watch *watch, struct error *err)
{
    struct trace_block *block;
    int rc;
    for (uint64_t n = 0; (rc = trace_kernel_next_block(kernel, &block, err)) == 1; n++) {
        rc = read_block(reuse, kernel, block, n, watch, err);
        trace_block_release(block);
        if (rc != 0)
            return rc;
        if (!goes_on(reuse, watch, n + 1))
            return 1;
    }
    return rc != 0 ? rc : launch_count(reuse, err);
}

/* ---- its sources ------------------------------------------------------- */

static int reserve_sources(struct trace_reuse *reuse, size_t count)
{
    if (count <= reuse->source_capacity)
        return 0;
    struct trace_reuse_source *more =
        reallocarray(reuse->sources, 2 * count, sizeof *reuse->sources);
    if (more == NULL)
        return -1;
    reuse->sources = more;
    reuse->source_capacity = 2 * count;
    return 0;
}

static struct trace_reuse_source make_source(const struct history *history, uint32_t epoch)
{
    bool copy = epoch % 2 == 1;
    const struct epoch *origin = &history->epochs[epoch];
    return (struct trace_reuse_source){
        .copy = copy,
        .distance = (history->now - epoch - copy) / 2,
        .sectors = origin->sectors,
        .fetched = origin->fetched,
        .newer_lines = history_newer(history, epoch),
        .newer_copied = history_copied(history, epoch),
        .unready = origin->unready,
        .never = origin->never,
        .made = origin->made,
        .made_newer_lines = origin->made > 0 ? history_newer(history, origin->touched) : 0,
        .made_newer_copied = origin->made > 0 ? history_copied(history, origin->touched) : 0,
    };
}

static int list_sources(struct trace_reuse *reuse)
{
    struct history *history = &reuse->history;
    struct trace_footprint *footprint = &reuse->footprint;
    if (reserve_sources(reuse, history->origin_count) != 0)
        return -1;
    history_sort(history);
    for (size_t i = 0; i < history->origin_count; i++) {
        uint32_t epoch = history->origins[i];
        footprint->fetched += history->epochs[epoch].fetched;
        const struct epoch *origin = &history->epochs[epoch];
        if (epoch == 0 || (origin->sectors == 0 && origin->made == 0))
            continue;
        struct trace_reuse_source source = make_source(history, epoch);
        *(source.copy ? &footprint->copied : &footprint->reused) += source.sectors;
        reuse->sources[footprint->source_count++] = source;
    }
    footprint->sources = reuse->sources;
    return 0;
}

int trace_reuse_launch(struct trace_reuse *reuse, struct trace_kernel *kernel,
                       const struct trace_reuse_watch *watch, struct trace_footprint *footprint,
                       struct error *err)
{
    reuse->footprint = (struct trace_footprint){0};
    if (history_begin(&reuse->history, reuse->copy_lines) != 0)
        return error_no_memory(err);
    reuse->copy_lines = 0;
    reuse->unwritten_count = 0;
    reuse->unsure.count = 0;
    int rc = read_blocks(reuse, kernel, watch, err);
    if (rc != 0)
        return rc;
    if (list_sources(reuse) != 0)
        return error_no_memory(err);
    unsure_end(reuse);
    history_end(&reuse->history);
    *footprint = reuse->footprint;
    return 0;
}

uint64_t trace_reuse_lines(const struct trace_reuse *reuse,
                           void (*each)(void *data, uint64_t address, uint8_t sectors),
                           void *data)
{
    uint64_t local = 0;
    for (size_t g = 0; g < reuse->table.count; g++) {
        const struct line_group *group = line_table_group(&reuse->table, g);
        for (uint32_t i = 0; i < GROUP_LINES; i++) {
            const struct touched_line *line = &group->lines[i];
            uint64_t number = group->number << GROUP_BITS | i;
            if (line->epoch != reuse->history.now || reuse->history.now == 0)
                continue;
            if (number & TOUCH_LOCAL)
                local++;
            else
                each(data, number << LINE_SHIFT, line->read | line->written);
        }
    }
    return local;
}

const uint64_t *trace_reuse_unwritten(struct trace_reuse *reuse, size_t *count)
{
    *count = reuse->unwritten_count;
    if (*count != 0)
        qsort(reuse->unwritten, *count, sizeof *reuse->unwritten, unsure_order);
    return reuse->unwritten;
}

const uint64_t *trace_reuse_unsure(const struct trace_reuse *reuse, size_t *count)
{
    *count = reuse->unsure.count;
    return reuse->unsure.sectors;
}

void trace_reuse_totals(const struct trace_reuse *reuse, struct trace_reuse_totals *totals)
{
    *totals = (struct trace_reuse_totals){
        .launches = reuse->history.now / 2,
        .lines = reuse->lines,
        .sectors = reuse->sectors,
        .memory = sizeof *reuse + line_table_memory(&reuse->table) +
                  reuse->copied.capacity * sizeof *reuse->copied.items +
                  (reuse->parts.slots != NULL ? reuse->parts.mask + 1 : 0) *
                      sizeof *reuse->parts.slots +
                  history_memory(&reuse->history) +
                  reuse->source_capacity * sizeof *reuse->sources +
                  reuse->unwritten_count * sizeof *reuse->unwritten +
                  reuse->unsure.capacity * sizeof *reuse->unsure.sectors,
    };
}
