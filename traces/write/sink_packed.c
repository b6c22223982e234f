/* A sink that packs: what it writes is what packing the text of sink_text.c
 * would give. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/functions/functions.h"
#include "traces/opcodes/opcode.h"
#include "traces/packed/models/template.h"
#include "traces/packed/output.h"
#include "traces/sink.h"
#include "traces/traces.h"
#include "traces/write/sink_line.h"

#define RECENT 4096 /* a power of two */

/* An instruction of the current launch. */
struct known_inst {
    struct trace_sink_inst inst; /* its static fields */
    uint32_t number;             /* in the group's code; MAP_NONE: not there yet */
};

/* A record of the current warp. */
struct pending_record {
    uint32_t known, mask, active;
    size_t words;
    uint8_t mode;
};

struct packed_sink {
    struct trace_sink base;
    struct packed_output output;
    struct sink_origin origin;
    struct functions functions; /* that were written */
    uint64_t grid[3];
    bool lineinfo;
    const struct opcode_table *opcodes;
    struct map by_key;
    uint32_t recent[RECENT]; /* by program counter: 1 + the last that was found; 0: none */
    struct known_inst *known;
    uint32_t known_count, known_capacity;
    uint64_t group; /* that their numbers are of */
    struct pending_record *records;
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
    uint32_t warp;
    uint64_t total; /* records of the warp, or TRACE_SINK_UNKNOWN */
    bool started;   /* pieces of it have been written */
    struct piece piece;
    struct bytes tail; /* of a record, as a template */
};

static struct packed_sink *of(struct trace_sink *sink)
{
    return (struct packed_sink *)sink;
}

/* Makes room in ARRAY, of elements of SIZE bytes, for MORE elements after COUNT. */
static bool reserve(void *array, size_t count, size_t more, size_t *capacity, size_t size)
{
    void **at = array;
    if (count + more <= *capacity)
        return true;
    size_t wanted = 2 * (count + more);
    void *larger = reallocarray(*at, wanted, size);
    if (larger == NULL)
        return false;
    *at = larger;
    *capacity = wanted;
    return true;
}

static int line(struct trace_sink *base, const char *text, struct error *err)
{
    return packed_writer_line(of(base)->output.writer, text, strlen(text), err);
}

static int begin(struct trace_sink *base, const char *note, struct error *err)
{
    struct packed_sink *sink = of(base);
    char text[SINK_LINE_ROOM];
    if (sink_origin_begin(&sink->origin, note, text, sizeof text) != 0)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    return line(base, text, err);
}

static int copy(struct trace_sink *base, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err)
{
    char text[64];
    sink_line_copy(text, sizeof text, to_host, address, bytes);
    return line(base, text, err);
}

/* Adds the code of the launch that begins under NAME. */
static int put_function(struct packed_sink *sink, const char *name,
                        const struct trace_function *function, struct error *err)
{
    struct bytes text = {0};
    int rc = functions_write(&sink->functions, function, name, &text)
                 ? 0
                 : error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (rc == 0 && text.size > 0)
        rc = packed_writer_functions(sink->output.writer, text.data, text.size, err);
    bytes_finish(&text);
    return rc;
}

static int begin_launch(struct trace_sink *base, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err)
{
    struct packed_sink *sink = of(base);
    char name[64];
    bool exact;
    size_t length;
    sink_line_name(name, sizeof name, header->id, memory_only, "");
    if (function != NULL && put_function(sink, name, function, err) != 0)
        return -1;
    char *text = sink_line_header(header, &sink->origin, &length, err);
    if (text == NULL)
        return -1;
    for (int i = 0; i < 3; i++)
        sink->grid[i] = header->grid[i];
    sink->lineinfo = header->lineinfo;
    sink->opcodes = opcode_table_for(header->binary_version, &exact);
    map_finish(&sink->by_key);
    memset(sink->recent, 0, sizeof sink->recent);
    sink->known_count = 0;
    uint32_t threads = header->block[0] * header->block[1] * header->block[2];
    int rc = packed_writer_begin_launch(sink->output.writer, name, text, length,
                                        (threads + 31) / 32, err);
    free(text);
    return rc;
}

