#include "traces/base/bytes.h"

#include <stdlib.h>
#include <string.h>

void bytes_finish(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

bool bytes_reserve(struct bytes *bytes, size_t more)
{
    size_t capacity = bytes->capacity > 0 ? bytes->capacity : 64;
    while (capacity - bytes->size < more && capacity < SIZE_MAX / 2)
        capacity *= 2;
    if (capacity - bytes->size < more) {
        bytes->failed = true;
        return false;
    }
    if (capacity == bytes->capacity)
        return true;
    void *larger = realloc(bytes->data, capacity);
    if (larger == NULL) {
        bytes->failed = true;
        return false;
    }
    bytes->data = larger;
    bytes->capacity = capacity;
    return true;
}

void bytes_put(struct bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !bytes_reserve(bytes, size))
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}
