#include "tests/tracer/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/split_mix.h"
#include "traces/synth/synth_workloads.h"

#define BATCH    (1u << 16)
#define BUCKETS  4096
#define RESIDENT 8

/* An instruction that the tracer knows. */
struct known {
    struct known *next;
    struct trace_sink_inst inst;
    char *function;
    uint32_t version, number;
    bool unsent;
};

/* Records of a warp that have not been sent: whole ones. */
struct sent {
    uint8_t *data;
    size_t size, room, at;
};

struct resident {
    uint64_t block;
    uint32_t left; /* warps that have something */
    struct sent *warps;
};

struct feed {
    struct trace_sink base;
    bool looks; /* only to find instructions, into `found` */
    struct known **found;
    size_t found_count;
    struct tracer *tracer;
    struct feed_options options;
    struct known *known[BUCKETS];
    uint64_t drawn, launches, batches;
    uint32_t number, warps, warp, threads;
    uint32_t *open;
    size_t open_count;
    const struct trace_header *header;
    bool wanted;
    struct resident *blocks;
    uint32_t block_count;
    uint8_t *batch;
    size_t batch_size;
};

static struct feed *of(struct trace_sink *sink)
{
    return (struct feed *)sink;
}

static uint64_t draw(struct feed *feed)
{
    return split_mix(feed->options.seed, feed->drawn++);
}

/* ---- sending ----------------------------------------------------------- */

static int flush(struct feed *feed, struct error *err)
{
    size_t size = feed->batch_size;
    feed->batch_size = 0;
    if (tracer_records(feed->tracer, feed->batch, size, err) != 0)
        return -1;
    if (++feed->batches == feed->options.stop)
        feed->options.stopped(feed->options.data);
    return 0;
}

static int send(struct feed *feed, const uint8_t *record, size_t size, struct error *err)
{
    if (feed->batch_size + size > BATCH && flush(feed, err) != 0)
        return -1;
    memcpy(feed->batch + feed->batch_size, record, size);
    feed->batch_size += size;
    return 0;
}

/* Sends the next record of any warp of BLOCK that has one. */
static int step(struct feed *feed, struct resident *block, struct error *err)
{
    struct sent *warp = &block->warps[draw(feed) % feed->warps];
    if (warp->at == warp->size)
        return 0;
    struct tracer_record record;
    memcpy(&record, warp->data + warp->at, sizeof record);
    if (send(feed, warp->data + warp->at, record.size, err) != 0)
        return -1;
    warp->at += record.size;
    block->left -= warp->at == warp->size;
    return 0;
}

static void finish_block(struct feed *feed, uint32_t i)
{
    for (uint32_t w = 0; w < feed->warps; w++)
        free(feed->blocks[i].warps[w].data);
    free(feed->blocks[i].warps);
    feed->blocks[i] = feed->blocks[--feed->block_count];
}

/* Goes on in random order until at most COUNT blocks run. */
static int run_down(struct feed *feed, uint32_t count, struct error *err)
{
    while (feed->block_count > count) {
        uint32_t i = (uint32_t)(draw(feed) % feed->block_count);
        if (feed->blocks[i].left > 0 && step(feed, &feed->blocks[i], err) != 0)
            return -1;
        if (feed->blocks[i].left == 0)
            finish_block(feed, i);
    }
    return 0;
}

/* ---- the sink ---------------------------------------------------------- */

static int begin(struct trace_sink *sink, const char *note, struct error *err)
{
    for (uint64_t c = 0; !of(sink)->looks && c < of(sink)->options.contexts; c++)
        if (tracer_context(of(sink)->tracer, 0xc0de + c, err) < 0)
            return -1;
    return 0;
}

static uint32_t context_of(const struct feed *feed, uint64_t launch)
{
    return (uint32_t)(launch % feed->options.contexts);
}

static int copy(struct trace_sink *sink, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err)
{
    struct feed *feed = of(sink);
    if (feed->looks)
        return 0;
    if (feed->options.sets && !to_host) {
        char text[64];
        snprintf(text, sizeof text, "# set 0x%016" PRIx64 " %" PRIu64, address, bytes);
        return tracer_note(feed->tracer, context_of(feed, feed->launches), text, err);
    }
    return tracer_copy(feed->tracer, context_of(feed, feed->launches), to_host, address, bytes,
                       err);
}

static int line(struct trace_sink *sink, const char *text, struct error *err)
{
    return 0;
}

