/* Which SM gets the next thread block: clusters take turns, and so do the SMs of a cluster,
 * each starting after the last one that got a block. Timed launches run such a round in each
 * cycle; functional ones, which know no cycles, run rounds until no place is free. */
#ifndef HEARTH_SIM_ORDER_BLOCK_ORDER_H
#define HEARTH_SIM_ORDER_BLOCK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK_ORDER_NONE UINT32_MAX

struct block_order {
    uint32_t clusters, sms_per_cluster;
    const uint16_t *visit; /* clusters in their turns; NULL: as they are numbered */
    uint32_t *last_turn;   /* of the cluster that got a block; owned by the user */
    uint32_t *last_sm;     /* of each cluster: its SM, from 0, that got a block; likewise */
    const uint16_t *first; /* clusters that get the first blocks of a launch, before any turn;
                            * one may come several times */
    uint32_t first_count;
};

/* How blocks are given. SM counts over all clusters. */
struct block_order_taker {
    bool (*has_place)(void *data, uint32_t sm);
    /* Returns 1 when there are more blocks to give, 0 after the last one, -1 on error. */
    int (*give)(void *data, uint32_t sm);
    void *data;
};

/* Before a launch: the first SM of each cluster is next. Sets `last_sm`, to be freed, of ORDER,
 * whose other members are set. Returns false when memory is short. */
static inline bool block_order_init(struct block_order *order)
{
    order->last_sm = calloc(order->clusters, sizeof *order->last_sm);
    for (uint32_t c = 0; order->last_sm != NULL && c < order->clusters; c++)
        order->last_sm[c] = order->sms_per_cluster - 1;
    return order->last_sm != NULL;
}

/* The cluster that has TURN; turns repeat. */
static inline uint32_t block_order_cluster(const struct block_order *order, uint32_t turn)
{
    turn %= order->clusters;
    return order->visit != NULL ? order->visit[turn] : turn;
}

/* The turn of CLUSTER. */
static inline uint32_t block_order_turn(const struct block_order *order, uint32_t cluster)
{
    uint32_t turn = 0;
    while (block_order_cluster(order, turn) != cluster)
        turn++;
    return turn;
}

/* The SM of CLUSTER that gets the next block; BLOCK_ORDER_NONE: none has a place. */
static inline uint32_t block_order_sm(const struct block_order *order, uint32_t cluster,
                                      const struct block_order_taker *taker)
{
    for (uint32_t i = 0; i < order->sms_per_cluster; i++) {
        uint32_t sm = (order->last_sm[cluster] + 1 + i) % order->sms_per_cluster;
        sm += cluster * order->sms_per_cluster;
        if (taker->has_place(taker->data, sm))
            return sm;
    }
    return BLOCK_ORDER_NONE;
}

/* Gives an SM of CLUSTER a block, if one has a place; GIVEN: whether. Returns 0 if that was the
 * last block, -1 on error, else 1. */
static inline int block_order_give(const struct block_order *order, uint32_t cluster,
                                   const struct block_order_taker *taker, bool *given)
{
    uint32_t sm = block_order_sm(order, cluster, taker);
    *given = sm != BLOCK_ORDER_NONE;
    if (!*given)
        return 1;
    order->last_sm[cluster] = sm % order->sms_per_cluster;
    return taker->give(taker->data, sm);
}

/* Gives the first blocks of a launch, once: to those of `first` that have a place. Returns 0,
 * or -1 after an error. */
static inline int block_order_begin(struct block_order *order,
                                    const struct block_order_taker *taker)
{
    uint32_t last = BLOCK_ORDER_NONE; /* cluster */
    int more = 1;
    for (uint32_t i = 0; more > 0 && i < order->first_count; i++) {
        bool given;
        more = block_order_give(order, order->first[i], taker, &given);
        if (given)
            last = order->first[i];
    }
    if (last != BLOCK_ORDER_NONE)
        *order->last_turn = block_order_turn(order, last);
    order->first_count = 0;
    return more < 0 ? -1 : 0;
}

/* Gives each cluster one block at most, while there are any; there is one at first. Returns 0,
 * or -1 after an error. */
static inline int block_order_round(const struct block_order *order,
                                    const struct block_order_taker *taker)
{
    uint32_t last = *order->last_turn;
    int more = 1;
    for (uint32_t i = 0; more > 0 && i < order->clusters; i++) {
        uint32_t turn = (last + 1 + i) % order->clusters;
        bool given;
        more = block_order_give(order, block_order_cluster(order, turn), taker, &given);
        if (given)
            *order->last_turn = turn;
    }
    return more < 0 ? -1 : 0;
}

#endif
