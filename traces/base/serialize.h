/* The image of a simulator's state: a buffer that the parts of the model are
 * copied to, or from, by one function a part that serves both directions.
 *
 * A struct enters as its bytes but for the members that are left out: those
 * that point at something, whose contents follow by themselves, and those
 * that the configuration fixes. New plain members need no further thought, new
 * pointers must be left out. An image only fits the program that made it. */
#ifndef HEARTH_TRACES_BASE_SERIALIZE_H
#define HEARTH_TRACES_BASE_SERIALIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serializer {
    uint8_t *bytes; /* owned */
    size_t size, room;
    size_t at;    /* next byte to be copied from */
    bool loading; /* from the image, not to it */
    bool failed;  /* short of memory, or of bytes; what is loaded then is worthless */
};

void serializer_finish(struct serializer *image);

/* Copies SIZE bytes at DATA to the image, or from it. */
void serialize_bytes(struct serializer *image, void *data, size_t size);
/* An array at *ARRAY of *COUNT elements of SIZE bytes, allocated anew for as
 * many as the image has; *COUNT was copied before. */
void serialize_array(struct serializer *image, void **array, size_t count, size_t size);

/* A member that is left out. */
struct serializer_member {
    size_t offset, size;
};
#define SERIALIZE_WITHOUT(type, member)                                                        \
    {                                                                                          \
        offsetof(type, member), sizeof(((type *)NULL)->member)                                 \
    }
/* Copies a struct of SIZE bytes but for COUNT members, in the order in which
 * they stand in it. */
void serialize_struct(struct serializer *image, void *data, size_t size,
                      const struct serializer_member *without, size_t count);
#define SERIALIZE_STRUCT(image, data, without)                                                 \
    serialize_struct(image, data, sizeof *(data), without, sizeof(without) / sizeof *(without))

#endif
