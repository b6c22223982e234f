#include "sampling/math/chain.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct linkage_chain {
    double *distances; /* between each two clusters, count x count, both triangles */
    size_t count;
    uint32_t *active; /* clusters that still exist, ascending */
    uint32_t active_count;
    uint32_t *links; /* each is the nearest neighbour of the one before */
    uint32_t length;
    uint32_t *labels;
};

/* The largest possible distance between rows of two boxes. */
static double box_distance(const struct boxes *boxes, size_t a, size_t b)
{
    const double *low_a = matrix_row(&boxes->low, a), *low_b = matrix_row(&boxes->low, b);
    const double *high_a = matrix_row(&boxes->high, a), *high_b = matrix_row(&boxes->high, b);
    double sum = 0;
    for (size_t c = 0; c < boxes->low.columns; c++) {
        double width = fmax(high_a[c] - low_b[c], high_b[c] - low_a[c]);
        sum += width * width;
    }
    return sqrt(sum);
}

static double *between(const struct linkage_chain *chain, uint32_t a, uint32_t b)
{
    return &chain->distances[a * chain->count + b];
}

static void measure(struct linkage_chain *chain, const struct boxes *boxes, size_t from)
{
    for (uint32_t a = 0; a < chain->count; a++)
        for (uint32_t b = 0; b < a; b++)
            *between(chain, a, b) = *between(chain, b, a) =
                box_distance(boxes, from + a, from + b);
}

/* Of equally near ones: the one before A in the chain, since only then the chain ends; else
 * the first. */
static uint32_t nearest(const struct linkage_chain *chain, uint32_t a, uint32_t before,
                        double *distance)
{
    const double *row = between(chain, a, 0);
    uint32_t best = before;
    double least = before != NONE ? row[before] : INFINITY;
    for (uint32_t i = 0; i < chain->active_count; i++) {
        uint32_t b = chain->active[i];
        if (b != a && row[b] < least) {
            least = row[b];
            best = b;
        }
    }
    *distance = least;
    return best;
}

static void deactivate(struct linkage_chain *chain, uint32_t a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chain->active_count; i++)
        if (chain->active[i] != a)
            chain->active[kept++] = chain->active[i];
    chain->active_count = kept;
}

/* The cluster with the lower number remains. */
static void join(struct linkage_chain *chain, uint32_t a, uint32_t b)
{
    uint32_t to = a < b ? a : b, from = a < b ? b : a;
    deactivate(chain, from);
    chain->labels[from] = to;
    double *row = between(chain, to, 0), *other = between(chain, from, 0);
    for (uint32_t i = 0; i < chain->active_count; i++) {
        uint32_t c = chain->active[i];
        row[c] = fmax(row[c], other[c]);
        *between(chain, c, to) = row[c];
    }
}

/* Distances only grow as clusters do, so a cluster whose nearest neighbour is too far away is
 * complete. Distances fall along the chain, so this can only happen at its first link. */
static void step(struct linkage_chain *chain, double threshold)
{
    if (chain->length == 0)
        chain->links[chain->length++] = chain->active[0];
    uint32_t tip = chain->links[chain->length - 1];
    uint32_t before = chain->length > 1 ? chain->links[chain->length - 2] : NONE;
    double distance;
    uint32_t next = nearest(chain, tip, before, &distance);
    if (next == NONE || distance > threshold) {
        deactivate(chain, tip);
        chain->length--;
    } else if (next == before) {
        join(chain, tip, before);
        chain->length -= 2;
    } else {
        chain->links[chain->length++] = next;
    }
}

int chain_cluster(const struct boxes *boxes, size_t from, size_t count, double threshold,
                  uint32_t *labels)
{
    struct linkage_chain chain = {.distances = calloc(count * count, sizeof *chain.distances),
                                  .count = count,
                                  .active = malloc(count * sizeof *chain.active),
                                  .links = malloc(count * sizeof *chain.links),
                                  .labels = labels};
    int status = -1;
    if (chain.distances != NULL && chain.active != NULL && chain.links != NULL) {
        status = 0;
        for (uint32_t i = 0; i < count; i++)
            labels[i] = chain.active[chain.active_count++] = i;
        measure(&chain, boxes, from);
        while (chain.active_count > 0)
            step(&chain, threshold);
        for (uint32_t i = 0; i < count; i++) /* links lead to lower numbers */
            labels[i] = labels[labels[i]];
    }
    free(chain.distances);
    free(chain.active);
    free(chain.links);
    return status;
}
