/* The lane addresses of records: how many words a record has, and which address
 * each active lane accesses. Public: readers of records include it together
 * with traces.h. */
#ifndef HEARTH_TRACES_ADDRESS_H
#define HEARTH_TRACES_ADDRESS_H

#include <stdbool.h>

#include "traces/inst.h"

static inline bool address_is_rows(enum trace_address_mode mode)
{
    return mode >= TRACE_ADDRESS_ROWS_2;
}

/* Whether there are words for single lanes or rows, not one base. */
static inline bool address_is_list(enum trace_address_mode mode)
{
    return mode == TRACE_ADDRESS_LIST || address_is_rows(mode);
}

/* Log2 of the lanes in a row; 0 for other modes. */
static inline uint32_t address_row_shift(enum trace_address_mode mode)
{
    return address_is_rows(mode) ? mode - TRACE_ADDRESS_ROWS_2 + 1 : 0;
}

/* The number of address words of a record with MODE and MASK. */
static inline uint32_t address_count(enum trace_address_mode mode, uint32_t mask)
{
    if (address_is_list(mode))
        return ((uint32_t)__builtin_popcount(mask) >> address_row_shift(mode)) +
               address_is_rows(mode);
    return mode == TRACE_ADDRESS_STRIDE ? 2 : 0;
}

/* The number of address words of RECORD. */
static inline uint32_t address_words(const struct trace_record *record)
{
    return address_count(record->mode, record->mask);
}

/* The addresses of RECORD's active lanes in ascending order of lanes. WORDS are the record's
 * words. Returns WORDS if they are the addresses already, else ROOM with the addresses filled
 * in. The result of a record with TRACE_ADDRESS_NONE must not be read. */
static inline const uint64_t *address_lanes(const struct trace_record *record,
                                            const uint64_t *words, uint64_t room[static 32])
{
    uint32_t count = (uint32_t)__builtin_popcount(record->mask);
    uint32_t shift = address_row_shift(record->mode), rows = count >> shift;
    if (record->mode == TRACE_ADDRESS_LIST)
        return words;
    if (record->mode == TRACE_ADDRESS_STRIDE) {
        uint64_t address = words[0], stride = words[1];
        for (uint32_t i = 0; i < count; i++, address += stride)
            room[i] = address;
    } else if (address_is_rows(record->mode)) {
        uint64_t stride = words[rows];
        for (uint32_t i = 0; i < count; i++)
            room[i] = words[i >> shift] + (i & ((1u << shift) - 1)) * stride;
    }
    return room;
}

/* Shortens the list at WORDS, which has the address of each lane in MASK (32 words may be
 * read), to the longest rows that each cover at most 32 bytes. Returns the new mode:
 * TRACE_ADDRESS_LIST if nothing changed. */
enum trace_address_mode address_rows(uint64_t *words, uint32_t mask);

#endif
