#include "traces/extras/record.h"

#include <string.h>

uint32_t extras_put(const struct trace_extras *extras, uint64_t *words)
{
    uint32_t count = extras->number_count;
    uint64_t *at = words;
    *at++ = extras->active | (uint64_t)count << 32 | (extras->has_active ? EXTRAS_ACTIVE : 0) |
            (extras->has_address ? EXTRAS_ADDRESS : 0);
    if (extras->has_address)
        *at++ = extras->address;
    for (uint32_t i = 0; i < count; i += 2)
        *at++ = extras->numbers[i] | (uint64_t)(i + 1 < count ? extras->numbers[i + 1] : 0)
                                         << 32;
    return (uint32_t)(at - words);
}

bool trace_record_extras(const struct trace_record *record, const uint64_t *addresses,
                         struct trace_extras *extras)
{
    *extras = (struct trace_extras){0};
    if (!record->extras)
        return false;
    const uint64_t *words = addresses + record->address + address_words(record);
    extras->number_count = (uint8_t)extras_numbers(words);
    extras->has_active = (words[0] & EXTRAS_ACTIVE) != 0;
    extras->has_address = (words[0] & EXTRAS_ADDRESS) != 0;
    extras->active = (uint32_t)*words++;
    if (extras->has_address)
        extras->address = *words++;
    for (uint32_t i = 0; i < extras->number_count; i++)
        extras->numbers[i] = (uint32_t)(words[i / 2] >> 32 * (i % 2));
    return true;
}

bool trace_extras_shared(const struct trace_extras *extras, const struct trace_record *record,
                         uint32_t addresses[static 32])
{
    uint32_t lanes = (uint32_t)__builtin_popcount(record->mask);
    if (extras->number_count != 2 && extras->number_count != lanes)
        return false;
    if (extras->number_count == lanes && lanes != 2) {
        memcpy(addresses, extras->numbers, lanes * sizeof *addresses);
        return lanes > 0;
    }
    for (uint32_t i = 0; i < lanes; i++)
        addresses[i] = extras->numbers[0] + i * extras->numbers[1];
    return lanes > 0;
}
