/* The bytes of a packed file: headers and frames of groups. */
#ifndef HEARTH_TRACES_PACKED_STORE_FILE_H
#define HEARTH_TRACES_PACKED_STORE_FILE_H

#include "traces/base/error.h"
#include "traces/packed/group.h"

/* Reads SIZE bytes at AT; false if there are fewer. */
bool store_file_read(int fd, uint64_t at, void *data, size_t size);
/* Checks the first FRAME_FILE_HEADER bytes of a file. */
int store_file_check(const char *name, const uint8_t *head, struct error *err);
/* Reads the header of the group at AT. Returns NULL, or what is wrong. */
const char *store_file_header(int fd, uint64_t at, struct frame_header *header);
uint64_t store_file_group_size(const struct frame_header *header);
/* Loads what is missing of the frames in FRAMES; a zeroed GROUP has nothing
 * yet. I is its number, for messages. */
int store_file_load(int fd, const char *name, uint64_t i, uint64_t at, unsigned frames,
                    struct group *group, struct error *err);
/* The error for FRAME (FRAMES: the header) of group I. */
int store_file_damaged(const char *name, uint64_t i, const struct group *group,
                       enum frame frame, const char *wrong, struct error *err);

#endif
