/* A file that shows whether it is complete: its contents, then
 *
 *   8 bytes  XXH64 of the contents, seed 0, little-endian
 *   8 bytes  SEALED_MARK
 *
 * Reading and writing are sequential and buffer only a few bytes. A file without the mark at
 * its end was cut off; a file with the mark and another checksum was changed. */
#ifndef HEARTH_TRACES_BASE_FILES_SEALED_H
#define HEARTH_TRACES_BASE_FILES_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <xxhash.h>

#define SEALED_MARK "hearthOK"
#define SEALED_TAIL 16 /* bytes after the contents */
#define SEALED_ROOM 4096

struct sealed_out {
    FILE *file; /* not owned */
    XXH64_state_t *sum;
    bool good; /* everything was written so far */
    size_t size;
    uint8_t bytes[SEALED_ROOM]; /* SIZE of them are not yet in the file and the sum */
};

/* OUT must be finished even after an error. */
void sealed_out_init(struct sealed_out *out, FILE *file);
/* Writes SIZE bytes; writes the low BYTES bytes of VALUE, little-endian. */
void sealed_write(struct sealed_out *out, const void *data, size_t size);
void sealed_put(struct sealed_out *out, uint64_t value, unsigned bytes);
/* Writes the end. Returns whether everything was written. */
bool sealed_out_finish(struct sealed_out *out);

/* What the end of a file shows. */
enum sealed_end {
    SEALED_WHOLE,
    SEALED_DAMAGED, /* the mark is there, but the checksum is wrong */
    SEALED_CUT,     /* no mark */
    SEALED_UNREAD,  /* reading failed, with errno set */
};

struct sealed_in {
    FILE *file; /* not owned */
    XXH64_state_t *sum;
    uint64_t read; /* bytes of the file so far */
    size_t at, size;
    uint8_t bytes[SEALED_ROOM]; /* those from AT to SIZE are not read yet; those before AT are
                                 * not in the sum yet */
};

void sealed_in_init(struct sealed_in *in, FILE *file);
/* Reads the next SIZE bytes of the contents; reads a number that sealed_put() wrote. False at
 * the end of the contents, SEALED_TAIL bytes before the end of the file. */
bool sealed_read(struct sealed_in *in, void *data, size_t size);
bool sealed_get(struct sealed_in *in, uint64_t *value, unsigned bytes);
/* Reads to the end; *LEFT is the number of bytes of the contents that were not read before. */
enum sealed_end sealed_in_finish(struct sealed_in *in, uint64_t *left);

#endif
