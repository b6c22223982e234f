/* Launches of packed workloads as kernel traces. */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/packed/read/read.h"

/* ---- parts ------------------------------------------------------------- */

static int corrupt(const struct trace_kernel *kernel, const char *what, struct error *err)
{
    return error_undecoded(err, kernel->source.name, 0, 0,
                           "the packed records make no sense: %s", what);
}

/* A line of instruction INST, for the reader of lines. */
static void print_sample(const struct code *code, const struct code_inst *inst,
                         struct bytes *line)
{
    const char *pre = code_pre(code, inst);
    line->size = 0;
    bytes_put(line, pre, inst->pre);
    bytes_put(line, "00000000", 8);
    bytes_put(line, pre + inst->pre, inst->post);
    if (inst->flags & CODE_ADDRESSES)
        bytes_put(line, "1 0x0 0", 7);
    bytes_put(line, "\n\0\0\0\0\0\0\0\0", 9);
}

/* What the kernel makes of an instruction. */
static int know(struct trace_kernel *kernel, const struct code *code,
                const struct code_inst *inst, struct bytes *sample, struct known_block *known,
                struct error *err)
{
    struct line line;
    uint64_t words[LINE_MAX_WORDS];
    struct insts *insts = &kernel->insts;
    print_sample(code, inst, sample);
    if (sample->failed)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    if (memchr(sample->data, '\n', sample->size - 9) != NULL ||
        line_read(&kernel->reader, (const char *)sample->data, INSTS_NONE, &line, words) ==
            NULL)
        return corrupt(kernel, "an instruction cannot be read", err);
    uint32_t i = line.record.inst;
    const struct trace_inst *item = &insts->items[i];
    bool addresses = insts->texts[i].has_addresses;
    if (addresses != ((inst->flags & CODE_ADDRESSES) != 0))
        return corrupt(kernel, "an instruction and its memory operand", err);
    *known = (struct known_block){
        i, kernel_wants(kernel, item), item->flags & TRACE_INST_UNKNOWN,
        addresses && (item->access != TRACE_ACCESS_NONE || kernel->reader.all_addresses) &&
            kernel_wants_addresses(kernel, item),
        (kernel->extras & TRACE_EXTRA_ADDRESS) != 0 && kernel_has_bare_address(kernel, i)};
    if (known->counts) /* this line is not part of the trace */
        insts->counts[i]--;
    return 0;
}

static int know_all(struct trace_kernel *kernel, const struct code *code, struct error *err)
{
    struct packed *packed = kernel->packed;
    struct bytes sample = {0};
    free(packed->known);
    packed->known = calloc(code->count + 1, sizeof *packed->known);
    int rc =
        packed->known == NULL ? error_no_memory_for(err, ERROR_TRACE, kernel->source.name) : 0;
    for (uint32_t i = 0; i < code->count && rc == 0; i++)
        if (!kernel->memory_only || code->insts[i].flags & CODE_MEMORY)
            rc = know(kernel, code, &code->insts[i], &sample, &packed->known[i], err);
    bytes_finish(&sample);
    return rc;
}

static void end_part(struct packed *packed)
{
    if (!packed->in_part)
        return;
    part_finish(&packed->part);
    packed->in_part = false;
    store_release(packed->store, packed->launch.group + packed->groups - 1);
}

/* Continues with the launch's next part. Returns 1, or 0 after the last. */
static int next_part(struct trace_kernel *kernel, struct error *err)
{
    struct packed *packed = kernel->packed;
    end_part(packed);
    if (packed->groups == packed->launch.groups)
        return 0;
    unsigned frames = 1 << FRAME_HEAD | 1 << FRAME_MEMORY;
    if (!kernel->memory_only)
        frames |= 1 << FRAME_CONTROL;
    if (packed->piece.insts == NULL && piece_init(&packed->piece) != 0)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    packed->group =
        store_acquire(packed->store, packed->launch.group + packed->groups, frames, err);
    if (packed->group == NULL)
        return -1;
    packed->item = &packed->group->items[packed->groups++ == 0 ? packed->launch.item : 0];
    const struct part_info *info = &packed->item->info;
    const struct code *code = &packed->group->codes[info->code];
    part_init(&packed->part, info, code, (struct warp_paths *)&packed->group->paths,
              kernel->warps);
    packed->in_part = true;
    packed->events = 0;
    if (!store_open_part(packed->store, packed->group, packed->item, &packed->flow))
        return corrupt(kernel, "streams are missing", err);
    if (part_fit(&packed->part) != 0)
        return error_no_memory_for(err, ERROR_TRACE, kernel->source.name);
    return know_all(kernel, code, err) == 0 ? 1 : -1;
}

