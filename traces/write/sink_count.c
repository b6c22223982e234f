/* A sink that counts. */
#include <stdlib.h>
#include <string.h>

#include "traces/sink.h"
#include "traces/traces.h"

#define LINE_SHIFT 7  /* 128-byte lines */
#define PAGE_SHIFT 21 /* bits are kept in pages of 2 MiB of addresses */
#define PAGE_WORDS ((1u << (PAGE_SHIFT - LINE_SHIFT)) / 64)

struct page {
    uint64_t number;
    uint64_t bits[PAGE_WORDS];
};

struct count_sink {
    struct trace_sink base;
    struct trace_sink_counts *counts;
    struct trace_sink *next;
    struct page **pages; /* by ascending number */
    size_t page_count;
    struct page *last; /* where the last access was */
    char **names;      /* of the kernels so far */
    size_t name_count;
};

static struct count_sink *of(struct trace_sink *sink)
{
    return (struct count_sink *)sink;
}

/* Passes a hook on. */
#define PASS(sink, hook, ...)                                                                  \
    (of(sink)->next == NULL ? 0 : of(sink)->next->ops->hook(of(sink)->next, __VA_ARGS__))

static int begin(struct trace_sink *sink, const char *note, struct error *err)
{
    *of(sink)->counts = (struct trace_sink_counts){0};
    return PASS(sink, begin, note, err);
}

static int copy(struct trace_sink *sink, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err)
{
    of(sink)->counts->copies++;
    of(sink)->counts->copy_bytes += bytes;
    return PASS(sink, copy, to_host, address, bytes, err);
}

static int line(struct trace_sink *sink, const char *text, struct error *err)
{
    return PASS(sink, line, text, err);
}

static int add_name(struct count_sink *sink, const char *name, struct error *err)
{
    for (size_t i = 0; i < sink->name_count; i++)
        if (strcmp(sink->names[i], name) == 0)
            return 0;
    char **more = reallocarray(sink->names, sink->name_count + 1, sizeof *more);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    sink->names = more;
    if ((more[sink->name_count] = strdup(name)) == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    sink->counts->kernels = ++sink->name_count;
    return 0;
}

static int begin_launch(struct trace_sink *sink, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err)
{
    of(sink)->counts->launches++;
    if (add_name(of(sink), header->name, err) != 0)
        return -1;
    return PASS(sink, begin_launch, header, function, memory_only, err);
}

static int begin_block(struct trace_sink *sink, const uint32_t index[3], struct error *err)
{
    return PASS(sink, begin_block, index, err);
}

static int begin_warp(struct trace_sink *sink, uint32_t warp, uint64_t insts, struct error *err)
{
    return PASS(sink, begin_warp, warp, insts, err);
}

/* The page NUMBER, a new one if needed; NULL when memory ran out. */
static struct page *find_page(struct count_sink *sink, uint64_t number)
{
    size_t low = 0, high = sink->page_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sink->pages[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sink->page_count && sink->pages[low]->number == number)
        return sink->pages[low];
    struct page *page = calloc(1, sizeof *page);
    struct page **more = reallocarray(sink->pages, sink->page_count + 1, sizeof *more);
    if (more != NULL)
        sink->pages = more;
    if (page == NULL || more == NULL) {
        free(page);
        return NULL;
    }
    page->number = number;
    memmove(&more[low + 1], &more[low], (sink->page_count - low) * sizeof *more);
    sink->page_count++;
    return more[low] = page;
}

static int touch(struct count_sink *sink, uint64_t address, struct error *err)
{
    uint64_t number = address >> PAGE_SHIFT;
    uint64_t line = (address >> LINE_SHIFT) % (64 * PAGE_WORDS);
    if (sink->last == NULL || sink->last->number != number)
        sink->last = find_page(sink, number);
    if (sink->last == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    uint64_t *word = &sink->last->bits[line / 64], bit = UINT64_C(1) << line % 64;
    if ((*word & bit) == 0)
        sink->counts->footprint += 1 << LINE_SHIFT;
    *word |= bit;
    return 0;
}

/* Shared memory's addresses are offsets below this. */
#define GLOBAL_FROM (UINT64_C(1) << 32)

static int inst(struct trace_sink *sink, const struct trace_sink_inst *inst, struct error *err)
{
    unsigned lanes = (unsigned)__builtin_popcount(inst->mask);
    of(sink)->counts->warp_insts++;
    of(sink)->counts->thread_insts += lanes;
    for (unsigned i = 0; inst->mode != TRACE_ADDRESS_NONE && i < lanes; i++) {
        uint64_t first = inst->mode == TRACE_ADDRESS_LIST ? inst->words[i]
                                                          : inst->words[0] + i * inst->words[1];
        uint64_t last = first + inst->width - 1;
        if (first < GLOBAL_FROM)
            continue;
        if (touch(of(sink), first, err) != 0 || touch(of(sink), last, err) != 0)
            return -1;
    }
    return PASS(sink, inst, inst, err);
}

static int end_warp(struct trace_sink *sink, struct error *err)
{
    return PASS(sink, end_warp, err);
}

static int end_block(struct trace_sink *sink, struct error *err)
{
    return PASS(sink, end_block, err);
}

static int end_launch(struct trace_sink *sink, struct error *err)
{
    return PASS(sink, end_launch, err);
}

static int end(struct trace_sink *sink, struct error *err)
{
    return PASS(sink, end, err);
}

static void destroy(struct trace_sink *sink)
{
    for (size_t i = 0; i < of(sink)->page_count; i++)
        free(of(sink)->pages[i]);
    for (size_t i = 0; i < of(sink)->name_count; i++)
        free(of(sink)->names[i]);
    free(of(sink)->pages);
    free(of(sink)->names);
    free(sink);
}

static const struct trace_sink_ops ops = {
    begin, copy,     line,      begin_launch, begin_block, begin_warp,
    inst,  end_warp, end_block, end_launch,   end,         destroy,
};

struct trace_sink *trace_count_sink_create(struct trace_sink_counts *counts,
                                           struct trace_sink *next, struct error *err)
{
    struct count_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) {
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    *counts = (struct trace_sink_counts){0};
    *sink = (struct count_sink){.base.ops = &ops, .counts = counts, .next = next};
    return &sink->base;
}
