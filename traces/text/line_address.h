/* The lane addresses of an instruction line. */
#ifndef HEARTH_TRACES_TEXT_LINE_ADDRESS_H
#define HEARTH_TRACES_TEXT_LINE_ADDRESS_H

#include "traces/inst.h"

struct line_address {
    enum trace_address_mode mode;
    uint32_t count;  /* words used */
    uint64_t *words; /* the caller's; room for 32 */
    /* After a failure: where and what was expected there. */
    const char *failed_at, *expected;
};

/* Reads "mode addresses" at AT for the lanes in MASK. Returns the end, or NULL
 * on failure. Addresses at equal distances become TRACE_ADDRESS_STRIDE,
 * whichever mode the file uses. If MASK is 0, nothing is kept. */
const char *line_address_read(const char *at, uint32_t mask, struct line_address *list);

#endif
