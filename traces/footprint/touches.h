/* From records to the lines that they touch. */
#ifndef HEARTH_TRACES_FOOTPRINT_TOUCHES_H
#define HEARTH_TRACES_FOOTPRINT_TOUCHES_H

#include <stdbool.h>

#include "traces/inst.h"

#define LINE_SHIFT   7 /* 128-byte lines */
#define SECTOR_SHIFT 5
#define LINE_SECTORS 4

/* Lines are numbered by address / 128. Those of local memory, which has no
 * address of its own, have this bit. */
#define TOUCH_LOCAL (UINT64_C(1) << 57)

enum { TOUCH_READ = 1, TOUCH_WRITE = 2 };

/* What one record touches of one line. */
struct footprint_touch {
    uint64_t line;
    uint64_t bytes[2];   /* bit = byte in which an access of a lane begins */
    uint64_t covered[2]; /* of writes: bit = byte that they hold */
    uint8_t sectors;     /* bit = sector */
    uint8_t kind;        /* TOUCH_ bits */
};

/* 32 lanes of 32 bytes of local memory: 8 words each, some across two lines. */
#define TOUCHES_OF_RECORD 320
#define TOUCHES           1024

/* Touches of many records; the lines of a record are different. */
struct footprint_touches {
    struct footprint_touch items[TOUCHES];
    uint32_t count;
    uint32_t first; /* of the current record */
    uint8_t kind;   /* its TOUCH_ bits */
};

/* Whether another record may not find room. */
static inline bool touches_full(const struct footprint_touches *touches)
{
    return touches->count + TOUCHES_OF_RECORD > TOUCHES;
}

/* Adds a record of global memory, with addresses; WIDTH in bytes a lane.
 * Returns how many sectors it touches. */
uint32_t touches_add_global(struct footprint_touches *touches,
                            const struct trace_record *record, const uint64_t *addresses,
                            uint32_t width, uint8_t kind);
/* The same of local memory. BASE is where its window begins in generic
 * addresses, PLACE whose it is: a number for each warp that has memory of its own. */
uint32_t touches_add_local(struct footprint_touches *touches, const struct trace_record *record,
                           const uint64_t *addresses, uint32_t width, uint8_t kind,
                           uint64_t base, uint64_t place);

#endif
