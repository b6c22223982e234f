#define _GNU_SOURCE /* asprintf */
#include "tracer/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/output/tables.h"

#define MOST_THREADS 1024
#define MOST_X       INT32_MAX
#define MOST_YZ      UINT16_MAX
#define MOST_NAME    65000 /* with its key a line that can be read: SOURCE_LINE_MAX */
/* So many blocks without a record may be written as empty ones; with more, the file ends early.
 */
#define MOST_ABSENT (UINT64_C(1) << 18)

/* What CUDA allows, and readers of text take. */
static int check(const struct tracer_launch *from, struct error *err)
{
    uint64_t threads = 1;
    bool right = true;
    if (strlen(from->name) > MOST_NAME)
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "%.64s...: a kernel with a name of more than %d bytes is left out",
                         from->name, MOST_NAME);
    for (int i = 0; i < 3; i++) {
        right = right && from->grid[i] >= 1 && from->grid[i] <= (i == 0 ? MOST_X : MOST_YZ) &&
                from->block[i] >= 1 && from->block[i] <= MOST_THREADS;
        threads *= from->block[i] <= MOST_THREADS ? from->block[i] : 1;
    }
    if (right && threads <= MOST_THREADS)
        return 0;
    return error_set(
        err, ERROR_TRACE, NULL, 0, 0,
        "%s: left out: a grid of %ux%ux%u blocks of %ux%ux%u threads is not possible",
        from->name, from->grid[0], from->grid[1], from->grid[2], from->block[0], from->block[1],
        from->block[2]);
}

/* What a header has no key for, as a comment. Returns 0, or -1 when memory ran out. */
static int make_facts(struct traced_launch *launch, const struct tracer_launch *from)
{
    const uint32_t *cluster = from->cluster;
    bool clustered = cluster[0] != 0;
    const char *more = from->more != NULL ? from->more : "";
    if (from->dynamic_shmem == 0 && !clustered && from->cooperative == 0 &&
        from->carveout < 0 && *more == '\0')
        return 0;
    int rc = asprintf(&launch->facts,
                      "# launch %" PRIu64
                      " dynamic=%u cluster=%u,%u,%u cooperative=%u carveout=%d%.*s",
                      launch->header.id, from->dynamic_shmem, clustered ? cluster[0] : 1,
                      clustered ? cluster[1] : 1, clustered ? cluster[2] : 1, from->cooperative,
                      from->carveout, (int)strcspn(more, "\r\n"), more);
    if (rc < 0)
        launch->facts = NULL;
    return rc < 0 ? -1 : 0;
}

