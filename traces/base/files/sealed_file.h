/* A file that tells whether it is whole: its bytes, then
 *
 *   8 bytes  XXH64 of all before them, seed 0, little-endian
 *   8 bytes  SEALED_MARK
 *
 * Both ends see one byte after the other and keep no more than a few of them. The mark comes
 * last, so that a file without it was cut off, one with it and another sum was changed. */
#ifndef HEARTH_TRACES_BASE_FILES_SEALED_FILE_H
#define HEARTH_TRACES_BASE_FILES_SEALED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <xxhash.h>

#define SEALED_MARK "hearthOK"
#define SEALED_TAIL 16 /* bytes behind the contents */
#define SEALED_ROOM 4096

struct sealed_out {
    FILE *file; /* not owned */
    XXH64_state_t *sum;
    bool good; /* all was taken so far */
    size_t size;
    uint8_t bytes[SEALED_ROOM]; /* SIZE of them are neither in the file nor in the sum */
};

/* OUT is to be finished also when it failed. */
void sealed_out_init(struct sealed_out *out, FILE *file);
/* SIZE bytes; then a number, the low BYTES bytes of VALUE, little-endian. */
void sealed_write(struct sealed_out *out, const void *data, size_t size);
void sealed_put(struct sealed_out *out, uint64_t value, unsigned bytes);
/* Writes the end. Returns whether the file took everything. */
bool sealed_out_finish(struct sealed_out *out);

/* What stands at the end of a file. */
enum sealed_end {
    SEALED_WHOLE,
    SEALED_DAMAGED, /* the mark, and a sum that is not that of the contents */
    SEALED_CUT,     /* no mark */
    SEALED_UNREAD,  /* reading failed, errno says why; or memory is short */
};

struct sealed_in {
    FILE *file; /* not owned */
    XXH64_state_t *sum;
    uint64_t read; /* bytes of the file so far */
    size_t at, size;
    uint8_t bytes[SEALED_ROOM]; /* those from AT up to SIZE were not given yet; those in front
                                 * of AT are not in the sum yet */
};

void sealed_in_init(struct sealed_in *in, FILE *file);
/* The next SIZE bytes of the contents; then a number as of sealed_put(). False where the
 * contents end: the last SEALED_TAIL bytes of a file are none of them. */
bool sealed_read(struct sealed_in *in, void *data, size_t size);
bool sealed_get(struct sealed_in *in, uint64_t *value, unsigned bytes);
/* Reads on to the end; *LEFT says how many bytes of contents were never asked for. */
enum sealed_end sealed_in_finish(struct sealed_in *in, uint64_t *left);

#endif
