/* The lane addresses of an instruction line. */
#ifndef HEARTH_TRACES_ADDRESS_H
#define HEARTH_TRACES_ADDRESS_H

#include "traces/inst.h"

struct address_list {
    enum trace_address_mode mode;
    uint32_t count;  /* words used */
    uint64_t *words; /* the caller's; room for 32 */
    /* After a failure: where and what was expected there. */
    const char *failed_at, *expected;
};

/* Reads "mode addresses" at AT for the lanes in MASK. Returns the end, or NULL.
 * Whatever mode the file uses, addresses with an equal distance become
 * TRACE_ADDRESS_STRIDE. With an empty mask nothing is kept. */
const char *address_read(const char *at, uint32_t mask, struct address_list *list);

/* Address words of a record with MODE and MASK. */
static inline uint32_t address_count(enum trace_address_mode mode, uint32_t mask)
{
    if (mode == TRACE_ADDRESS_LIST)
        return (uint32_t)__builtin_popcount(mask);
    return mode == TRACE_ADDRESS_STRIDE ? 2 : 0;
}

/* The same of RECORD. */
static inline uint32_t address_words(const struct trace_record *record)
{
    return address_count(record->mode, record->mask);
}

#endif
