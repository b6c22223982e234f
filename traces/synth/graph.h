/* Generated graphs in compressed rows, in host memory. */
#ifndef HEARTH_TRACES_SYNTH_GRAPH_H
#define HEARTH_TRACES_SYNTH_GRAPH_H

#include "traces/synth/synth.h"

struct graph {
    uint32_t nodes, edges; /* both directions counted */
    uint32_t *first;       /* of each node, nodes + 1 */
    uint32_t *to;
};

/* R-MAT (Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph
 * mining) with the Graph500 probabilities 0.57, 0.19, 0.19, 0.05; or, with
 * UNIFORM, all pairs alike. PAIRS undirected edges. On failure the graph is
 * empty. */
void graph_init(struct graph *graph, struct synth *synth, uint32_t nodes, uint32_t pairs,
                bool uniform);
void graph_finish(struct graph *graph);

#endif
