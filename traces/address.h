/* The lane addresses of an instruction line. */
#ifndef HEARTH_TRACES_ADDRESS_H
#define HEARTH_TRACES_ADDRESS_H

#include <stdbool.h>

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

/* Shortens the list of the lanes in MASK at WORDS (32 may be read) to the longest rows that fit
 * into 32 bytes. Returns its mode from then on. */
enum trace_address_mode address_rows(uint64_t *words, uint32_t mask);

static inline bool address_is_rows(enum trace_address_mode mode)
{
    return mode >= TRACE_ADDRESS_ROWS_2;
}

/* Whether there are words for single lanes or rows, not one base. */
static inline bool address_is_list(enum trace_address_mode mode)
{
    return mode == TRACE_ADDRESS_LIST || address_is_rows(mode);
}

/* Log2 of the lanes of a row; 0 for other modes. */
static inline uint32_t address_row_shift(enum trace_address_mode mode)
{
    return address_is_rows(mode) ? mode - TRACE_ADDRESS_ROWS_2 + 1 : 0;
}

/* Address words of a record with MODE and MASK. */
static inline uint32_t address_count(enum trace_address_mode mode, uint32_t mask)
{
    if (address_is_list(mode))
        return ((uint32_t)__builtin_popcount(mask) >> address_row_shift(mode)) +
               address_is_rows(mode);
    return mode == TRACE_ADDRESS_STRIDE ? 2 : 0;
}

/* The same of RECORD. */
static inline uint32_t address_words(const struct trace_record *record)
{
    return address_count(record->mode, record->mask);
}

/* The addresses of the active lanes of RECORD, whose words are WORDS, in ascending lanes: in
 * ROOM, or where they stand in WORDS. None of TRACE_ADDRESS_NONE. */
static inline const uint64_t *address_lanes(const struct trace_record *record,
                                            const uint64_t *words, uint64_t room[static 32])
{
    uint32_t count = (uint32_t)__builtin_popcount(record->mask);
    uint32_t shift = address_row_shift(record->mode), rows = count >> shift;
    if (record->mode == TRACE_ADDRESS_LIST)
        return words;
    for (uint32_t i = 0; i < count && record->mode == TRACE_ADDRESS_STRIDE; i++)
        room[i] = words[0] + i * words[1];
    for (uint32_t i = 0; i < count && address_is_rows(record->mode); i++)
        room[i] = words[i >> shift] + (i & ((1u << shift) - 1)) * words[rows];
    return room;
}

#endif
