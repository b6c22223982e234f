/* Growing arrays: of anything; of bytes, and numbers in it: LEB128, zigzag for signed ones. */
#ifndef HEARTH_TRACES_BASE_BYTES_H
#define HEARTH_TRACES_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Arrays of anything grow to powers of two, so that their length is enough to know when they
 * are full. */

/* Makes room for one more element after the COUNT elements of SIZE bytes in *ARRAY, which never
 * had more. Returns false when memory is short: the array is then unchanged. */
static inline bool array_room(void *array, size_t count, size_t size)
{
    void **at = (void **)array;
    if ((count & (count - 1)) != 0)
        return true;
    void *larger = reallocarray(*at, count == 0 ? 1 : 2 * count, size);
    if (larger != NULL)
        *at = larger;
    return larger != NULL;
}

/* Zeroed: empty. */
struct bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed; /* memory ran out; what was put after that is missing */
};

void bytes_finish(struct bytes *bytes);
/* Makes room for MORE bytes. Returns false if memory is short. */
bool bytes_reserve(struct bytes *bytes, size_t more);
void bytes_put(struct bytes *bytes, const void *data, size_t size);

static inline void bytes_byte(struct bytes *bytes, uint8_t byte)
{
    if (__builtin_expect(bytes->size == bytes->capacity, 0) && !bytes_reserve(bytes, 1))
        return;
    bytes->data[bytes->size++] = byte;
}

static inline void bytes_number(struct bytes *bytes, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        bytes_byte(bytes, (uint8_t)(value | 128));
    bytes_byte(bytes, (uint8_t)value);
}

static inline uint64_t zigzag(uint64_t value)
{
    return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

static inline uint64_t unzigzag(uint64_t value)
{
    return value >> 1 ^ -(value & 1);
}

/* The bytes that are left to read. Reading past the end gives 0 and sets `bad`. */
struct byte_reader {
    const uint8_t *at, *end;
    bool bad;
};

static inline uint8_t reader_byte(struct byte_reader *reader)
{
    if (__builtin_expect(reader->at < reader->end, 1))
        return *reader->at++;
    reader->bad = true;
    return 0;
}

static inline uint64_t reader_number(struct byte_reader *reader)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        uint8_t byte = reader_byte(reader);
        if (shift < 64)
            value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    reader->bad = true;
    return 0;
}

/* The next SIZE bytes in place; NULL if there are fewer. */
static inline const uint8_t *reader_take(struct byte_reader *reader, uint64_t size)
{
    if (size > (uint64_t)(reader->end - reader->at)) {
        reader->bad = true;
        return NULL;
    }
    const uint8_t *taken = reader->at;
    if (size > 0) /* an empty reader may have no bytes at all */
        reader->at += size;
    return taken;
}

#endif