static int begin_launch(struct trace_sink *sink, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err)
{
    struct feed *feed = of(sink);
    unsigned wanted;
    feed->header = header;
    if (feed->looks)
        return 0;
    struct tracer_launch launch = {
        .context = context_of(feed, feed->launches),
        .name = header->name,
        .shmem = header->shmem,
        .regs = header->regs,
        .binary_version = header->binary_version,
        .stream = feed->launches % feed->options.streams,
        .shmem_base = header->shmem_base,
        .local_base = header->local_base,
        .carveout = -1,
    };
    memcpy(launch.grid, header->grid, sizeof launch.grid);
    memcpy(launch.block, header->block, sizeof launch.block);
    feed->launches++;
    feed->threads = launch.block[0] * launch.block[1] * launch.block[2];
    feed->warps = (feed->threads + 31) / 32;
    if (tracer_begin_launch(feed->tracer, &launch, &feed->number, &wanted, err) != 0)
        return -1;
    feed->wanted = wanted != TRACER_WANT_NOTHING;
    return 0;
}

static int begin_block(struct trace_sink *sink, const uint32_t index[3], struct error *err)
{
    struct feed *feed = of(sink);
    const uint32_t *grid = feed->header->grid;
    if (feed->looks)
        return 0;
    if (run_down(feed, feed->options.resident - 1, err) != 0)
        return -1;
    feed->blocks[feed->block_count++] = (struct resident){
        .block = index[0] + grid[0] * (index[1] + (uint64_t)grid[1] * index[2]),
        .warps = calloc(feed->warps, sizeof(struct sent)),
    };
    return 0;
}

static int begin_warp(struct trace_sink *sink, uint32_t warp, uint64_t insts, struct error *err)
{
    of(sink)->warp = warp;
    return 0;
}

static bool is_same(const struct known *known, const struct trace_sink_inst *b,
                    const char *function)
{
    const struct trace_sink_inst *a = &known->inst;
    return a->pc == b->pc && a->imm == b->imm && a->width == b->width &&
           a->dst_count == b->dst_count && a->src_count == b->src_count &&
           memcmp(a->dst, b->dst, a->dst_count) == 0 &&
           memcmp(a->src, b->src, a->src_count) == 0 && strcmp(a->opcode, b->opcode) == 0 &&
           strcmp(known->function, function) == 0;
}

/* Tells the tracer of an instruction. */
static int tell(const struct feed *feed, struct known *known, struct error *err)
{
    const struct trace_sink_inst *inst = &known->inst;
    struct tracer_inst made = {
        .function = known->function,
        .opcode = inst->opcode,
        .predicates = inst->pc % 64 == 0 ? "@!P0" : NULL,
        .imm = inst->imm,
        .pc = inst->pc,
        .binary_version = known->version,
        .memory = inst->width != 0,
        .unsent = known->unsent,
        .dst_count = inst->dst_count,
        .src_count = inst->src_count,
    };
    memcpy(made.dst, inst->dst, sizeof made.dst);
    memcpy(made.src, inst->src, sizeof made.src);
    known->number = tracer_add_inst(feed->tracer, &made, err);
    return known->number != UINT32_MAX ? 0 : -1;
}

static struct known *find(struct feed *feed, const struct trace_sink_inst *inst,
                          struct error *err)
{
    struct known **at = &feed->known[inst->pc / 16 % BUCKETS];
    for (; *at != NULL; at = &(*at)->next)
        if (is_same(*at, inst, feed->header->name))
            return *at;
    struct known *known = *at = calloc(1, sizeof *known);
    known->inst = *inst;
    known->inst.opcode = strdup(inst->opcode);
    known->function = strdup(feed->header->name);
    known->version = feed->header->binary_version;
    known->unsent =
        feed->options.memory && inst->width == 0 && strncmp(inst->opcode, "EXIT", 4) != 0;
    if (!feed->looks)
        return tell(feed, known, err) == 0 ? known : NULL;
    feed->found = reallocarray(feed->found, feed->found_count + 1, sizeof *feed->found);
    feed->found[feed->found_count++] = known;
    return known;
}

static int by_place(const void *a, const void *b)
{
    const struct known *x = *(struct known *const *)a, *y = *(struct known *const *)b;
    int order = strcmp(x->function, y->function);
    return order != 0 ? order : (x->inst.pc > y->inst.pc) - (x->inst.pc < y->inst.pc);
}

/* The tool adds all instructions of a function before its first launch. */
static int tell_all(struct feed *feed, struct error *err)
{
    qsort(feed->found, feed->found_count, sizeof *feed->found, by_place);
    for (size_t i = 0; i < feed->found_count; i++)
        if (tell(feed, feed->found[i], err) != 0)
            return -1;
    feed->looks = false;
    return 0;
}