/* ---- records ----------------------------------------------------------- */

/* Puts the addresses of a record into WORDS: address_count() of them. */
static enum trace_address_mode put_addresses(const struct piece *piece,
                                             const struct piece_access *access, uint32_t mask,
                                             uint64_t *words)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint32_t run = mask >> __builtin_ctz(mask);
    if (access->linear && lanes >= 3 && (run & (run + 1)) == 0) {
        words[0] = access->first + (uint64_t)__builtin_ctz(mask) * access->stride;
        words[1] = access->stride;
        return TRACE_ADDRESS_STRIDE;
    }
    piece_addresses(piece, access, mask, words);
    if (lanes < 3)
        return TRACE_ADDRESS_LIST;
    uint64_t stride = words[1] - words[0];
    if (words[lanes - 1] != words[0] + (lanes - 1) * stride)
        return TRACE_ADDRESS_LIST;
    for (uint32_t i = 2; i < lanes; i++)
        if (words[i] - words[i - 1] != stride)
            return TRACE_ADDRESS_LIST;
    words[1] = stride;
    return TRACE_ADDRESS_STRIDE;
}

/* Gives the last record its first address as an extra. */
static void add_address(struct trace_kernel *kernel, uint32_t mask,
                        const struct piece_access *access)
{
    uint64_t lanes[32];
    struct trace_extras extras = {.has_address = true};
    piece_addresses(&kernel->packed->piece, access, mask, lanes);
    extras.address = lanes[0];
    builder_add_extras(&kernel->builder, &extras);
}

static inline int add_record(struct trace_kernel *kernel, const struct known_block *known,
                             uint32_t mask, const struct piece_access *access,
                             struct error *err)
{
    struct builder *builder = &kernel->builder;
    if (builder_reserve(builder, &kernel->spill, err) != 0)
        return -1;
    enum trace_address_mode mode = TRACE_ADDRESS_NONE;
    if (known->addresses && mask != 0)
        mode = put_addresses(&kernel->packed->piece, access, mask,
                             builder->words + builder->word_count);
    builder_add(builder, known->inst, mask, mode);
    if (known->extra && mask != 0)
        add_address(kernel, mask, access);
    if (known->counts)
        kernel->insts.counts[known->inst]++;
    return 0;
}

/* The records of a memory-only view. */
static int add_memory(struct trace_kernel *kernel, struct error *err)
{
    const struct packed *packed = kernel->packed;
    const struct piece *piece = &packed->piece;
    for (uint32_t i = 0; i < piece->memory_count; i++) {
        const struct known_block *known = &packed->known[piece->memory_insts[i]];
        if (known->keeps &&
            add_record(kernel, known, piece->memory_masks[i], &piece->accesses[i], err) != 0)
            return -1;
    }
    return 0;
}

static int add_all(struct trace_kernel *kernel, struct error *err)
{
    const struct packed *packed = kernel->packed;
    const struct piece *piece = &packed->piece;
    const uint8_t *in_memory = packed->part.control.skip;
    const struct piece_access *access = piece->accesses;
    for (uint32_t i = 0; i < piece->count; i++) {
        uint32_t inst = piece->insts[i];
        if (add_record(kernel, &packed->known[inst], piece->masks[i], access, err) != 0)
            return -1;
        access += in_memory[inst];
    }
    return 0;
}

