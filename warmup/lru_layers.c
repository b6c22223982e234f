#include "warmup/lru_layers.h"

#include <stdlib.h>

#include "warmup/correction.h"

#define NONE  SIZE_MAX
#define EMPTY 0.5 /* layers with fewer lines are empty */

bool lru_layers_init(struct lru_layers *layers, size_t launches, uint64_t capacity, bool fill)
{
    *layers = (struct lru_layers){.top = NONE, .capacity = capacity, .fill = fill};
    layers->items = calloc(2 * (launches + 1), sizeof *layers->items);
    return layers->items != NULL;
}

void lru_layers_finish(struct lru_layers *layers)
{
    free(layers->items);
    *layers = (struct lru_layers){0};
}

/* Makes the layer INDEX, which is empty, the newest. */
static void lay(struct lru_layers *layers, size_t index, uint64_t lines, double dirty)
{
    if (lines == 0)
        return;
    layers->items[index] = (struct lru_layer){.lines = (double)lines,
                                              .dirty = dirty,
                                              .whole = lines,
                                              .above = NONE,
                                              .below = layers->top};
    if (layers->top != NONE)
        layers->items[layers->top].above = index;
    layers->top = index;
}

static void remove_layer(struct lru_layers *layers, size_t index)
{
    struct lru_layer *layer = &layers->items[index];
    if (layer->above != NONE)
        layers->items[layer->above].below = layer->below;
    else
        layers->top = layer->below;
    if (layer->below != NONE)
        layers->items[layer->below].above = layer->above;
    layer->lines = layer->dirty = 0;
}

/* Removes SHARE of the layer INDEX. */
static void shrink(struct lru_layers *layers, size_t index, double share)
{
    struct lru_layer *layer = &layers->items[index];
    layer->dirty -= share * layer->dirty;
    layer->lines -= share * layer->lines;
    if (layer->lines < EMPTY)
        remove_layer(layers, index);
}

void lru_layers_copy(struct lru_layers *layers, uint64_t address, uint64_t bytes)
{
    size_t index = 2 * layers->launches;
    if (!layers->fill || bytes == 0)
        return;
    uint64_t before = layers->items[index].whole;
    if (before > 0)
        remove_layer(layers, index);
    lay(layers, index, before + trace_copy_lines(address, bytes), 0);
}

/* The lines that the next launch, with FOOTPRINT, touches in the layer of SOURCE. */
static double touched(const struct trace_footprint *footprint,
                      const struct trace_reuse_source *source)
{
    double sectors = (double)footprint->sectors.all, lines = (double)footprint->lines.all;
    return sectors > 0 ? (double)source->sectors * lines / sectors : 0;
}

static size_t layer_of(const struct lru_layers *layers, const struct trace_reuse_source *source)
{
    return 2 * (layers->launches - source->distance) + (source->copy ? 0 : 1);
}

double lru_layers_held(const struct lru_layers *layers, const struct trace_footprint *footprint,
                       const struct trace_reuse_source *source)
{
    uint64_t newer = source->newer_lines + (layers->fill ? source->newer_copied : 0);
    if (source->copy)
        return layers->fill && newer < layers->capacity ? 1 : 0;
    return correction_retained(layers->items[layer_of(layers, source)].whole, newer,
                               footprint->lines.all, layers->capacity);
}

/* How many lines of layer INDEX the launch with FOOTPRINT finds. *NEXT is its first source
 * that is not newer than the layer. Callers pass layers and sources from the newest to the
 * oldest. */
static double found_in(const struct lru_layers *layers, size_t index,
                       const struct trace_footprint *footprint, size_t *next)
{
    double found = 0;
    for (; *next < footprint->source_count; ++*next) {
        const struct trace_reuse_source *source = &footprint->sources[*next];
        if (layer_of(layers, source) < index)
            break;
        if (layer_of(layers, source) == index)
            found = touched(footprint, source) * lru_layers_held(layers, footprint, source);
    }
    return found;
}

double lru_layers_pushed(const struct lru_layers *layers,
                         const struct trace_footprint *footprint)
{
    double lines = (double)footprint->lines.all, capacity = (double)layers->capacity;
    double keeps = capacity > lines ? capacity - lines : 0; /* of other launches */
    double depth = 0, others = 0, found = 0, out = 0, pushed = 0;
    size_t next = 0;
    for (size_t i = layers->top; i != NONE && depth < capacity; i = layers->items[i].below) {
        const struct lru_layer *layer = &layers->items[i];
        double again = found_in(layers, i, footprint, &next);
        double in = layer->lines < capacity - depth ? layer->lines : capacity - depth;
        double other = layer->lines > again ? in * (1 - again / layer->lines) : 0;
        double kept = keeps > others ? keeps - others : 0;
        if (other > kept) {
            out += other - kept;
            pushed += (other - kept) * layer->dirty / layer->lines;
        }
        others += other;
        depth += in;
        found += again;
    }
    double stand =
        (double)(layers->touched < layers->capacity ? layers->touched : layers->capacity);
    double most = lines - found - (capacity - stand);
    if (most <= 0)
        return 0;
    return out > most ? pushed * most / out : pushed;
}

/* Takes the lines of SOURCE, a source of FOOTPRINT, from their layer. Returns the dirty
 * sectors among them that the cache still holds. */
static double take(struct lru_layers *layers, const struct trace_footprint *footprint,
                   const struct trace_reuse_source *source)
{
    size_t index = layer_of(layers, source);
    const struct lru_layer *layer = &layers->items[index];
    if (layer->lines <= 0)
        return 0;
    double lines = touched(footprint, source);
    double share = lines < layer->lines ? lines / layer->lines : 1;
    double dirty = layer->dirty * share * lru_layers_held(layers, footprint, source);
    shrink(layers, index, share);
    return dirty;
}

static bool is_launch(size_t index)
{
    return index % 2 == 1;
}

/* Shrinks the layers of launches, except the top one, until they have LINES lines together at
 * most. */
static void bound(struct lru_layers *layers, double lines)
{
    double sum = 0;
    for (size_t i = layers->items[layers->top].below; i != NONE; i = layers->items[i].below)
        sum += is_launch(i) ? layers->items[i].lines : 0;
    if (sum < lines + EMPTY)
        return;
    size_t below;
    for (size_t i = layers->items[layers->top].below; i != NONE; i = below) {
        below = layers->items[i].below;
        if (is_launch(i))
            shrink(layers, i, 1 - lines / sum);
    }
}

void lru_layers_launch(struct lru_layers *layers, const struct trace_footprint *footprint,
                       uint64_t touched)
{
    double sectors = (double)footprint->sectors.all, found = 0;
    double written = (double)footprint->sectors.written;
    for (size_t i = 0; i < footprint->source_count; i++)
        found += take(layers, footprint, &footprint->sources[i]);
    double dirty = sectors > 0 ? written + found * (1 - written / sectors) : 0;
    lay(layers, 2 * layers->launches + 1, footprint->lines.all, dirty);
    layers->launches++;
    layers->touched = touched;
    if (footprint->copied > 0 && footprint->lines.all > 0 && touched >= footprint->lines.all)
        bound(layers, (double)(touched - footprint->lines.all));
}
