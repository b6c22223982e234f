#include "sampling/intra/photon/basics.h"

#include <stdlib.h>

static uint32_t *slot_of(const struct photon_basics *basics, uint32_t pc, uint32_t insts)
{
    uint32_t mask = 2 * basics->capacity - 1;
    uint64_t key = ((uint64_t)insts << 32 | pc) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = (uint32_t)(key >> 32) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &basics->slots[i];
        if (*slot == 0 ||
            (basics->items[*slot - 1].pc == pc && basics->items[*slot - 1].insts == insts))
            return slot;
    }
}

static bool grow(struct photon_basics *basics)
{
    uint32_t capacity = basics->capacity > 0 ? 2 * basics->capacity : 64;
    struct photon_basic *items = realloc(basics->items, capacity * sizeof *items);
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
    if (items != NULL)
        basics->items = items;
    if (items == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(basics->slots);
    basics->slots = slots;
    basics->capacity = capacity;
    for (uint32_t i = 0; i < basics->count; i++)
        *slot_of(basics, items[i].pc, items[i].insts) = i + 1;
    return true;
}

struct photon_basic *photon_basics_find(struct photon_basics *basics, uint32_t pc,
                                        uint32_t insts)
{
    if (basics->count == basics->capacity && !grow(basics))
        return NULL;
    uint32_t *slot = slot_of(basics, pc, insts);
    if (*slot == 0) {
        basics->items[basics->count++] =
            (struct photon_basic){.pc = pc, .insts = insts, .model = -1};
        *slot = basics->count;
    }
    return &basics->items[*slot - 1];
}

bool photon_basics_time(struct photon_basics *basics, struct photon_basic *basic,
                        struct photon_point time, double delta)
{
    bool good = photon_window_add(&basic->window, time, delta);
    if (basic->stable || !basic->window.stable)
        return good;
    basic->stable = true;
    basics->stable += basic->weight;
    return good;
}

void photon_basics_finish(struct photon_basics *basics)
{
    for (uint32_t i = 0; i < basics->count; i++)
        photon_window_finish(&basics->items[i].window);
    free(basics->items);
    free(basics->slots);
    *basics = (struct photon_basics){0};
}
