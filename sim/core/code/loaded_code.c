#include "sim/core/code/loaded_code.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/queue.h"

#define FIRST_ROOM 64u

/* Where ADDRESS is, or would be. */
static size_t find(const struct loaded_code *loaded, uint64_t address)
{
    size_t low = 0, high = loaded->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (loaded->addresses[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void make_room(struct loaded_code *loaded)
{
    if (loaded->count < loaded->room)
        return;
    loaded->room = loaded->room < FIRST_ROOM ? FIRST_ROOM : 2 * loaded->room;
    uint64_t *more = realloc(loaded->addresses, loaded->room * sizeof *more);
    if (more == NULL)
        memory_short();
    loaded->addresses = more;
}

bool loaded_code_add(struct loaded_code *loaded, uint64_t address)
{
    size_t at = find(loaded, address);
    if (at < loaded->count && loaded->addresses[at] == address)
        return true;
    make_room(loaded);
    memmove(&loaded->addresses[at + 1], &loaded->addresses[at],
            (loaded->count - at) * sizeof *loaded->addresses);
    loaded->addresses[at] = address;
    loaded->count++;
    return false;
}

bool loaded_code_has(const struct loaded_code *loaded, uint64_t address)
{
    size_t at = find(loaded, address);
    return at < loaded->count && loaded->addresses[at] == address;
}

void loaded_code_finish(struct loaded_code *loaded)
{
    free(loaded->addresses);
    memset(loaded, 0, sizeof *loaded);
}
