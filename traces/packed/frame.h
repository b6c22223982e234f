/* The four compressed sections of a group, and the bytes of the file around
 * them. docs/packed-format.md describes the layout. */
#ifndef HEARTH_TRACES_PACKED_FRAME_H
#define HEARTH_TRACES_PACKED_FRAME_H

#include "traces/base/error.h"
#include "traces/packed/models/coder.h"

#define FRAME_MAGIC        "\x89HTHPK\n"
#define FRAME_MAGIC_SIZE   7
#define FRAME_VERSION      1
#define FRAME_FILE_HEADER  8 /* the magic and the version */
#define FRAME_GROUP        'G'
#define FRAME_INDEX        'I'
#define FRAME_FOOTER_MAGIC "HTHEND\n"
#define FRAME_FOOTER       12 /* size of the index, 4 bytes, and the magic with its 0 */
/* A group's header: its letter, the length of what follows, that, a checksum. */
#define FRAME_HEADER_MOST (2 + 255 + 8)
/* Bytes of one section before compression; more are corrupt. */
#define FRAME_MOST ((uint64_t)1 << 28)

enum frame { FRAME_HEAD, FRAME_MEMORY, FRAME_CONTROL, FRAME_TEXT, FRAMES };

/* "head" and so on, for messages. */
extern const char *const frame_names[FRAMES];

/* What a group's header says. */
struct frame_header {
    uint64_t first_launch; /* launches that began before this group */
    struct {
        uint64_t packed, size; /* bytes on disk and before compression; 0: nothing */
        uint64_t checksum;     /* XXH3, 64 bits, of the bytes on disk */
    } frames[FRAMES];
    uint64_t length; /* of the header itself */
};

/* Compresses the streams of FRAME of FLOW at zstd's LEVEL and appends them to
 * OUT; sets the frame's fields in HEADER. Returns 0, or -1 when memory ran
 * out. */
int frame_pack(struct coder *flow, enum frame frame, int level, struct frame_header *header,
               struct bytes *out);
void frame_write_header(const struct frame_header *header, struct bytes *out);

/* Reads a header of at most SIZE bytes at DATA. Returns NULL, or what is wrong
 * with it. */
const char *frame_read_header(struct frame_header *header, const uint8_t *data, size_t size);
/* Decompresses a frame, whose bytes on disk are at DATA, to RAW and points the
 * streams of IN into it. Returns NULL, or what is wrong. */
const char *frame_unpack(const struct frame_header *header, enum frame frame,
                         const uint8_t *data, struct bytes *raw, struct byte_reader *in);

/* Appends the XXH3 checksum of SIZE bytes at DATA. */
void frame_put_checksum(struct bytes *out, const void *data, size_t size);
uint64_t frame_get_u64(const uint8_t *data);

#endif
