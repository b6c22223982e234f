#include "traces/packed/frame.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

const char *const frame_names[FRAMES] = {"head", "memory", "control", "text"};

static const int ends[FRAMES + 1] = {0, CODER_HEAD_END, CODER_MEMORY_END, CODER_CONTROL_END,
                                     CODER_TEXT_END};

/* Windows of up to 128 MiB, so that a frame is one window. */
#define WINDOW_LOG 27

static void put_u64(struct bytes *out, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes_byte(out, (uint8_t)(value >> 8 * i));
}

uint64_t frame_get_u64(const uint8_t *data)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | data[i];
    return value;
}

void frame_put_checksum(struct bytes *out, const void *data, size_t size)
{
    put_u64(out, XXH3_64bits(data, size));
}

/* The streams of a frame one after the other: first their lengths. All but the
 * last that is not empty have one; it takes what is left. */
static void join(const struct coder *flow, enum frame frame, struct bytes *raw)
{
    int used = 0;
    for (int s = ends[frame]; s < ends[frame + 1]; s++)
        if (flow->out[s].size > 0)
            used = s + 1 - ends[frame];
    if (used == 0)
        return;
    bytes_byte(raw, (uint8_t)used);
    for (int s = ends[frame]; s < ends[frame] + used - 1; s++)
        bytes_number(raw, flow->out[s].size);
    for (int s = ends[frame]; s < ends[frame] + used; s++)
        bytes_put(raw, flow->out[s].data, flow->out[s].size);
}

static int compress(const struct bytes *raw, int level, struct bytes *out)
{
    size_t bound = ZSTD_compressBound(raw->size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL || !bytes_reserve(out, bound)) {
        ZSTD_freeCCtx(context);
        return -1;
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    if (raw->size > (size_t)1 << 23)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG);
    size_t n = ZSTD_compress2(context, out->data + out->size, bound, raw->data, raw->size);
    ZSTD_freeCCtx(context);
    if (ZSTD_isError(n))
        return -1;
    out->size += n;
    return 0;
}

int frame_pack(struct coder *flow, enum frame frame, int level, struct frame_header *header,
               struct bytes *out)
{
    struct bytes raw = {0};
    size_t from = out->size;
    join(flow, frame, &raw);
    int rc = raw.failed ? -1 : 0;
    if (rc == 0 && raw.size > 0)
        rc = compress(&raw, level, out);
    header->frames[frame].size = raw.size;
    header->frames[frame].packed = out->size - from;
    if (out->size > from)
        header->frames[frame].checksum = XXH3_64bits(out->data + from, out->size - from);
    bytes_finish(&raw);
    return rc;
}

void frame_write_header(const struct frame_header *header, struct bytes *out)
{
    struct bytes body = {0};
    size_t from = out->size;
    bytes_number(&body, header->first_launch);
    for (int f = 0; f < FRAMES; f++) {
        bytes_number(&body, header->frames[f].packed);
        if (header->frames[f].packed == 0)
            continue;
        bytes_number(&body, header->frames[f].size);
        put_u64(&body, header->frames[f].checksum);
    }
    bytes_byte(out, FRAME_GROUP);
    bytes_byte(out, (uint8_t)body.size);
    bytes_put(out, body.data, body.size);
    out->failed |= body.failed;
    bytes_finish(&body);
    if (!out->failed)
        frame_put_checksum(out, out->data + from, out->size - from);
}

static void read_frame_sizes(struct frame_header *header, struct byte_reader *body)
{
    header->first_launch = reader_number(body);
    for (int f = 0; f < FRAMES; f++) {
        header->frames[f].packed = reader_number(body);
        if (header->frames[f].packed == 0)
            continue;
        header->frames[f].size = reader_number(body);
        const uint8_t *checksum = reader_take(body, 8);
        header->frames[f].checksum = checksum != NULL ? frame_get_u64(checksum) : 0;
    }
}

const char *frame_read_header(struct frame_header *header, const uint8_t *data, size_t size)
{
    *header = (struct frame_header){0};
    if (size < 2 || size < 2 + (size_t)data[1] + 8)
        return "its header is cut off";
    size_t length = 2 + (size_t)data[1];
    if (data[0] != FRAME_GROUP || XXH3_64bits(data, length) != frame_get_u64(data + length))
        return "its header is damaged: the checksum differs";
    struct byte_reader body = {data + 2, data + length, false};
    read_frame_sizes(header, &body);
    header->length = length + 8;
    for (int f = 0; f < FRAMES; f++)
        if (header->frames[f].packed > FRAME_MOST || header->frames[f].size > FRAME_MOST)
            return "its header names sections that are too large";
    return body.bad || body.at != body.end ? "its header is not understood" : NULL;
}

/* Points IN to the streams that join() made. */
static bool split(const struct bytes *raw, enum frame frame, struct byte_reader *in)
{
    struct byte_reader all = {raw->data, raw->data + raw->size, false};
    uint64_t lengths[CODER_STREAMS] = {0};
    int used = reader_byte(&all), count = ends[frame + 1] - ends[frame];
    if (used < 1 || used > count)
        return false;
    for (int s = 0; s < used - 1; s++)
        lengths[s] = reader_number(&all);
    for (int s = 0; s < count; s++) {
        uint64_t length = s == used - 1 ? (uint64_t)(all.end - all.at) : lengths[s];
        const uint8_t *at = reader_take(&all, length);
        if (at == NULL)
            return false;
        in[ends[frame] + s] = (struct byte_reader){at, at + length, false};
    }
    return !all.bad;
}

const char *frame_unpack(const struct frame_header *header, enum frame frame,
                         const uint8_t *data, struct bytes *raw, struct byte_reader *in)
{
    size_t packed = header->frames[frame].packed, size = header->frames[frame].size;
    for (int s = ends[frame]; s < ends[frame + 1]; s++)
        in[s] = (struct byte_reader){0};
    raw->size = 0;
    if (packed == 0)
        return NULL;
    if (XXH3_64bits(data, packed) != header->frames[frame].checksum)
        return "is damaged: the checksum differs";
    if (!bytes_reserve(raw, size + 1))
        return "does not fit into memory";
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (context == NULL)
        return "does not fit into memory";
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG);
    size_t n = ZSTD_decompressDCtx(context, raw->data, size, data, packed);
    ZSTD_freeDCtx(context);
    if (ZSTD_isError(n) || n != size)
        return "cannot be decompressed";
    raw->size = size;
    return split(raw, frame, in) ? NULL : "is not understood";
}