static int read_records(struct trace_kernel *kernel, struct error *err)
{
    struct packed *packed = kernel->packed;
    struct piece *piece = &packed->piece;
    piece_clear(piece);
    uint32_t path = memory_read(&packed->part.memory, &packed->flow, piece);
    if (path == MAP_NONE)
        return corrupt(kernel, "the memory stream", err);
    if (kernel->memory_only)
        return add_memory(kernel, err);
    if (!control_read(&packed->part.control, &packed->flow, path, piece))
        return corrupt(kernel, "the control stream", err);
    return add_all(kernel, err);
}

/* ---- blocks ------------------------------------------------------------ */

/* Where the reader stands in a block. */
struct read_position {
    bool in_block, in_warp;
};

static int begin_block(struct trace_kernel *kernel, uint64_t number, struct error *err)
{
    const uint32_t *grid = kernel->header.grid;
    if (number >= kernel->blocks || kernel->blocks_read == kernel->blocks)
        return corrupt(kernel, "a thread block that is not in the grid", err);
    builder_begin(&kernel->builder, kernel_block_limit(kernel));
    kernel->builder.index[0] = (uint32_t)(number % grid[0]);
    kernel->builder.index[1] = (uint32_t)(number / grid[0] % grid[1]);
    kernel->builder.index[2] = (uint32_t)(number / grid[0] / grid[1]);
    return 0;
}

static int end_warp(struct trace_kernel *kernel, struct read_position *position,
                    struct error *err)
{
    if (!position->in_warp)
        return 0;
    position->in_warp = false;
    return builder_end_warp(&kernel->builder, &kernel->spill, err);
}

/* Carries out one event. Returns 1 when it ends a block. */
static int read_event(struct trace_kernel *kernel, struct read_position *position,
                      struct error *err)
{
    struct packed *packed = kernel->packed;
    struct builder *builder = &kernel->builder;
    struct event event;
    events_read(&packed->part.events, &packed->flow, &event);
    packed->events++;
    if (!part_begin(&packed->part, &event) || (event.kind == EVENT_BLOCK) == position->in_block)
        return corrupt(kernel, "the order of blocks and warps", err);
    if (event.kind == EVENT_BLOCK) {
        position->in_block = true;
        return begin_block(kernel, event.value, err);
    }
    if (event.kind == EVENT_MORE)
        return position->in_warp ? read_records(kernel, err)
                                 : corrupt(kernel, "a warp goes on that did not begin", err);
    if (end_warp(kernel, position, err) != 0)
        return -1;
    if (event.kind == EVENT_END)
        return 1;
    if (builder->warps[event.value].seen)
        return corrupt(kernel, "a warp comes twice", err);
    builder_warp(builder, &kernel->spill, (uint32_t)event.value);
    position->in_warp = true;
    return read_records(kernel, err);
}

static int next_block(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err)
{
    struct packed *packed = kernel->packed;
    struct read_position position = {0};
    int rc = 0;
    while (rc == 0) {
        bool more = packed->in_part && packed->events < packed->item->info.events;
        if (more) {
            rc = read_event(kernel, &position, err);
        } else {
            int part = next_part(kernel, err);
            if (part < 0)
                return -1;
            if (part == 0 && (position.in_block || kernel->blocks_read < kernel->blocks))
                return corrupt(kernel, "thread blocks are missing", err);
            if (part == 0)
                return 0;
        }
    }
    if (rc < 0)
        return -1;
    if (coder_failed(&packed->flow))
        return corrupt(kernel, "a stream ends too early", err);
    *block = builder_end(&kernel->builder, kernel, kernel->warps, err);
    kernel->blocks_read++;
    return *block == NULL ? -1 : 1;
}

static void finish(struct trace_kernel *kernel)
{
    struct packed *packed = kernel->packed;
    if (packed == NULL)
        return;
    end_part(packed);
    piece_finish(&packed->piece);
    free(packed->known);
    bytes_finish(&packed->header);
    if (packed->owned)
        store_close(packed->store);
    free(packed);
    kernel->packed = NULL;
}

const struct kernel_layout kernel_packed = {next_block, finish};
