/* bfs: level-synchronous breadth-first search as in Rodinia: two launches a
 * level, one thread a node, masks of bytes; from several sources. */
#include <stdlib.h>
#include <string.h>

#include "traces/synth/graph.h"
#include "traces/synth/warp.h"

#define BLOCK 256

struct bfs {
    struct graph graph;
    uint8_t *frontier, *next, *visited;
    uint64_t nodes, edges; /* on the device: 8 bytes a node, 4 an edge */
    uint64_t mask, updating, seen, cost, over;
};

/* The neighbours that lanes look at. */
struct bfs_walk {
    uint32_t at[WARP_SIZE], end[WARP_SIZE];
};

static uint32_t lanes_with_edges(const struct warp *w, const struct bfs_walk *walk)
{
    uint32_t mask = 0;
    EACH_LANE(w, l)
    mask |= (uint32_t)(walk->at[l] < walk->end[l]) << l;
    return mask;
}

/* One neighbour: where it is new, its cost is set and it is marked. */
static void look_at(struct warp *w, const struct bfs *bfs, uint64_t node,
                    const struct bfs_walk *walk)
{
    struct lanes at;
    uint32_t fresh = 0, id[WARP_SIZE];
    EACH_LANE(w, l)
    at.at[l] = bfs->edges + 4ull * walk->at[l];
    warp_memory(w, LDG, 12, 10, &at);
    OP(w, "SHF.R.S32.HI", 18, RZ, 12);
    OP(w, "IADD3", 14, 12, RZ);
    OP(w, "IADD3.X", 15, 18, RZ);
    EACH_LANE(w, l)
    {
        id[l] = bfs->graph.to[walk->at[l]];
        at.at[l] = bfs->seen + id[l];
        fresh |= (uint32_t)!bfs->visited[id[l]] << l;
    }
    warp_memory(w, LDG_U8, 14, 14, &at);
    OP(w, "ISETP.NE.AND", NONE, 14, RZ);
    struct branch branch = warp_if(w, fresh);
    warp_memory_row(w, LDG, 17, 4, bfs->cost + 4 * node, 4);
    OP(w, "IMAD.MOV.U32", 16, RZ, RZ);
    OP(w, "IADD3", 20, 12, RZ);
    OP(w, "IMAD.WIDE", 22, 12, REG_SIZE);
    OP(w, "IADD3", 17, 17, RZ);
    OP(w, "IADD3.X", 21, 18, RZ);
    EACH_LANE(w, l)
    at.at[l] = bfs->cost + 4ull * id[l];
    warp_memory(w, STG, 17, 22, &at);
    EACH_LANE(w, l)
    {
        at.at[l] = bfs->updating + id[l];
        bfs->next[id[l]] = 1;
    }
    warp_memory(w, STG_U8, 16, 20, &at);
    warp_end_if(w, branch);
}

static void expand(struct warp *w, const void *data)
{
    const struct bfs *bfs = data;
    uint64_t node = warp_prologue(w);
    uint32_t active = 0;
    struct bfs_walk walk;
    if (warp_bound(w, node, bfs->graph.nodes))
        return;
    OP(w, "IADD3", 4, 0, RZ);
    OP(w, "LEA.HI.X.SX32", 5, 0);
    warp_memory_row(w, LDG_U8, 2, 4, bfs->mask + node, 1);
    EACH_LANE(w, l)
    {
        active |= (uint32_t)bfs->frontier[node + l] << l;
        walk.at[l] = bfs->graph.first[node + l];
        walk.end[l] = bfs->graph.first[node + l + 1];
    }
    OP(w, "ISETP.NE.AND", NONE, 2, RZ);
    if (warp_leave(w, ~active))
        return;
    warp_memory_row(w, STG_U8, RZ, 4, bfs->mask + node, 1);
    OP(w, "IMAD.WIDE", 8, 0, RZ);
    warp_memory_row(w, LDG_64, 8, 8, bfs->nodes + 8 * node, 8);
    OP(w, "ISETP.GE.AND", NONE, 9);
    OP(w, "IMAD.WIDE", 10, 8, REG_SIZE);
    warp_pointer(w, 4, 0);
    OP(w, "IMAD.IADD", 9, 8, 9);
    struct lane_loop loop = {0};
    while (lane_loop_next(w, &loop, lanes_with_edges(w, &walk))) {
        look_at(w, bfs, node, &walk);
        EACH_LANE(w, l)
        walk.at[l]++;
        OP(w, "IADD3", 8, 8, RZ);
        OP(w, "IADD3", 10, 10, RZ);
        OP(w, "IMAD.X", 11, RZ, RZ, 11);
    }
}

