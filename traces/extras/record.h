/* Extras of records in memory: words behind the addresses of records with the bit `extras`. The
 * first has the active mask in its low half and how many numbers follow in its high half, with
 * EXTRAS_ACTIVE if there is a mask and EXTRAS_ADDRESS if there is an address. That follows,
 * then two numbers a word. */
#ifndef HEARTH_TRACES_EXTRAS_RECORD_H
#define HEARTH_TRACES_EXTRAS_RECORD_H

#include "traces/address.h"
#include "traces/extras.h"

#define EXTRAS_ACTIVE  (UINT64_C(1) << 63)
#define EXTRAS_ADDRESS (UINT64_C(1) << 62)
/* Words that the extras of a record take at most. */
#define EXTRAS_MOST_WORDS (2 + (TRACE_MAX_TAIL + 1) / 2)

/* How many numbers the extras at WORDS have. */
static inline uint32_t extras_numbers(const uint64_t *words)
{
    return (uint32_t)(words[0] >> 32) & 0xff;
}

/* The words that the extras at WORDS take. */
static inline uint32_t extras_words(const uint64_t *words)
{
    return 1 + ((words[0] & EXTRAS_ADDRESS) != 0) + (extras_numbers(words) + 1) / 2;
}

/* The words of RECORD, which begin at WORDS, those of its extras included. */
static inline uint32_t record_words(const struct trace_record *record, const uint64_t *words)
{
    uint32_t count = address_words(record);
    return record->extras ? count + extras_words(words + count) : count;
}

/* Whether there are any. */
static inline bool extras_are_there(const struct trace_extras *extras)
{
    return extras->has_active || extras->has_address || extras->number_count > 0;
}

/* Puts EXTRAS at WORDS, which have room for EXTRAS_MOST_WORDS. Returns how many were used. */
uint32_t extras_put(const struct trace_extras *extras, uint64_t *words);

#endif