static int send(struct packed_sink *sink, struct event event, enum layout_place place,
                struct error *err)
{
    const char *text = layouts_standard(place);
    return packed_writer_event(sink->output.writer, &event, text, strlen(text), err);
}

static int begin_block(struct trace_sink *base, const uint32_t index[3], struct error *err)
{
    struct packed_sink *sink = of(base);
    uint64_t number = (index[2] * sink->grid[1] + index[1]) * sink->grid[0] + index[0];
    return send(sink, (struct event){.kind = EVENT_BLOCK, .value = number}, LAYOUT_BLOCK, err);
}

static int begin_warp(struct trace_sink *base, uint32_t warp, uint64_t insts, struct error *err)
{
    struct packed_sink *sink = of(base);
    sink->warp = warp;
    sink->total = insts;
    sink->started = false;
    sink->count = sink->word_count = 0;
    return 0;
}

/* ---- records ----------------------------------------------------------- */

static uint64_t key_of(const struct trace_sink_inst *inst)
{
    uint64_t key = map_key(inst->pc, (uint64_t)inst->imm << 32 | inst->width) + inst->line;
    key += (uint64_t)inst->tail_count << 32;
    key = XXH3_64bits_withSeed(inst->dst, inst->dst_count, key);
    key = XXH3_64bits_withSeed(inst->src, inst->src_count, key + inst->dst_count);
    key = XXH3_64bits_withSeed(inst->values, inst->value_count * sizeof *inst->values, key);
    return XXH3_64bits_withSeed(inst->opcode, strlen(inst->opcode), key);
}

static bool is_same(const struct trace_sink_inst *a, const struct trace_sink_inst *b)
{
    return a->pc == b->pc && a->imm == b->imm && a->width == b->width && a->line == b->line &&
           a->value_count == b->value_count &&
           memcmp(a->values, b->values, a->value_count * sizeof *a->values) == 0 &&
           a->dst_count == b->dst_count && a->src_count == b->src_count &&
           memcmp(a->dst, b->dst, a->dst_count) == 0 &&
           memcmp(a->src, b->src, a->src_count) == 0 && a->tail_count == b->tail_count &&
           (a->opcode == b->opcode || strcmp(a->opcode, b->opcode) == 0);
}

/* The launch's number of an instruction; MAP_NONE when memory ran out. */
static uint32_t look_up(struct packed_sink *sink, const struct trace_sink_inst *inst)
{
    uint64_t key = key_of(inst);
    for (uint32_t i; (i = map_get(&sink->by_key, key)) != MAP_NONE; key++)
        if (is_same(&sink->known[i].inst, inst))
            return i;
    size_t capacity = sink->known_capacity;
    if (!reserve(&sink->known, sink->known_count, 1, &capacity, sizeof *sink->known))
        return MAP_NONE;
    sink->known_capacity = (uint32_t)capacity;
    sink->known[sink->known_count] = (struct known_inst){*inst, MAP_NONE};
    if (!map_set(&sink->by_key, key, sink->known_count))
        return MAP_NONE;
    return sink->known_count++;
}

/* The same, mostly without a hash: warps execute the same instructions over and over. */
static uint32_t find(struct packed_sink *sink, const struct trace_sink_inst *inst)
{
    uint32_t *recent = &sink->recent[inst->pc / 16 % RECENT];
    if (*recent != 0 && is_same(&sink->known[*recent - 1].inst, inst))
        return *recent - 1;
    uint32_t number = look_up(sink, inst);
    *recent = number != MAP_NONE ? number + 1 : 0;
    return number;
}

/* Whether records of INST stand in the memory stream, and whether with
 * addresses. */
static uint8_t flags_of(const struct packed_sink *sink, const struct trace_sink_inst *inst)
{
    struct trace_inst meaning = {0};
    if (inst->width != 0)
        return CODE_ADDRESSES | CODE_MEMORY;
    opcode_decode(sink->opcodes, inst->opcode, strlen(inst->opcode), 0, &meaning);
    return meaning.flags & TRACE_INST_EXIT ? CODE_MEMORY : 0;
}

