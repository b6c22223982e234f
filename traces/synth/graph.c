#include "traces/synth/graph.h"

#include <stdlib.h>

struct graph_edge {
    uint32_t a, b;
};

/* Shares of 256: quadrants of the adjacency matrix up to each. */
#define QUADRANT_A 146
#define QUADRANT_B (QUADRANT_A + 49)
#define QUADRANT_C (QUADRANT_B + 48)

static struct graph_edge rmat_pair(struct synth *synth, uint32_t nodes)
{
    struct graph_edge p;
    do {
        p = (struct graph_edge){0, 0};
        uint64_t bits = 0;
        int left = 0;
        for (uint32_t size = 1; size < nodes; size *= 2) {
            if (left == 0) {
                bits = synth_random(synth);
                left = 8;
            }
            uint32_t u = bits & 255;
            bits >>= 8;
            left--;
            p.a = p.a * 2 + (u >= QUADRANT_B);
            p.b = p.b * 2 + ((u >= QUADRANT_A && u < QUADRANT_B) || u >= QUADRANT_C);
        }
    } while (p.a >= nodes || p.b >= nodes);
    return p;
}

static struct graph_edge uniform_pair(struct synth *synth, uint32_t nodes)
{
    uint32_t a = (uint32_t)random_below(synth_random(synth), nodes);
    return (struct graph_edge){a, (uint32_t)random_below(synth_random(synth), nodes)};
}

void graph_init(struct graph *graph, struct synth *synth, uint32_t nodes, uint32_t pairs,
                bool uniform)
{
    *graph = (struct graph){.nodes = nodes, .edges = 2 * pairs};
    struct graph_edge *list = synth_host(synth, pairs, sizeof *list);
    graph->first = synth_host(synth, nodes + 2ull, sizeof *graph->first);
    graph->to = synth_host(synth, graph->edges, sizeof *graph->to);
    if (synth->failed) {
        free(list);
        graph_finish(graph);
        return;
    }
    /* Two places ahead: after filling, first[n] has moved to its place. */
    for (uint32_t i = 0; i < pairs; i++) {
        list[i] = uniform ? uniform_pair(synth, nodes) : rmat_pair(synth, nodes);
        graph->first[list[i].a + 2]++;
        graph->first[list[i].b + 2]++;
    }
    for (uint32_t n = 2; n < nodes + 2; n++)
        graph->first[n] += graph->first[n - 1];
    for (uint32_t i = 0; i < pairs; i++) {
        graph->to[graph->first[list[i].a + 1]++] = list[i].b;
        graph->to[graph->first[list[i].b + 1]++] = list[i].a;
    }
    free(list);
}

void graph_finish(struct graph *graph)
{
    free(graph->first);
    free(graph->to);
    *graph = (struct graph){0};
}