static void update(struct warp *w, const void *data)
{
    const struct bfs *bfs = data;
    uint64_t node = warp_prologue(w);
    uint32_t marked = 0;
    if (warp_bound(w, node, bfs->graph.nodes))
        return;
    OP(w, "IADD3", 4, 0, RZ);
    OP(w, "LEA.HI.X.SX32", 5, 0);
    warp_memory_row(w, LDG_U8, 2, 4, bfs->updating + node, 1);
    EACH_LANE(w, l)
    marked |= (uint32_t)bfs->next[node + l] << l;
    OP(w, "ISETP.NE.AND", NONE, 2, RZ);
    if (warp_leave(w, ~marked))
        return;
    OP(w, "IMAD.MOV.U32", 12, RZ, RZ);
    OP(w, "IADD3", 8, 0, RZ);
    warp_memory_row(w, STG_U8, 12, 8, bfs->mask + node, 1);
    OP(w, "IADD3", 10, 0, RZ);
    warp_memory_row(w, STG_U8, 12, 10, bfs->seen + node, 1);
    OP(w, "IMAD.MOV.U32", 14, RZ, RZ);
    OP(w, "IMAD.MOV.U32", 15, RZ, RZ);
    warp_memory_row(w, STG_U8, 12, 14, bfs->over, 0);
    warp_memory_row(w, STG_U8, RZ, 4, bfs->updating + node, 1);
}

/* What update() does to the data; false when the search is over. */
static bool next_level(struct bfs *bfs)
{
    bool any = false;
    uint32_t nodes = bfs->graph.nodes;
    for (uint32_t n = 0; n < nodes; n++) {
        bfs->visited[n] |= bfs->next[n];
        any = any || bfs->next[n];
    }
    memcpy(bfs->frontier, bfs->next, nodes);
    memset(bfs->next, 0, nodes);
    return any;
}

static void search(struct synth *synth, struct bfs *bfs, uint32_t source)
{
    uint32_t nodes = bfs->graph.nodes, blocks = div_up(nodes, BLOCK);
    memset(bfs->visited, 0, nodes);
    memset(bfs->frontier, 0, nodes);
    bfs->visited[source] = bfs->frontier[source] = 1;
    synth_copy(synth, bfs->mask, nodes);
    synth_copy(synth, bfs->updating, nodes);
    synth_copy(synth, bfs->seen, nodes);
    synth_copy(synth, bfs->cost, 4ull * nodes);
    do {
        synth_copy(synth, bfs->over, 1);
        LAUNCH(synth, "_Z6KernelP4NodePiPbS2_S2_S1_i", {blocks}, {BLOCK}, 24, 0, expand, bfs);
        LAUNCH(synth, "_Z7Kernel2PbS_S_S_i", {blocks}, {BLOCK}, 16, 0, update, bfs);
    } while (!synth->failed && next_level(bfs));
}

/* A source with neighbours, so that there is something to search. */
static uint32_t choose_source(struct synth *synth, const struct graph *graph)
{
    uint32_t node = (uint32_t)random_below(synth_random(synth), graph->nodes);
    while (graph->first[node] == graph->first[node + 1])
        node = (node + 1) % graph->nodes;
    return node;
}

static void run(struct synth *synth, struct bfs *bfs, int sources)
{
    uint64_t nodes = bfs->graph.nodes;
    bfs->frontier = synth_host(synth, nodes, 1);
    bfs->next = synth_host(synth, nodes, 1);
    bfs->visited = synth_host(synth, nodes, 1);
    bfs->nodes = synth_upload(synth, 8 * nodes);
    bfs->edges = synth_upload(synth, 4ull * bfs->graph.edges);
    bfs->mask = synth_alloc(synth, nodes);
    bfs->updating = synth_alloc(synth, nodes);
    bfs->seen = synth_alloc(synth, nodes);
    bfs->cost = synth_alloc(synth, 4 * nodes);
    bfs->over = synth_alloc(synth, 1);
    for (int i = 0; i < sources && !synth->failed; i++)
        search(synth, bfs, choose_source(synth, &bfs->graph));
    free(bfs->frontier);
    free(bfs->next);
    free(bfs->visited);
    graph_finish(&bfs->graph);
}

void synth_bfs(struct synth *synth)
{
    struct bfs bfs = {0};
    uint32_t nodes = synth_scaled(synth, 30000, 64);
    graph_init(&bfs.graph, synth, nodes, 8 * nodes, false);
    run(synth, &bfs, 6);
}

void synth_bfs_uniform(struct synth *synth)
{
    struct bfs bfs = {0};
    uint32_t nodes = synth_scaled(synth, 100000, 64);
    graph_init(&bfs.graph, synth, nodes, 2 * nodes, true);
    run(synth, &bfs, 4);
}
