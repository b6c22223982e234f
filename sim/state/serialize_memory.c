#include "sim/state/serialize_memory.h"

void queue_image(struct queue *queue, struct image *image)
{
    uint32_t count = queue->count;
    image_bytes(image, &count, sizeof count);
    if (image->loading)
        queue->head = queue->count = 0;
    for (uint32_t i = 0; i < count && !image->failed; i++) {
        struct queue_entry entry = {0};
        if (!image->loading)
            entry = queue->ring[(queue->head + i) & (queue->size - 1)];
        image_bytes(image, &entry, sizeof entry);
        if (image->loading && !image->failed)
            queue_push(queue, &entry.packet, entry.ready);
    }
}

static void index_image(struct index *index, struct image *image)
{
    image_bytes(image, index->buckets, ((size_t)index->mask + 1) * sizeof *index->buckets);
}

static void tags_image(struct tags *tags, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct tags, lines),      IMAGE_WITHOUT(struct tags, bytes),
        IMAGE_WITHOUT(struct tags, lists),      IMAGE_WITHOUT(struct tags, free),
        IMAGE_WITHOUT(struct tags, free_count), IMAGE_WITHOUT(struct tags, index),
    };
    size_t sets = tags->spec.sets, lines = sets * tags->max_ways;
    IMAGE_STRUCT(image, tags, without);
    image_bytes(image, tags->lines, lines * sizeof *tags->lines);
    image_bytes(image, tags->bytes, lines * sizeof *tags->bytes);
    image_bytes(image, tags->lists, 2 * sets * sizeof *tags->lists);
    image_bytes(image, tags->free, lines * sizeof *tags->free);
    image_bytes(image, tags->free_count, sets * sizeof *tags->free_count);
    index_image(&tags->index, image);
}

static void mshr_image(struct mshr *mshr, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct mshr, pool),
        IMAGE_WITHOUT(struct mshr, waiters),
        IMAGE_WITHOUT(struct mshr, index),
    };
    IMAGE_STRUCT(image, mshr, without);
    image_bytes(image, mshr->pool, mshr->entries_max * sizeof *mshr->pool);
    index_image(&mshr->index, image);
    image_array(image, (void **)&mshr->waiters, mshr->waiter_count, sizeof *mshr->waiters);
}

void cache_image(struct cache *cache, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct cache, tags),
        IMAGE_WITHOUT(struct cache, mshr),
        IMAGE_WITHOUT(struct cache, misses),
        IMAGE_WITHOUT(struct cache, shares),
    };
    IMAGE_STRUCT(image, cache, without);
    tags_image(&cache->tags, image);
    mshr_image(&cache->mshr, image);
    queue_image(&cache->misses, image);
}

static void slice_image(struct slice *slice, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct slice, spec),    IMAGE_WITHOUT(struct slice, cache),
        IMAGE_WITHOUT(struct slice, rop),     IMAGE_WITHOUT(struct slice, in),
        IMAGE_WITHOUT(struct slice, to_dram), IMAGE_WITHOUT(struct slice, from_dram),
        IMAGE_WITHOUT(struct slice, out),     IMAGE_WITHOUT(struct slice, held),
    };
    IMAGE_STRUCT(image, slice, without);
    if (!slice->spec.disabled)
        cache_image(&slice->cache, image);
    queue_image(&slice->rop, image);
    queue_image(&slice->in, image);
    queue_image(&slice->to_dram, image);
    queue_image(&slice->from_dram, image);
    queue_image(&slice->out, image);
    if (slice->held != NULL)
        image_bytes(image, slice->held, sizeof *slice->held);
}

static void dram_image(struct dram *dram, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct dram, spec),     IMAGE_WITHOUT(struct dram, banks),
        IMAGE_WITHOUT(struct dram, pool),     IMAGE_WITHOUT(struct dram, pins),
        IMAGE_WITHOUT(struct dram, returned), IMAGE_WITHOUT(struct dram, shares),
    };
    IMAGE_STRUCT(image, dram, without);
    image_bytes(image, dram->banks, dram->spec.timing.banks * sizeof *dram->banks);
    image_array(image, (void **)&dram->pool, dram->pool_count, sizeof *dram->pool);
    queue_image(&dram->pins, image);
    queue_image(&dram->returned, image);
}

void partition_image(struct partition *partition, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct partition, spec),
        IMAGE_WITHOUT(struct partition, slices),
        IMAGE_WITHOUT(struct partition, dram),
        IMAGE_WITHOUT(struct partition, latency),
    };
    IMAGE_STRUCT(image, partition, without);
    for (uint32_t s = 0; s < partition->spec.slices; s++)
        slice_image(&partition->slices[s], image);
    dram_image(&partition->dram, image);
    queue_image(&partition->latency, image);
}

void xbar_image(struct xbar *xbar, struct image *image)
{
    static const struct image_member without[] = {
        IMAGE_WITHOUT(struct xbar, spec),      IMAGE_WITHOUT(struct xbar, in),
        IMAGE_WITHOUT(struct xbar, out_count), IMAGE_WITHOUT(struct xbar, target),
        IMAGE_WITHOUT(struct xbar, pointer),   IMAGE_WITHOUT(struct xbar, wants),
    };
    IMAGE_STRUCT(image, xbar, without);
    uint32_t inputs = xbar->spec.inputs, outputs = xbar->spec.outputs;
    for (uint32_t i = 0; i < inputs; i++)
        queue_image(&xbar->in[i], image);
    image_bytes(image, xbar->out_count, outputs * sizeof *xbar->out_count);
    image_bytes(image, xbar->target, inputs * sizeof *xbar->target);
    image_bytes(image, xbar->pointer, outputs * sizeof *xbar->pointer);
    image_bytes(image, xbar->wants, outputs * sizeof *xbar->wants);
}
