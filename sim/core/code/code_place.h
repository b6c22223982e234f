/* The code of a launch: where it lies, and whether any launch has run it before. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_PLACE_H
#define HEARTH_SIM_CORE_CODE_CODE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* Where an SM is among those of its GPC that get the first blocks of a launch: these take turns
 * at what the GPC shares. One that gets none of them is alone. Those of a TPC are numbered from
 * 0 on. */
struct code_seat {
    uint16_t sms;    /* in the GPC */
    uint16_t number; /* in its TPC */
    uint16_t before; /* SMs of the GPC with lower numbers */
    uint16_t beside; /* SMs with its number, itself included */
    uint16_t place;  /* how many of these are in TPCs before its own */
};

struct code_place {
    uint64_t address;              /* of the first instruction */
    uint64_t number;               /* of the launch, from 1; no two have the same */
    const struct code_seat *seats; /* of each SM; NULL: none waits for another */
    uint32_t askers;  /* sub-cores of an SM that its first block begins on; at least 1 */
    uint32_t brought; /* bytes from there on that the launch has brought near; 0: none */
    uint32_t bytes;   /* of these, how many are the function's, as far as that is known */
    bool fresh;       /* the first launch of this function: L2 does not hold the code yet */
    bool cold;        /* L2 was emptied since the last one: what is brought comes from DRAM */
    bool late;        /* so do parameters alone: L2 lacked the place where they lie */
    uint8_t params_half; /* of L2, where parameters have their home: 0 or 1 */
    uint64_t begin;      /* cycle from which the launch hands out blocks */
    bool in_memory;      /* L2 can be asked for it */
    bool constants;      /* it is no code */
    uint8_t slot;        /* of the launch, for counting in L2 */
};

/* The address of the function called NAME. It was LOADED there; for 0, not known, one that
 * depends only on the name, so that all launches of a kernel share it, whether they run one
 * after the other or at once. */
uint64_t code_place_address(const char *name, uint64_t loaded);

#endif
