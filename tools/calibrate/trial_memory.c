#include "tools/calibrate/trial_memory.h"

#include <stdlib.h>
#include <string.h>

void trial_memory_init(struct trial_memory *memory)
{
    *memory = (struct trial_memory){.items = NULL};
    pthread_mutex_init(&memory->lock, NULL);
}

void trial_memory_finish(struct trial_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        free(memory->items[i].key);
    free(memory->items);
    pthread_mutex_destroy(&memory->lock);
}

static const struct trial_memory_item *find(const struct trial_memory *memory, const char *key)
{
    for (size_t i = 0; i < memory->count; i++)
        if (strcmp(memory->items[i].key, key) == 0)
            return &memory->items[i];
    return NULL;
}

bool trial_memory_find(struct trial_memory *memory, const char *key, double *cycles)
{
    pthread_mutex_lock(&memory->lock);
    const struct trial_memory_item *item = find(memory, key);
    if (item != NULL)
        *cycles = item->cycles;
    pthread_mutex_unlock(&memory->lock);
    return item != NULL;
}

static bool grow(struct trial_memory *memory)
{
    size_t room = memory->room * 2 + 16;
    if (memory->count < memory->room)
        return true;
    struct trial_memory_item *items = realloc(memory->items, room * sizeof *items);
    if (items == NULL)
        return false;
    memory->items = items;
    memory->room = room;
    return true;
}

static bool add(struct trial_memory *memory, const char *key, double cycles)
{
    char *own = grow(memory) ? strdup(key) : NULL;
    if (own == NULL)
        return false;
    memory->items[memory->count++] = (struct trial_memory_item){own, cycles};
    return true;
}

bool trial_memory_add(struct trial_memory *memory, const char *key, double cycles)
{
    pthread_mutex_lock(&memory->lock);
    bool done = find(memory, key) != NULL || add(memory, key, cycles);
    pthread_mutex_unlock(&memory->lock);
    return done;
}