struct traced_launch *launch_create(const struct tracer_launch *from, uint64_t id,
                                    const struct tracer_options *options,
                                    struct chunk_pool *pool, struct error *err)
{
    if (check(from, err) != 0)
        return NULL;
    struct traced_launch *launch = calloc(1, sizeof *launch);
    char *name = strdup(from->name);
    if (launch == NULL || name == NULL) {
        free(launch);
        free(name);
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    name[strcspn(name, "\r\n")] = '\0';
    launch->context = from->context;
    launch->header = (struct trace_header){
        .name = name,
        .id = id,
        .has_id = true,
        .shmem = from->shmem,
        .regs = from->regs,
        .binary_version = from->binary_version,
        .stream = from->stream,
        .shmem_base = from->shmem_base,
        .local_base = from->local_base,
        .version = 50,
        .lineinfo = options->lineinfo,
        .active_masks = options->active,
        .grouped = true,
    };
    memcpy(launch->header.grid, from->grid, sizeof from->grid);
    memcpy(launch->header.block, from->block, sizeof from->block);
    blocks_init(&launch->blocks, pool, (uint64_t)from->grid[0] * from->grid[1] * from->grid[2],
                from->block[0] * from->block[1] * from->block[2]);
    if (make_facts(launch, from) == 0)
        return launch;
    launch_destroy(launch);
    error_no_memory_for(err, ERROR_OUTPUT, NULL);
    return NULL;
}

void launch_destroy(struct traced_launch *launch)
{
    if (launch == NULL)
        return;
    blocks_finish(&launch->blocks);
    for (size_t i = 0; i < launch->copy_count; i++)
        free(launch->copies[i].line);
    free(launch->header.name);
    free(launch->header.between);
    free(launch->facts);
    free(launch->copies);
    free(launch);
}

/* ---- records ----------------------------------------------------------- */

/* Lanes that execute the record's instruction. */
static uint32_t mask_of(const struct tracer_record *record)
{
    return record->active & record->predicate;
}

/* How many words of addresses the record has. */
static unsigned addresses_of(const struct tracer_record *record, const struct sass_inst *code)
{
    uint32_t mask = mask_of(record);
    if (mask == 0 || !(code->flags & SASS_ADDRESSES))
        return 0;
    return record->flags & TRACER_RECORD_STRIDE ? 2 : (unsigned)__builtin_popcount(mask);
}

/* How many words follow the record. */
static unsigned words_of(const struct tracer_record *record, const struct sass_inst *code)
{
    unsigned addresses = addresses_of(record, code);
    unsigned lanes = (unsigned)__builtin_popcount(mask_of(record));
    if (!(code->flags & SASS_ADDRESSES))
        return code->values > 0 ? TRACE_MAX_VALUES : 0;
    if (addresses == 0)
        return 0;
    if (code->flags & SASS_SECOND)
        return addresses + (record->flags & TRACER_RECORD_SECOND ? 1 : (lanes + 1) / 2);
    return addresses + (code->values + 1u) / 2;
}

/* What is wrong with a record of LAUNCH; NULL if nothing is. */
static const char *find_damage(const struct traced_launch *launch, const struct sass *code,
                               const struct tracer_record *record)
{
    if (record->inst >= code->count)
        return "an instruction that is not known";
    if (record->block >= launch->blocks.count)
        return "a thread block that the grid has not";
    if (record->warp >= launch->blocks.warps)
        return "a warp that the block has not";
    if (record->active == 0 ||
        (record->active & ~blocks_lanes(&launch->blocks, record->warp)) != 0)
        return "lanes that the warp has not";
    if (record->size != TRACER_RECORD_BYTES + 8 * words_of(record, &code->items[record->inst]))
        return "a length that does not fit its instruction";
    return NULL;
}

static void note_damage(struct traced_launch *launch, const char *damage)
{
    if (launch->damaged++ == 0)
        snprintf(launch->damage, sizeof launch->damage, "%s", damage);
}

/* Addresses that are evenly apart are a base and a stride, so that what is
 * written does not depend on who found that out. Returns the mode. */
static uint32_t compress(const uint64_t *words, unsigned count, uint64_t stride[2])
{
    if (count == 0)
        return TRACE_ADDRESS_NONE;
    stride[0] = words[0];
    stride[1] = count > 1 ? words[1] - words[0] : 0;
    for (unsigned i = 1; i < count; i++)
        if (words[i] - words[i - 1] != stride[1])
            return TRACE_ADDRESS_LIST;
    return TRACE_ADDRESS_STRIDE;
}

/* Puts COUNT, and then the COUNT numbers in WORDS, into TAIL; as a base and a distance if
 * EVENLY and the numbers are evenly spaced. */
static void put_tail(uint64_t *tail, const uint64_t *words, unsigned count, bool evenly)
{
    uint32_t numbers[TRACE_MAX_TAIL + 1] = {0};
    memcpy(numbers, words, count * sizeof *numbers); /* as the GPU has them */
    uint32_t distance = count > 1 ? numbers[1] - numbers[0] : 0;
    for (unsigned i = 1; i < count; i++)
        evenly = evenly && numbers[i] - numbers[i - 1] == distance;
    if (evenly) {
        numbers[1] = distance;
        count = 2;
    }
    tail[0] = count;
    for (unsigned i = 0; i < count; i += 2)
        tail[1 + i / 2] = numbers[i] | (uint64_t)(i + 1 < count ? numbers[i + 1] : 0) << 32;
}

/* What goes into the pool for RECORD, whose words are WORDS: ROOM has at least POOL_WORDS.
 * Returns its words; *HEAD is set. */
static const uint64_t *pool_record(const struct traced_launch *launch,
                                   const struct sass_inst *inst,
                                   const struct tracer_record *record, const uint64_t *words,
                                   uint64_t *room, uint64_t *head)
{
    uint32_t mask = mask_of(record);
    uint64_t stride[2];
    unsigned count = addresses_of(record, inst), lanes = (unsigned)__builtin_popcount(mask);
    bool marked = launch->header.active_masks && record->active != mask, memory = count > 0;
    bool tailed = memory && (inst->values > 0 || (inst->flags & SASS_SECOND));
    const uint64_t *addresses = words, *tail = words + count;
    uint32_t mode = TRACE_ADDRESS_STRIDE; /* also of values: two words */
    if (memory ? !(record->flags & TRACER_RECORD_STRIDE) : inst->values == 0) {
        mode = compress(words, count, stride);
        addresses = mode == TRACE_ADDRESS_STRIDE ? stride : words;
    } else if (inst->flags & SASS_ADDRESSES && !memory)
        mode = TRACE_ADDRESS_NONE;
    *head = pool_head(record->inst, mode, mask, marked) | (tailed ? POOL_TAIL : 0);
    if (!marked && !tailed && addresses == words)
        return words;
    room[0] = record->active;
    memcpy(room + marked, addresses, pool_addresses(*head) * sizeof *room);
    if (tailed && record->flags & TRACER_RECORD_SECOND && inst->flags & SASS_SECOND)
        memcpy(room + marked + pool_addresses(*head), (const uint64_t[]){2, *tail}, 16);
    else if (tailed)
        put_tail(room + marked + pool_addresses(*head), tail,
                 inst->values > 0 ? inst->values : lanes, inst->values == 0);
    return room;
}

/* Leaves LAUNCH out, WHY: a trace of the rest would be wrong. */
static void lose(struct traced_launch *launch, const char *why)
{
    launch->lost = true;
    launch->late = launch->writing;
    snprintf(launch->damage, sizeof launch->damage, "%s", why);
    blocks_finish(&launch->blocks);
}

int launch_add(struct traced_launch *launch, const struct sass *code,
               const struct tracer_record *record, const uint64_t *words, struct error *err)
{
    uint64_t room[POOL_WORDS];
    if (launch->lost)
        return 0;
    const char *damage = find_damage(launch, code, record);
    if (damage != NULL) {
        note_damage(launch, damage);
        return 0;
    }
    const struct sass_inst *inst = &code->items[record->inst];
    struct block_record add = {
        .block = record->block,
        .warp = record->warp,
        .access = (inst->flags & SASS_IN_MEMORY) != 0,
        .leaves = (inst->flags & SASS_LEAVES) != 0,
    };
    add.words = pool_record(launch, inst, record, words, room, &add.head);
    int rc = blocks_add(&launch->blocks, &add, err);
    if (rc == 0)
        lose(launch, "a thread block went on after all its threads had left, and was written "
                     "already as TRACE_BUDGET is small; from now on blocks wait for the end of "
                     "their launch");
    launch->insts += rc == 1;
    launch->off += rc == 1 && mask_of(record) == 0;
    return rc < 0 ? -1 : 0;
}

int launch_add_copy(struct traced_launch *launch, const struct late_copy *copy,
                    struct error *err)
{
    struct late_copy *more = reallocarray(launch->copies, launch->copy_count + 1, sizeof *more);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    launch->copies = more;
    more[launch->copy_count++] = *copy;
    return 0;
}

/* ---- writing ----------------------------------------------------------- */

static int begin(struct traced_launch *launch, struct tracer_output *output, struct error *err)
{
    if (launch->writing)
        return 0;
    launch->writing = true;
    const char *between = sass_between(output->code, launch->header.name);
    launch->header.between = between != NULL ? strdup(between) : NULL;
    if (launch->header.between == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (launch->facts != NULL && (launch->files & SELECT_TRACES) != 0 &&
        output->main->ops->line(output->main, launch->facts, err) != 0)
        return -1;
    if (output_begin(output, &launch->header, launch->function, launch->files, err) == 0)
        return 0;
    if (output->options->format != TRACER_TEXT) /* it goes into the file of all launches */
        return -1;
    launch->lost = true;
    snprintf(launch->damage, sizeof launch->damage, "%s", err->text);
    *err = (struct error){0};
    return 0;
}

static int put_copies(const struct traced_launch *launch, struct tracer_output *output,
                      struct error *err)
{
    for (size_t i = 0; i < launch->copy_count; i++) {
        const struct late_copy *c = &launch->copies[i];
        const struct trace_sink_ops *ops = output->main->ops;
        int rc = !c->listed ? 0
                 : c->line != NULL
                     ? ops->line(output->main, c->line, err)
                     : ops->copy(output->main, c->to_host, c->address, c->bytes, err);
        if (rc != 0)
            return -1;
        if (c->on_device || (c->line == NULL && !c->to_host))
            output_copy(output, c->address, c->bytes, c->on_device);
    }
    return 0;
}

static int end(struct traced_launch *launch, struct tracer_output *output, struct error *err)
{
    bool exclude = output->options->exclude_pred_off;
    if (output_end_launch(output, launch->files, err) != 0 ||
        put_copies(launch, output, err) != 0)
        return -1;
    if ((launch->files & SELECT_TRACES) == 0)
        return 0;
    return tables_stats(output, &launch->header, launch->insts,
                        launch->insts - (exclude ? launch->off : 0), err);
}

/* Removes, once, what was written of a launch that is lost. */
static int drop_late(struct traced_launch *launch, struct tracer_output *output,
                     struct error *err)
{
    launch->late = false;
    return output_drop_launch(output, launch->files, launch->damage, err);
}

/* Writes the blocks that can be given out. */
static int put_blocks(struct traced_launch *launch, struct tracer_output *output,
                      struct error *err)
{
    struct blocks *blocks = &launch->blocks;
    struct traced_block block;
    int rc;
    while ((rc = blocks_next(blocks, launch->ended, &block, err)) == 1) {
        rc = output_block(output, blocks->pool, &launch->header, launch->files, &block,
                          blocks->warps, err);
        blocks_drop(blocks, &block);
        if (rc != 0)
            return -1;
    }
    return rc;
}

int launch_write(struct traced_launch *launch, struct tracer_output *output, struct error *err)
{
    const struct blocks *blocks = &launch->blocks;
    if (begin(launch, output, err) != 0)
        return -1;
    if (!launch->lost && launch->ended &&
        blocks->count - blocks->next > blocks->used + MOST_ABSENT)
        lose(launch, "no record came of most of its thread blocks");
    if (launch->late && drop_late(launch, output, err) != 0)
        return -1;
    if (launch->lost)
        return launch->ended ? put_copies(launch, output, err) : 0;
    if (put_blocks(launch, output, err) != 0)
        return -1;
    return launch->ended ? end(launch, output, err) : 0;
}

int launch_report(const struct traced_launch *launch, const struct tracer_options *options,
                  struct error *err)
{
    const struct blocks *blocks = &launch->blocks;
    const struct trace_header *header = &launch->header;
    if (launch->lost)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "launch %" PRIu64 ", %s: left out: %s",
                         header->id, header->name, launch->damage);
    if (launch->damaged > 0)
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "launch %" PRIu64 ", %s: %" PRIu64
                         " records left out; the first has %s",
                         header->id, header->name, launch->damaged, launch->damage);
    if (launch->insts == 0 && launch->files != SELECT_NONE && !launch->dropped &&
        options->instr_begin == 0)
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "launch %" PRIu64 ", %s: no record came: it was not instrumented",
                         header->id, header->name);
    if (blocks->late > 0)
        return error_set(err, ERROR_TRACE, NULL, 0, 0,
                         "launch %" PRIu64 ", %s: %" PRIu64
                         " times a thread block went on after all its threads had left; "
                         "nothing is left out",
                         header->id, header->name, blocks->late);
    return 0;
}
