#define _GNU_SOURCE /* asprintf */
#include "tracer/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/files/output_file.h"

static int failed(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

/* ---- files ------------------------------------------------------------- */

/* Opens FOLDER/NAME<INFIX>.csv. */
static FILE *open_table(char **path, const char *folder, const char *name, const char *infix,
                        struct error *err)
{
    if (asprintf(path, "%s/%s%s.csv", folder, name, infix) < 0) {
        *path = NULL;
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    FILE *file = output_file_create(*path);
    if (file == NULL)
        failed(*path, err);
    return file;
}

static struct trace_sink *open_packed(const struct tracer_options *options, const char *nvbit,
                                      const char *folder, const char *infix, struct error *err)
{
    const struct trace_writer_options packed = {
        .level = (int)options->level, .launch_groups = true, .keep = true, .replace = true};
    char *path;
    if (asprintf(&path, "%s/traces%s.packed", folder, infix) < 0) {
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    struct trace_sink *sink = trace_packed_sink_create(path, nvbit, &packed, err);
    free(path);
    return sink;
}

static struct trace_sink *open_text(const struct tracer_options *options, const char *nvbit,
                                    const char *folder, const char *infix,
                                    struct trace_code_file *code_file, bool beside,
                                    struct error *err)
{
    static const enum trace_compression compressions[] = {TRACE_PLAIN, TRACE_XZ, TRACE_ZST};
    const struct trace_text_options text = {
        .compression = compressions[options->file_compress],
        .nvbit = nvbit,
        .infix = infix,
        .incremental = true,
        .unlisted = beside,
        .all_addresses = !options->compress,
        .code = code_file,
    };
    return trace_text_sink_create(folder, &text, err);
}

static int begin_sink(struct trace_sink *sink, struct error *err)
{
    return sink != NULL ? sink->ops->begin(sink, "NVBit", err) : -1;
}

static int open_sinks(struct tracer_output *output, const char *nvbit, const char *folder,
                      const char *infix, struct trace_code_file *code_file, struct error *err)
{
    const struct tracer_options *options = output->options;
    bool text = options->format == TRACER_TEXT;
    output->main = text ? open_text(options, nvbit, folder, infix, code_file, false, err)
                        : open_packed(options, nvbit, folder, infix, err);
    if (begin_sink(output->main, err) != 0)
        return -1;
    if (!text || options->mode != TRACER_BOTH)
        return 0;
    output->beside = open_text(options, nvbit, folder, infix, code_file, true, err);
    return begin_sink(output->beside, err);
}

/* The header row is that of Accel-Sim's tracer. */
static int begin_stats(struct tracer_output *output, struct error *err)
{
    fputs("kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, "
          "block_dimX, block_dimY, block_dimZ, #threads, total_insts, total_reported_insts\n",
          output->stats);
    return fflush(output->stats) == 0 ? 0 : failed(output->stats_path, err);
}

static int begin_profile(struct tracer_output *output, struct error *err)
{
    struct profile *empty = profile_create(output->profile_path, err);
    int rc =
        empty != NULL ? profile_write(empty, output->profile, output->profile_path, err) : -1;
    profile_destroy(empty);
    if (rc == 0 && fflush(output->profile) != 0)
        rc = failed(output->profile_path, err);
    return rc;
}

int output_init(struct tracer_output *output, const struct tracer_options *options,
                const struct sass *code, const char *nvbit, const char *folder,
                const char *infix, struct trace_code_file *code_file, struct error *err)
{
    *output = (struct tracer_output){.options = options, .code = code};
    if (options->mode == TRACER_PROFILE) {
        output->profile = open_table(&output->profile_path, folder, "profile", infix, err);
        return output->profile != NULL ? begin_profile(output, err) : -1;
    }
    output->stats = open_table(&output->stats_path, folder, "stats", infix, err);
    if (output->stats == NULL || begin_stats(output, err) != 0)
        return -1;
    return open_sinks(output, nvbit, folder, infix, code_file, err);
}

static int end_sink(struct trace_sink **sink, struct error *err)
{
    int rc = *sink != NULL ? (*sink)->ops->end(*sink, err) : 0;
    trace_sink_destroy(*sink);
    *sink = NULL;
    return rc;
}

static int close_table(FILE **file, const char *path, struct error *err)
{
    FILE *table = *file;
    *file = NULL;
    return table == NULL || fclose(table) == 0 ? 0 : failed(path, err);
}

static int end_states(struct tracer_output *output, struct error *err)
{
    if (output->states == NULL)
        return 0;
    tracer_states_wait(output->states);
    return tracer_states_report(output->states, err);
}

int output_end(struct tracer_output *output, struct error *err)
{
    int rc = end_sink(&output->main, err);
    rc |= end_sink(&output->beside, err);
    rc |= close_table(&output->stats, output->stats_path, err);
    rc |= close_table(&output->profile, output->profile_path, err);
    rc |= end_states(output, err);
    return rc == 0 ? 0 : -1;
}

void output_finish(struct tracer_output *output)
{
    tracer_states_destroy(output->states);
    trace_sink_destroy(output->main);
    trace_sink_destroy(output->beside);
    close_table(&output->stats, NULL, NULL);
    close_table(&output->profile, NULL, NULL);
    free(output->stats_path);
    free(output->profile_path);
    *output = (struct tracer_output){0};
}

/* ---- launches ---------------------------------------------------------- */

/* Whether SINK gets only instructions that access memory. */
static bool is_memory_only(const struct tracer_output *output, const struct trace_sink *sink,
                           unsigned files)
{
    return sink == output->beside || sink == output->state || (files & SELECT_FULL) == 0;
}

/* Where a launch of FILES goes; NULL: not there. */
static struct trace_sink *main_of(const struct tracer_output *output, unsigned files)
{
    return (files & SELECT_TRACES) != 0 ? output->main : NULL;
}

static struct trace_sink *beside_of(const struct tracer_output *output, unsigned files)
{
    return (files & SELECT_TRACES) == SELECT_TRACES ? output->beside : NULL;
}

static int put_note(struct tracer_output *output, const char *note, struct error *err)
{
    return note != NULL ? output->main->ops->line(output->main, note, err) : 0;
}

/* Comments of the list about instructions that are new. */
static int note_insts(struct tracer_output *output, struct error *err)
{
    bool packed = output->options->format == TRACER_PACKED;
    for (; output->noted < output->code->count; output->noted++) {
        const struct sass_inst *inst = &output->code->items[output->noted];
        if (put_note(output, packed ? inst->note : NULL, err) != 0 ||
            put_note(output, inst->waits, err) != 0)
            return -1;
    }
    return 0;
}

static int begin_in(struct tracer_output *output, struct trace_sink *sink,
                    const struct trace_header *header, const struct trace_function *function,
                    unsigned files, struct error *err)
{
    if (sink == NULL)
        return 0;
    return sink->ops->begin_launch(sink, header, function, is_memory_only(output, sink, files),
                                   err);
}

int output_begin(struct tracer_output *output, const struct trace_header *header,
                 const struct trace_function *function, unsigned files, struct error *err)
{
    struct trace_sink *main = main_of(output, files);
    if ((main != NULL && note_insts(output, err) != 0) ||
        begin_in(output, main, header, function, files, err) != 0 ||
        begin_in(output, beside_of(output, files), header, function, files, err) != 0)
        return -1;
    output->state = output->states != NULL && (files & SELECT_STATES) != 0
                        ? tracer_states_begin(output->states, header)
                        : NULL;
    return 0;
}

int output_end_launch(struct tracer_output *output, unsigned files, struct error *err)
{
    struct trace_sink *sinks[] = {beside_of(output, files), main_of(output, files)};
    for (int i = 0; i < 2; i++)
        if (sinks[i] != NULL && sinks[i]->ops->end_launch(sinks[i], err) != 0)
            return -1;
    if (output->state != NULL)
        tracer_states_end_launch(output->states, (files & SELECT_SAVE) != 0,
                                 (files & SELECT_LAST) == 0);
    output->state = NULL;
    return 0;
}

int output_drop_launch(struct tracer_output *output, unsigned files, const char *why,
                       struct error *err)
{
    struct trace_sink *sinks[] = {beside_of(output, files), main_of(output, files)};
    for (int i = 0; i < 2; i++)
        if (sinks[i] != NULL && sinks[i]->ops->drop_launch(sinks[i], err) != 0)
            return -1;
    if (output->state == NULL)
        return 0;
    struct error lost;
    error_set(&lost, ERROR_TRACE, NULL, 0, 0, "%s", why);
    tracer_states_fail(output->states, &lost);
    output->state = NULL;
    return 0;
}

void output_copy(struct tracer_output *output, uint64_t address, uint64_t bytes)
{
    if (output->states != NULL)
        tracer_states_copy(output->states, address, bytes);
}

/* ---- blocks ------------------------------------------------------------ */

struct destination {
    const struct sass *code;
    struct trace_sink *sink;
    bool memory_only;
};

/* Makes the first COUNT words values. */
static void set_values(struct trace_sink_inst *inst, uint8_t count)
{
    inst->value_count = count;
    for (int i = 0; i < count; i++)
        inst->values[i] = (uint32_t)inst->words[i];
    if (count > 0)
        inst->mode = TRACE_ADDRESS_NONE;
}

/* The numbers of a record, of which WORDS has how many, and then they. */
static void set_tail(struct trace_sink_inst *inst, const uint64_t *words)
{
    inst->tail_count = (uint8_t)words[0];
    inst->tail = words + 1;
}

/* Hands a run of a warp's records on, for pool_read(). */
static int put_records(void *data, const uint64_t *words, size_t count, struct error *err)
{
    const struct destination *to = data;
    for (size_t i = 0; i < count; i += 1 + pool_words(words[i], words + i + 1)) {
        const struct sass_inst *code = &to->code->items[pool_inst(words[i])];
        if (to->memory_only && !(code->flags & SASS_IN_MEMORY))
            continue;
        struct trace_sink_inst inst = code->inst;
        inst.mask = pool_mask(words[i]);
        inst.mode = (uint8_t)pool_mode(words[i]);
        bool marked = pool_marked(words[i]);
        inst.active = marked ? (uint32_t)words[i + 1] : 0;
        inst.words = words + i + 1 + marked;
        if (inst.width == 0)
            set_values(&inst, code->values);
        else if (words[i] & POOL_TAIL)
            set_tail(&inst, inst.words + pool_addresses(words[i]));
        if (to->sink->ops->inst(to->sink, &inst, err) != 0)
            return -1;
    }
    return 0;
}

static int put_warp(struct destination *to, struct chunk_pool *pool,
                    const struct traced_block *block, uint32_t w, struct error *err)
{
    const struct trace_sink_ops *ops = to->sink->ops;
    const struct pool_warp *warp = &block->warps[w];
    if (ops->begin_warp(to->sink, w, to->memory_only ? warp->accesses : warp->insts, err) !=
            0 ||
        pool_read(pool, warp, put_records, to, err) != 0)
        return -1;
    return ops->end_warp(to->sink, err);
}

static int put_block(struct destination *to, struct chunk_pool *pool,
                     const struct trace_header *header, const struct traced_block *block,
                     uint32_t warps, struct error *err)
{
    const uint32_t *grid = header->grid;
    const uint32_t index[3] = {
        (uint32_t)(block->number % grid[0]),
        (uint32_t)(block->number / grid[0] % grid[1]),
        (uint32_t)(block->number / grid[0] / grid[1]),
    };
    if (to->sink->ops->begin_block(to->sink, index, err) != 0)
        return -1;
    for (uint32_t w = 0; block->warps != NULL && w < warps; w++)
        if (put_warp(to, pool, block, w, err) != 0)
            return -1;
    return to->sink->ops->end_block(to->sink, err);
}

int output_block(struct tracer_output *output, struct chunk_pool *pool,
                 const struct trace_header *header, unsigned files,
                 const struct traced_block *block, uint32_t warps, struct error *err)
{
    struct trace_sink *sinks[] = {main_of(output, files), beside_of(output, files),
                                  output->state};
    for (int i = 0; i < 3; i++) {
        struct destination to = {output->code, sinks[i],
                                 is_memory_only(output, sinks[i], files)};
        if (sinks[i] == NULL || put_block(&to, pool, header, block, warps, err) == 0)
            continue;
        if (sinks[i] != output->state)
            return -1;
        tracer_states_fail(output->states, err); /* the traces go on */
        output->state = NULL;
    }
    return 0;
}

/* ---- tables ------------------------------------------------------------ */

int output_stats(struct tracer_output *output, const struct trace_header *header,
                 uint64_t insts, uint64_t reported, struct error *err)
{
    const uint32_t *grid = header->grid, *block = header->block;
    fprintf(output->stats,
            "kernel-%" PRIu64 ".trace, %s, %u, %u, %u, %" PRIu64 ", %u, %u, %u, %u, %" PRIu64
            ",%" PRIu64 "\n",
            header->id, header->name, grid[0], grid[1], grid[2],
            (uint64_t)grid[0] * grid[1] * grid[2], block[0], block[1], block[2],
            block[0] * block[1] * block[2], insts, reported);
    return fflush(output->stats) == 0 ? 0 : failed(output->stats_path, err);
}

/* What counting on the GPU gives of a row. */
static void fill_row(struct profile_row *row, const struct trace_header *header,
                     const struct tracer_counts *counts)
{
    *row = (struct profile_row){
        .known = ((UINT64_C(1) << PROFILE_COLUMNS) - 1) &
                 ~(PROFILE_BIT(PROFILE_CTA_INSTS_COV) | PROFILE_BIT(PROFILE_CYCLES) |
                   PROFILE_BIT(PROFILE_TIME_NS)),
        .launch = header->id,
        .stream = header->stream,
        .regs = header->regs,
        .shmem = header->shmem,
        .warp_insts = counts->warp_insts,
        .thread_insts = counts->thread_insts,
        .gld_sectors = counts->gld_sectors,
        .gst_sectors = counts->gst_sectors,
        .lld_sectors = counts->lld_sectors,
        .gld_insts = counts->gld_insts,
        .gst_insts = counts->gst_insts,
        .lld_insts = counts->lld_insts,
        .sld_insts = counts->sld_insts,
        .sst_insts = counts->sst_insts,
        .gatom_insts = counts->gatom_insts,
        .mem_requests = counts->mem_requests,
        .gld_insts_on = counts->gld_insts_on,
        .gst_insts_on = counts->gst_insts_on,
    };
    memcpy(row->grid, header->grid, sizeof row->grid);
    memcpy(row->block, header->block, sizeof row->block);
    if (counts->warp_insts == 0)
        row->known &= ~PROFILE_BIT(PROFILE_DIVERGENCE);
    else
        row->divergence = (double)counts->thread_insts / (double)counts->warp_insts;
}

int output_profile(struct tracer_output *output, const struct trace_header *header,
                   const struct tracer_counts *counts, struct error *err)
{
    struct profile *profile = profile_create(output->profile_path, err);
    struct profile_row row;
    fill_row(&row, header, counts);
    int rc = -1;
    if (profile != NULL) {
        row.kernel = profile_kernel(profile, header->name, err);
        if (row.kernel != UINT32_MAX && profile_add(profile, &row, err) == 0)
            rc = profile_write_rows(profile, output->profile, output->profile_path, err);
    }
    profile_destroy(profile);
    if (rc == 0 && fflush(output->profile) != 0)
        rc = failed(output->profile_path, err);
    return rc;
}