/* Takes the numbers out of the tail of INST's line, whose template goes to SINK->tail. */
static void split_tail(struct packed_sink *sink, const struct trace_sink_inst *inst,
                       uint64_t numbers[TEMPLATE_MAX_NUMBERS])
{
    char text[SINK_LINE_ROOM];
    sink->tail.size = 0;
    template_split(text, (size_t)(sink_line_tail(text, inst) - text), &sink->tail, numbers);
}

/* Adds an instruction to the group's code, in the form that a line of it has. */
static uint32_t add_inst(struct packed_sink *sink, struct code *code,
                         const struct trace_sink_inst *inst)
{
    char text[SINK_LINE_ROOM];
    char *post = sink_line_pre(text, inst, sink->lineinfo), *tail = sink_line_post(post, inst);
    bool numbers = inst->tail_count > 0; /* they are in sink->tail */
    struct code_text parts = {
        .text = {text, post, tail},
        .length = {(size_t)(post - text), (size_t)(tail - post),
                   (size_t)(sink_line_tail(tail, inst) - tail)},
        .flags = flags_of(sink, inst),
    };
    if (numbers) {
        parts.text[2] = (const char *)sink->tail.data;
        parts.length[2] = sink->tail.size;
        parts.flags |= CODE_DYNAMIC;
    }
    return code_add(code, &parts);
}

static size_t address_words(const struct trace_sink_inst *inst)
{
    if (inst->width == 0 || inst->mask == 0)
        return 0;
    return inst->mode == TRACE_ADDRESS_STRIDE ? 2 : (size_t)__builtin_popcount(inst->mask);
}

/* The record as its line would be read. */
static bool add_record(struct packed_sink *sink, struct code *code,
                       const struct pending_record *record)
{
    struct known_inst *known = &sink->known[record->known];
    uint64_t addresses[32] = {0}, numbers[TEMPLATE_MAX_NUMBERS];
    struct trace_sink_inst inst = known->inst;
    struct piece_mode mode = {0};
    inst.mask = record->mask;
    inst.mode = record->mode;
    inst.words = sink->words != NULL ? sink->words + record->words : NULL;
    if (inst.tail_count > 0) {
        inst.tail = inst.words + address_words(&inst);
        split_tail(sink, &inst, numbers);
    }
    if (known->number == MAP_NONE)
        known->number = add_inst(sink, code, &inst);
    if (known->number == MAP_NONE || sink->tail.failed)
        return false;
    if (inst.width != 0)
        mode.mode = sink_line_is_stride(&inst) ? 1 : 2;
    bool stride = inst.mode == TRACE_ADDRESS_STRIDE;
    int lanes = inst.width != 0 ? __builtin_popcount(inst.mask) : 0;
    for (int i = 0; i < lanes; i++)
        addresses[i] = stride ? inst.words[0] + (uint64_t)i * inst.words[1] : inst.words[i];
    mode.base = addresses[0];
    mode.stride = mode.mode == 1 && lanes > 0 ? inst.words[1] : 0;
    if (!piece_add(&sink->piece, code, known->number, inst.mask, &mode, addresses, numbers))
        return false;
    if (record->active != 0)
        sink->piece.actives[sink->piece.count - 1] = record->active;
    return true;
}

/* A new group starts over with its code. */
static void follow_group(struct packed_sink *sink)
{
    uint64_t group = packed_writer_group(sink->output.writer);
    if (group == sink->group)
        return;
    for (uint32_t i = 0; i < sink->known_count; i++)
        sink->known[i].number = MAP_NONE;
    sink->group = group;
}

static int put_piece(struct packed_sink *sink, const struct pending_record *records,
                     size_t count, struct error *err)
{
    struct code *code = packed_writer_code(sink->output.writer);
    follow_group(sink);
    piece_clear(&sink->piece);
    for (size_t i = 0; i < count; i++)
        if (!add_record(sink, code, &records[i]))
            return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    return packed_writer_piece(sink->output.writer, &sink->piece, err);
}

