#define _GNU_SOURCE /* asprintf */
#include "tracer/output/output.h"

#include <stdio.h>
#include <stdlib.h>

#include "tracer/output/tables.h"

/* ---- files ------------------------------------------------------------- */

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

int output_init(struct tracer_output *output, const struct tracer_options *options,
                struct sass *code, const char *nvbit, const char *folder, const char *infix,
                struct trace_code_file *code_file, struct error *err)
{
    *output = (struct tracer_output){.options = options, .code = code};
    if (options->mode == TRACER_PROFILE)
        return tables_begin_profile(output, folder, infix, err);
    if (tables_begin_stats(output, folder, infix, err) != 0)
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
    rc |= tables_end(output, err);
    rc |= end_states(output, err);
    return rc == 0 ? 0 : -1;
}

void output_finish(struct tracer_output *output)
{
    tracer_states_destroy(output->states);
    trace_sink_destroy(output->main);
    trace_sink_destroy(output->beside);
    tables_finish(output);
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

void output_copy(struct tracer_output *output, uint64_t address, uint64_t bytes, bool on_device)
{
    if (output->states != NULL)
        tracer_states_copy(output->states, address, bytes, on_device);
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

/* The numbers of a record; WORDS is how many they are, and then the numbers. */
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
