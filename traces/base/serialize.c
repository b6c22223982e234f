#include "traces/base/serialize.h"

#include <stdlib.h>
#include <string.h>

void serializer_finish(struct serializer *image)
{
    free(image->bytes);
    *image = (struct serializer){0};
}

static bool make_room(struct serializer *image, size_t size)
{
    size_t room = image->room > 0 ? image->room : 1 << 20;
    while (room - image->size < size)
        room *= 2;
    if (room == image->room)
        return true;
    uint8_t *bytes = realloc(image->bytes, room);
    if (bytes == NULL)
        return false;
    image->bytes = bytes;
    image->room = room;
    return true;
}

void serialize_bytes(struct serializer *image, void *data, size_t size)
{
    if (image->failed || size == 0)
        return;
    if (image->loading ? image->size - image->at < size : !make_room(image, size)) {
        image->failed = true;
        return;
    }
    if (image->loading) {
        memcpy(data, image->bytes + image->at, size);
        image->at += size;
    } else {
        memcpy(image->bytes + image->size, data, size);
        image->size += size;
    }
}

void serialize_array(struct serializer *image, void **array, size_t count, size_t size)
{
    if (image->failed)
        return;
    if (image->loading) {
        /* The count came from the image: no more than it holds. */
        void *grown = count <= (image->size - image->at) / size
                          ? realloc(*array, count > 0 ? count * size : 1)
                          : NULL;
        image->failed = grown == NULL;
        if (image->failed)
            return;
        *array = grown;
    }
    serialize_bytes(image, *array, count * size);
}

void serialize_struct(struct serializer *image, void *data, size_t size,
                      const struct serializer_member *without, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (without[i].offset < at) /* not in order */
            image->failed = true;
        else
            serialize_bytes(image, (char *)data + at, without[i].offset - at);
        at = without[i].offset + without[i].size;
    }
    serialize_bytes(image, (char *)data + at, size - at);
}
