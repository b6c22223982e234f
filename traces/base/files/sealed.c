#include "traces/base/files/sealed.h"

#include <errno.h>
#include <string.h>

#define NUMBER 8 /* bytes of the largest number */

static void to_bytes(uint8_t bytes[NUMBER], uint64_t value)
{
    for (unsigned i = 0; i < NUMBER; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t from_bytes(const uint8_t bytes[NUMBER])
{
    uint64_t value = 0;
    for (unsigned i = 0; i < NUMBER; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* ---- writing ---- */

void sealed_out_init(struct sealed_out *out, FILE *file)
{
    out->file = file;
    out->size = 0;
    out->sum = XXH64_createState();
    out->good = out->sum != NULL && XXH64_reset(out->sum, 0) == XXH_OK;
}

static void empty(struct sealed_out *out)
{
    if (out->good)
        XXH64_update(out->sum, out->bytes, out->size);
    out->good = out->good && fwrite(out->bytes, 1, out->size, out->file) == out->size;
    out->size = 0;
}

void sealed_write(struct sealed_out *out, const void *data, size_t size)
{
    const uint8_t *from = data;
    for (size_t part; size > 0; from += part, size -= part) {
        if (out->size == SEALED_ROOM)
            empty(out);
        part = size < SEALED_ROOM - out->size ? size : SEALED_ROOM - out->size;
        memcpy(out->bytes + out->size, from, part);
        out->size += part;
    }
}

void sealed_put(struct sealed_out *out, uint64_t value, unsigned bytes)
{
    uint8_t text[NUMBER];
    to_bytes(text, value);
    sealed_write(out, text, bytes);
}

bool sealed_out_finish(struct sealed_out *out)
{
    empty(out);
    if (out->good) {
        to_bytes(out->bytes, XXH64_digest(out->sum));
        memcpy(out->bytes + NUMBER, SEALED_MARK, sizeof SEALED_MARK - 1);
        out->good = fwrite(out->bytes, SEALED_TAIL, 1, out->file) == 1;
    }
    XXH64_freeState(out->sum);
    out->sum = NULL;
    return out->good && fflush(out->file) == 0;
}

/* ---- reading ---- */

void sealed_in_init(struct sealed_in *in, FILE *file)
{
    in->file = file;
    in->read = 0;
    in->at = in->size = 0;
    in->sum = XXH64_createState();
    if (in->sum != NULL)
        XXH64_reset(in->sum, 0);
}

/* Adds what was read to the sum, and buffers more; false: only the tail is left. */
static bool fill(struct sealed_in *in)
{
    if (in->sum == NULL)
        return false;
    XXH64_update(in->sum, in->bytes, in->at);
    in->size -= in->at;
    memmove(in->bytes, in->bytes + in->at, in->size);
    in->at = 0;
    size_t got = fread(in->bytes + in->size, 1, SEALED_ROOM - in->size, in->file);
    in->size += got;
    in->read += got;
    return in->size > SEALED_TAIL;
}

/* Bytes that can be read at once; 0 at the end of the contents. */
static size_t at_hand(struct sealed_in *in)
{
    if (in->size - in->at <= SEALED_TAIL && !fill(in))
        return 0;
    return in->size - in->at - SEALED_TAIL;
}

bool sealed_read(struct sealed_in *in, void *data, size_t size)
{
    uint8_t *to = data;
    for (size_t part; size > 0; to += part, size -= part) {
        part = at_hand(in);
        if (part == 0)
            return false;
        part = part < size ? part : size;
        memcpy(to, in->bytes + in->at, part);
        in->at += part;
    }
    return true;
}

bool sealed_get(struct sealed_in *in, uint64_t *value, unsigned bytes)
{
    uint8_t text[NUMBER] = {0};
    *value = 0;
    if (!sealed_read(in, text, bytes))
        return false;
    *value = from_bytes(text);
    return true;
}

static enum sealed_end look_at_end(struct sealed_in *in)
{
    if (in->sum == NULL) {
        errno = ENOMEM;
        return SEALED_UNREAD;
    }
    if (ferror(in->file))
        return SEALED_UNREAD;
    const uint8_t *tail = in->bytes + in->at;
    if (in->size - in->at < SEALED_TAIL ||
        memcmp(tail + NUMBER, SEALED_MARK, sizeof SEALED_MARK - 1) != 0)
        return SEALED_CUT;
    XXH64_update(in->sum, in->bytes, in->at);
    return XXH64_digest(in->sum) == from_bytes(tail) ? SEALED_WHOLE : SEALED_DAMAGED;
}

enum sealed_end sealed_in_finish(struct sealed_in *in, uint64_t *left)
{
    *left = 0;
    for (size_t part; (part = at_hand(in)) > 0; in->at += part)
        *left += part;
    enum sealed_end end = look_at_end(in);
    XXH64_freeState(in->sum);
    in->sum = NULL;
    return end;
}
