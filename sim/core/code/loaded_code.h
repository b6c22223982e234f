/* The functions that launches have run, by address: code that L2 may hold. */
#ifndef HEARTH_SIM_CORE_CODE_LOADED_CODE_H
#define HEARTH_SIM_CORE_CODE_LOADED_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loaded_code {
    uint64_t *addresses; /* ascending; owned */
    size_t count, room;
};

/* Adds ADDRESS. Returns false if it is new; memory_short() if there is no memory. */
bool loaded_code_add(struct loaded_code *loaded, uint64_t address);
bool loaded_code_has(const struct loaded_code *loaded, uint64_t address);
/* Accepts a zeroed one, and leaves one. */
void loaded_code_finish(struct loaded_code *loaded);

#endif
