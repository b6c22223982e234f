/* The image of a simulator's state: a buffer. Each part of the model has one function that
 * copies it to the buffer or from it.
 *
 * A struct is copied byte by byte, without the members that are left out: pointers, whose
 * contents are copied separately, and members that the configuration determines. New plain
 * members are included automatically; new pointers must be left out. Only the program that made
 * an image can load it. */
#ifndef HEARTH_TRACES_BASE_SERIALIZE_H
#define HEARTH_TRACES_BASE_SERIALIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serializer {
    uint8_t *bytes; /* owned */
    size_t size, room;
    size_t at;    /* the next byte to load */
    bool loading; /* copies from the image, not to it */
    bool failed;  /* memory or the image was too short; what was loaded is then unusable */
};

void serializer_finish(struct serializer *image);

/* Copies SIZE bytes at DATA to the image or from it. */
void serialize_bytes(struct serializer *image, void *data, size_t size);
/* Copies the COUNT elements of SIZE bytes at *ARRAY, which is reallocated when it is loaded.
 * COUNT must have been copied before. */
void serialize_array(struct serializer *image, void **array, size_t count, size_t size);

/* A member that is left out. */
struct serializer_member {
    size_t offset, size;
};
#define SERIALIZE_WITHOUT(type, member)                                                        \
    {                                                                                          \
        offsetof(type, member), sizeof(((type *)NULL)->member)                                 \
    }
/* Copies a struct of SIZE bytes, except for the COUNT members WITHOUT, which must be in the
 * order of the struct. */
void serialize_struct(struct serializer *image, void *data, size_t size,
                      const struct serializer_member *without, size_t count);
#define SERIALIZE_STRUCT(image, data, without)                                                 \
    serialize_struct(image, data, sizeof *(data), without, sizeof(without) / sizeof *(without))

#endif
