#include "sim/state/serialize_memory.h"

void queue_serialize(struct queue *queue, struct serializer *image)
{
    uint32_t count = queue->count;
    serialize_bytes(image, &count, sizeof count);
    if (image->loading)
        queue->head = queue->count = 0;
    for (uint32_t i = 0; i < count && !image->failed; i++) {
        struct queue_entry entry = {0};
        if (!image->loading)
            entry = queue->ring[(queue->head + i) & (queue->size - 1)];
        serialize_bytes(image, &entry, sizeof entry);
        if (image->loading && !image->failed)
            queue_push(queue, &entry.packet, entry.ready);
    }
}

static void hash_index_serialize(struct hash_index *index, struct serializer *image)
{
    serialize_bytes(image, index->buckets, ((size_t)index->mask + 1) * sizeof *index->buckets);
}

static void tags_serialize(struct tags *tags, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct tags, spec.replacement),
        SERIALIZE_WITHOUT(struct tags, lines),
        SERIALIZE_WITHOUT(struct tags, bytes),
        SERIALIZE_WITHOUT(struct tags, lists),
        SERIALIZE_WITHOUT(struct tags, free),
        SERIALIZE_WITHOUT(struct tags, free_count),
        SERIALIZE_WITHOUT(struct tags, index),
        SERIALIZE_WITHOUT(struct tags, state),
    };
    size_t sets = tags->spec.sets, lines = sets * tags->max_ways;
    SERIALIZE_STRUCT(image, tags, without);
    serialize_bytes(image, tags->lines, lines * sizeof *tags->lines);
    serialize_bytes(image, tags->bytes, lines * sizeof *tags->bytes);
    serialize_bytes(image, tags->lists, 2 * sets * sizeof *tags->lists);
    serialize_bytes(image, tags->free, lines * sizeof *tags->free);
    serialize_bytes(image, tags->free_count, sets * sizeof *tags->free_count);
    hash_index_serialize(&tags->index, image);
    if (tags->state != NULL)
        serialize_bytes(image, tags->state, lines * tags->spec.replacement->state_size);
}

static void mshr_serialize(struct mshr *mshr, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct mshr, pool),
        SERIALIZE_WITHOUT(struct mshr, waiters),
        SERIALIZE_WITHOUT(struct mshr, index),
    };
    SERIALIZE_STRUCT(image, mshr, without);
    serialize_bytes(image, mshr->pool, mshr->entries_max * sizeof *mshr->pool);
    hash_index_serialize(&mshr->index, image);
    serialize_array(image, (void **)&mshr->waiters, mshr->waiter_count, sizeof *mshr->waiters);
}

void cache_serialize(struct cache *cache, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct cache, tags),
        SERIALIZE_WITHOUT(struct cache, mshr),
        SERIALIZE_WITHOUT(struct cache, misses),
        SERIALIZE_WITHOUT(struct cache, shares),
    };
    SERIALIZE_STRUCT(image, cache, without);
    tags_serialize(&cache->tags, image);
    mshr_serialize(&cache->mshr, image);
    queue_serialize(&cache->misses, image);
}

static void coalescer_serialize(struct coalescer *coalescer, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct coalescer, spec),
        SERIALIZE_WITHOUT(struct coalescer, entries),
        SERIALIZE_WITHOUT(struct coalescer, waiters),
        SERIALIZE_WITHOUT(struct coalescer, index),
    };
    SERIALIZE_STRUCT(image, coalescer, without);
    serialize_array(image, (void **)&coalescer->entries, coalescer->entry_count,
                    sizeof *coalescer->entries);
    serialize_array(image, (void **)&coalescer->waiters, coalescer->waiter_count,
                    sizeof *coalescer->waiters);
    if (coalescer->index.buckets != NULL)
        hash_index_serialize(&coalescer->index, image);
}

static void slice_serialize(struct slice *slice, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct slice, spec),      SERIALIZE_WITHOUT(struct slice, cache),
        SERIALIZE_WITHOUT(struct slice, rop),       SERIALIZE_WITHOUT(struct slice, lrc),
        SERIALIZE_WITHOUT(struct slice, in),        SERIALIZE_WITHOUT(struct slice, to_dram),
        SERIALIZE_WITHOUT(struct slice, from_dram), SERIALIZE_WITHOUT(struct slice, out),
        SERIALIZE_WITHOUT(struct slice, crossing),  SERIALIZE_WITHOUT(struct slice, back),
        SERIALIZE_WITHOUT(struct slice, atomics),   SERIALIZE_WITHOUT(struct slice, coalescer),
    };
    SERIALIZE_STRUCT(image, slice, without);
    if (!slice->spec.disabled)
        cache_serialize(&slice->cache, image);
    queue_serialize(&slice->rop, image);
    queue_serialize(&slice->lrc, image);
    queue_serialize(&slice->in, image);
    queue_serialize(&slice->to_dram, image);
    queue_serialize(&slice->from_dram, image);
    queue_serialize(&slice->out, image);
    queue_serialize(&slice->crossing, image);
    queue_serialize(&slice->back, image);
    queue_serialize(&slice->atomics.in, image);
    queue_serialize(&slice->atomics.answers, image);
    coalescer_serialize(&slice->coalescer, image);
}