/* Writes all pending records of the warp, of whose TOTAL they are some. */
static int put_records(struct packed_sink *sink, uint64_t total, struct error *err)
{
    struct event event = {.kind = total > PIECE_MOST ? EVENT_LONG : EVENT_WARP,
                          .value = sink->warp,
                          .total = total};
    for (size_t done = 0; done < sink->count || !sink->started;) {
        size_t n = sink->count - done < PIECE_MOST ? sink->count - done : PIECE_MOST;
        if (sink->started)
            event.kind = EVENT_MORE;
        if (send(sink, event, LAYOUT_WARP, err) != 0 ||
            put_piece(sink, n > 0 ? sink->records + done : NULL, n, err) != 0)
            return -1;
        done += n;
        sink->started = true;
    }
    sink->count = sink->word_count = 0;
    return 0;
}

static int inst(struct trace_sink *base, const struct trace_sink_inst *inst, struct error *err)
{
    struct packed_sink *sink = of(base);
    uint32_t known = find(sink, inst);
    size_t words = address_words(inst), tail = (inst->tail_count + 1u) / 2;
    if (known == MAP_NONE ||
        !reserve(&sink->records, sink->count, 1, &sink->capacity, sizeof *sink->records) ||
        !reserve(&sink->words, sink->word_count, words + tail, &sink->word_capacity,
                 sizeof *sink->words))
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    sink->records[sink->count++] =
        (struct pending_record){known, inst->mask, inst->active, sink->word_count, inst->mode};
    if (words > 0)
        memcpy(sink->words + sink->word_count, inst->words, words * sizeof *sink->words);
    if (tail > 0)
        memcpy(sink->words + sink->word_count + words, inst->tail, tail * sizeof *inst->tail);
    sink->word_count += words + tail;
    if (sink->total != TRACE_SINK_UNKNOWN && sink->count == PIECE_MOST)
        return put_records(sink, sink->total, err);
    return 0;
}

static int end_warp(struct trace_sink *base, struct error *err)
{
    struct packed_sink *sink = of(base);
    return put_records(sink, sink->total != TRACE_SINK_UNKNOWN ? sink->total : sink->count,
                       err);
}

/* ---- all --------------------------------------------------------------- */

static int end_block(struct trace_sink *base, struct error *err)
{
    return send(of(base), (struct event){.kind = EVENT_END}, LAYOUT_END, err);
}

static int end_launch(struct trace_sink *base, struct error *err)
{
    return packed_writer_end_launch(of(base)->output.writer, "", 0, err);
}

static int drop_launch(struct trace_sink *base, struct error *err)
{
    return packed_writer_drop_launch(of(base)->output.writer, err);
}

static int end(struct trace_sink *base, struct error *err)
{
    return packed_output_end(&of(base)->output, err);
}

static void destroy(struct trace_sink *base)
{
    struct packed_sink *sink = of(base);
    packed_output_finish(&sink->output);
    map_finish(&sink->by_key);
    piece_finish(&sink->piece);
    sink_origin_finish(&sink->origin);
    bytes_finish(&sink->tail);
    functions_finish(&sink->functions);
    free(sink->known);
    free(sink->records);
    free(sink->words);
    free(sink);
}

static const struct trace_sink_ops ops = {
    begin,    copy,      line,       begin_launch, begin_block, begin_warp,  inst,
    end_warp, end_block, end_launch, end,          destroy,     drop_launch,
};

struct trace_sink *trace_packed_sink_create(const char *path, const char *nvbit,
                                            const struct trace_writer_options *options,
                                            struct error *err)
{
    static const struct trace_writer_options standard = {0};
    struct packed_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL || piece_init(&sink->piece) != 0) {
        free(sink);
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    sink->base.ops = &ops;
    if (sink_origin_init(&sink->origin, nvbit) != 0)
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
    else if (packed_output_init(&sink->output, path, options != NULL ? options : &standard,
                                err) == 0)
        return &sink->base;
    destroy(&sink->base);
    return NULL;
}