static uint32_t lanes_of(const struct feed *feed)
{
    uint32_t left = feed->threads - feed->warp * 32;
    return left >= 32 ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

/* Fills the words of a record, in either form where there are two. Returns how
 * many. */
static unsigned fill_words(struct feed *feed, struct tracer_record *record,
                           const struct trace_sink_inst *inst, uint64_t *words)
{
    unsigned lanes = (unsigned)__builtin_popcount(inst->mask);
    if (inst->width == 0 || inst->mask == 0)
        return 0;
    if (inst->mode == TRACE_ADDRESS_STRIDE && draw(feed) % 2 == 0) {
        record->flags = TRACER_RECORD_STRIDE;
        memcpy(words, inst->words, 2 * sizeof *words);
        return 2;
    }
    for (unsigned i = 0; i < lanes; i++)
        words[i] = inst->mode == TRACE_ADDRESS_STRIDE ? inst->words[0] + i * inst->words[1]
                                                      : inst->words[i];
    return lanes;
}

static void append(struct sent *warp, const void *data, size_t size)
{
    if (warp->size + size > warp->room) {
        warp->room = 2 * (warp->size + size);
        warp->data = realloc(warp->data, warp->room);
    }
    memcpy(warp->data + warp->size, data, size);
    warp->size += size;
}

static int inst(struct trace_sink *sink, const struct trace_sink_inst *inst, struct error *err)
{
    struct feed *feed = of(sink);
    struct resident *block = &feed->blocks[feed->block_count - 1];
    uint64_t words[TRACER_RECORD_WORDS];
    struct known *known = feed->looks || feed->wanted ? find(feed, inst, err) : NULL;
    if (feed->looks || !feed->wanted || (known != NULL && known->unsent))
        return 0;
    if (known == NULL)
        return -1;
    struct tracer_record record = {
        .kind = TRACER_RECORD_INST,
        .launch = feed->number,
        .block = block->block,
        .inst = known->number,
        .warp = (uint16_t)feed->warp,
        .active = lanes_of(feed),
        .predicate = inst->mask,
    };
    unsigned count = fill_words(feed, &record, inst, words);
    record.size = (uint16_t)(sizeof record + count * sizeof *words);
    struct sent *warp = &block->warps[feed->warp];
    block->left += warp->size == 0;
    append(warp, &record, sizeof record);
    append(warp, words, count * sizeof *words);
    return 0;
}

static int end_warp(struct trace_sink *sink, struct error *err)
{
    return 0;
}

static int end_block(struct trace_sink *sink, struct error *err)
{
    return 0;
}

static int end_launch(struct trace_sink *sink, struct error *err)
{
    struct feed *feed = of(sink);
    if (feed->looks)
        return 0;
    if (run_down(feed, 0, err) != 0 || flush(feed, err) != 0)
        return -1;
    if (!feed->options.open)
        return feed->wanted ? tracer_end_launch(feed->tracer, feed->number, err) : 0;
    feed->open = reallocarray(feed->open, feed->open_count + 1, sizeof *feed->open);
    feed->open[feed->open_count++] = feed->number;
    return 0;
}

/* Those that stayed open end last first, as no driver would. */
static int end(struct trace_sink *sink, struct error *err)
{
    struct feed *feed = of(sink);
    while (feed->open_count > 0)
        if (tracer_end_launch(feed->tracer, feed->open[--feed->open_count], err) != 0)
            return -1;
    return 0;
}

static void destroy(struct trace_sink *sink)
{
    struct feed *feed = of(sink);
    while (feed->block_count > 0)
        finish_block(feed, 0);
    for (size_t b = 0; b < BUCKETS; b++)
        for (struct known *next, *k = feed->known[b]; k != NULL; k = next) {
            next = k->next;
            free((char *)k->inst.opcode);
            free(k->function);
            free(k);
        }
    free(feed->found);
    free(feed->blocks);
    free(feed->batch);
    free(feed->open);
    free(feed);
}

struct trace_sink *feed_create(struct tracer *tracer, const struct feed_options *options)
{
    static const struct trace_sink_ops ops = {
        begin, copy,     line,      begin_launch, begin_block, begin_warp,
        inst,  end_warp, end_block, end_launch,   end,         destroy,
    };
    struct feed *feed = calloc(1, sizeof *feed);
    feed->base.ops = &ops;
    feed->tracer = tracer;
    if (options != NULL)
        feed->options = *options;
    if (feed->options.resident == 0)
        feed->options.resident = RESIDENT;
    if (feed->options.contexts == 0)
        feed->options.contexts = 1;
    if (feed->options.streams == 0)
        feed->options.streams = 1;
    feed->blocks = calloc(feed->options.resident, sizeof *feed->blocks);
    feed->batch = malloc(BATCH);
    return &feed->base;
}

int feed_run(struct tracer *tracer, const char *name, double scale,
             const struct feed_options *options, struct error *err)
{
    const struct trace_synth_options synth = {scale, 1, "sm_86"};
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && (i == 0 || (options != NULL && i < options->repeats));
         i++) {
        struct trace_sink *sink = feed_create(tracer, options);
        of(sink)->looks = true;
        rc = trace_synth(name, &synth, sink, err);
        if (rc == 0 && tell_all(of(sink), err) == 0)
            rc = trace_synth(name, &synth, sink, err);
        else
            rc = -1;
        trace_sink_destroy(sink);
    }
    return rc;
}