static void dram_serialize(struct dram *dram, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct dram, spec),   SERIALIZE_WITHOUT(struct dram, banks),
        SERIALIZE_WITHOUT(struct dram, pool),   SERIALIZE_WITHOUT(struct dram, state),
        SERIALIZE_WITHOUT(struct dram, pins),   SERIALIZE_WITHOUT(struct dram, returned),
        SERIALIZE_WITHOUT(struct dram, shares),
    };
    size_t banks = dram->spec.timing.banks;
    SERIALIZE_STRUCT(image, dram, without);
    serialize_bytes(image, dram->banks, banks * sizeof *dram->banks);
    if (dram->state != NULL)
        serialize_bytes(image, dram->state, banks * dram->spec.scheduler->state_size);
    serialize_array(image, (void **)&dram->pool, dram->pool_count, sizeof *dram->pool);
    queue_serialize(&dram->pins, image);
    queue_serialize(&dram->returned, image);
}

void partition_serialize(struct partition *partition, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct partition, spec),
        SERIALIZE_WITHOUT(struct partition, slices),
        SERIALIZE_WITHOUT(struct partition, dram),
        SERIALIZE_WITHOUT(struct partition, latency),
        SERIALIZE_WITHOUT(struct partition, replies),
    };
    SERIALIZE_STRUCT(image, partition, without);
    for (uint32_t s = 0; s < partition->spec.slices; s++) {
        slice_serialize(&partition->slices[s], image);
        queue_serialize(&partition->replies[s], image);
    }
    dram_serialize(&partition->dram, image);
    queue_serialize(&partition->latency, image);
}

void xbar_serialize(struct xbar *xbar, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct xbar, spec),      SERIALIZE_WITHOUT(struct xbar, in),
        SERIALIZE_WITHOUT(struct xbar, out_count), SERIALIZE_WITHOUT(struct xbar, target),
        SERIALIZE_WITHOUT(struct xbar, pointer),   SERIALIZE_WITHOUT(struct xbar, wants),
        SERIALIZE_WITHOUT(struct xbar, join),      SERIALIZE_WITHOUT(struct xbar, asked),
    };
    SERIALIZE_STRUCT(image, xbar, without);
    uint32_t inputs = xbar->spec.inputs, outputs = xbar->spec.outputs;
    for (uint32_t i = 0; i < inputs; i++)
        queue_serialize(&xbar->in[i], image);
    serialize_bytes(image, xbar->out_count, outputs * sizeof *xbar->out_count);
    serialize_bytes(image, xbar->target, inputs * sizeof *xbar->target);
    serialize_bytes(image, xbar->asked, inputs * sizeof *xbar->asked);
    serialize_bytes(image, xbar->pointer, outputs * sizeof *xbar->pointer);
    serialize_bytes(image, xbar->wants, outputs * sizeof *xbar->wants);
}

void code_shares_serialize(struct code_shares *shares, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct code_shares, spec),
        SERIALIZE_WITHOUT(struct code_shares, shares),
        SERIALIZE_WITHOUT(struct code_shares, share_room),
        SERIALIZE_WITHOUT(struct code_shares, members),
        SERIALIZE_WITHOUT(struct code_shares, member_room),
        SERIALIZE_WITHOUT(struct code_shares, requests),
        SERIALIZE_WITHOUT(struct code_shares, request_room),
        SERIALIZE_WITHOUT(struct code_shares, answers),
        SERIALIZE_WITHOUT(struct code_shares, answer_room),
    };
    SERIALIZE_STRUCT(image, shares, without);
    serialize_array(image, (void **)&shares->shares, shares->share_count,
                    sizeof *shares->shares);
    serialize_array(image, (void **)&shares->members, shares->member_count,
                    sizeof *shares->members);
    if (image->loading) {
        shares->share_room = shares->share_count;
        shares->member_room = shares->member_count;
    }
}

void merges_serialize(struct merges *merges, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct merges, spec),
        SERIALIZE_WITHOUT(struct merges, members),
        SERIALIZE_WITHOUT(struct merges, free),
        SERIALIZE_WITHOUT(struct merges, ended),
    };
    merges_collect(merges);
    SERIALIZE_STRUCT(image, merges, without);
    if (image->failed || merges->free_count == merges->touched) { /* nothing is on its way */
        merges_reset(merges);
        return;
    }
    serialize_bytes(image, merges->free, merges->free_count * sizeof *merges->free);
    serialize_bytes(image, merges->members,
                    (size_t)merges->touched * merges->spec.max * sizeof *merges->members);
}

void page_walks_serialize(struct page_walks *walks, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct page_walks, regions),
        SERIALIZE_WITHOUT(struct page_walks, ends),
        SERIALIZE_WITHOUT(struct page_walks, first),
        SERIALIZE_WITHOUT(struct page_walks, first_room),
    };
    SERIALIZE_STRUCT(image, walks, without);
    if (walks->ends != NULL)
        serialize_bytes(image, walks->ends, walks->spec.walkers * sizeof *walks->ends);
    serialize_array(image, (void **)&walks->regions, walks->size, sizeof *walks->regions);
}
