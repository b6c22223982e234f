#include "warmup/layers.h"

#include <stdlib.h>

#include "warmup/correction.h"

#define NONE  SIZE_MAX
#define EMPTY 0.5 /* lines: fewer are none */

bool layers_init(struct layers *layers, size_t launches, uint64_t capacity)
{
    *layers = (struct layers){.room = launches + 1, .top = NONE, .capacity = (double)capacity};
    layers->items = calloc(2 * layers->room, sizeof *layers->items);
    return layers->items != NULL;
}

void layers_finish(struct layers *layers)
{
    free(layers->items);
    *layers = (struct layers){0};
}

/* The layer INDEX, empty so far, is the newest. */
static void lay(struct layers *layers, size_t index, uint64_t lines, double dirty)
{
    if (lines == 0)
        return;
    layers->items[index] = (struct layer){.lines = (double)lines,
                                          .dirty = dirty,
                                          .whole = lines,
                                          .above = NONE,
                                          .below = layers->top};
    if (layers->top != NONE)
        layers->items[layers->top].above = index;
    layers->top = index;
}

static void remove_layer(struct layers *layers, size_t index)
{
    struct layer *layer = &layers->items[index];
    if (layer->above != NONE)
        layers->items[layer->above].below = layer->below;
    else
        layers->top = layer->below;
    if (layer->below != NONE)
        layers->items[layer->below].above = layer->above;
    *layer = (struct layer){0};
}

void layers_copy(struct layers *layers, uint64_t lines)
{
    size_t index = 2 * layers->launches;
    uint64_t before = layers->items[index].whole;
    if (before > 0)
        remove_layer(layers, index);
    lay(layers, index, before + lines, 0);
}

/* Of the layer that SOURCE of the next launch is, of FOOTPRINT: the lines that this touches. */
static double touched(const struct trace_footprint *footprint,
                      const struct trace_reuse_source *source)
{
    double sectors = (double)footprint->sectors.all, lines = (double)footprint->lines.all;
    return sectors > 0 ? (double)source->sectors * lines / sectors : 0;
}

/* The share of these that the cache still holds when the launch comes to them. */
static double retained(const struct layers *layers, const struct layer *layer,
                       const struct trace_footprint *footprint,
                       const struct trace_reuse_source *source)
{
    return correction_retained(layer->whole, source->newer_lines, footprint->lines.all,
                               (uint64_t)layers->capacity);
}

static size_t layer_of(const struct layers *layers, const struct trace_reuse_source *source)
{
    return 2 * (layers->launches - source->distance) + (source->copy ? 0 : 1);
}

double layers_pushed(const struct layers *layers, const struct trace_footprint *footprint)
{
    double keeps = layers->capacity - (double)footprint->lines.all, depth = 0, others = 0,
           pushed = 0;
    size_t next = 0; /* sources: the newest first, as layers are */
    for (size_t i = layers->top; i != NONE && depth < layers->capacity;
         i = layers->items[i].below) {
        const struct layer *layer = &layers->items[i];
        double again = 0, room = layers->capacity - depth;
        while (next < footprint->source_count &&
               layer_of(layers, &footprint->sources[next]) >= i) {
            const struct trace_reuse_source *source = &footprint->sources[next++];
            if (layer_of(layers, source) == i)
                again = touched(footprint, source) * retained(layers, layer, footprint, source);
        }
        double in = layer->lines < room ? layer->lines : room;
        double other = layer->lines > again ? in * (1 - again / layer->lines) : 0;
        double kept = keeps > others ? keeps - others : 0;
        if (other > kept)
            pushed += (other - kept) * layer->dirty / layer->lines;
        others += other;
        depth += in;
    }
    return pushed;
}

/* Takes what SOURCE is of FOOTPRINT from its layer: the dirty sectors in it that the cache
 * still holds. */
static double take(struct layers *layers, const struct trace_footprint *footprint,
                   const struct trace_reuse_source *source)
{
    size_t index = layer_of(layers, source);
    struct layer *layer = &layers->items[index];
    if (layer->lines <= 0)
        return 0;
    double lines = touched(footprint, source);
    double share = lines < layer->lines ? lines / layer->lines : 1;
    double dirty = layer->dirty * share;
    double held = dirty * retained(layers, layer, footprint, source);
    layer->dirty -= dirty;
    layer->lines -= share * layer->lines;
    if (layer->lines < EMPTY)
        remove_layer(layers, index);
    return held;
}

void layers_launch(struct layers *layers, const struct trace_footprint *footprint)
{
    double sectors = (double)footprint->sectors.all, found = 0;
    double written = (double)footprint->sectors.written;
    for (size_t i = 0; i < footprint->source_count; i++)
        found += take(layers, footprint, &footprint->sources[i]);
    double dirty = sectors > 0 ? written + found * (1 - written / sectors) : 0;
    lay(layers, 2 * layers->launches + 1, footprint->lines.all, dirty);
    layers->launches++;
}
