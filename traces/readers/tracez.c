/* Traces of Accel-Sim 2.0 (.tracez), read as the equivalent grouped text.
 * Their layout is that of the public tracez_format.h beside Accel-Sim's tracer;
 * docs/tracez.md describes it. Memory does not grow with the file: the index is
 * read as needed, and sub-chunks are decompressed piece by piece. */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "traces/readers/reader.h"

/* Larger dictionaries are refused: the tracer's are of 64 KiB at most. */
#define DICTIONARY_MOST ((uint32_t)1 << 24)
#define BUFFER          ((size_t)READER_PROBE) /* a header, too, fits */
#define BLOCK_NUMBERS   11                     /* of a thread block in the index */

/* What comes next. */
enum stage { HEADER, BLOCK, WARP, CHUNK, TEXT, END };

/* A part of the file that is read front to back. */
struct tracez_range {
    uint64_t at, end; /* what is not in the buffer yet */
    uint8_t *buffer;
    size_t used, filled;
};

struct tracez {
    struct source inner; /* the file */
    enum stage stage;
    uint64_t data, index;      /* where the warps and the index start */
    struct tracez_range list;  /* the index */
    struct tracez_range chunk; /* the sub-chunk */
    ZSTD_DCtx *context;
    uint32_t blocks_left;
    uint32_t numbers[BLOCK_NUMBERS]; /* of the block: the last counts its warps */
    uint32_t warp, chunks_left;
    uint64_t chunk_at; /* where the warp's next sub-chunk starts */
    char *out;         /* text to hand on: BUFFER bytes */
    size_t out_size;
    bool ended_line; /* what was handed on last ends a line */
};

__attribute__((format(printf, 3, 4))) static int
fail(const struct tracez *tracez, struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_args(err, ERROR_TRACE, tracez->inner.name, 0, 0, format, args);
    va_end(args);
    return -1;
}

/* The same, of the current warp. */
static int fail_warp(const struct tracez *tracez, struct error *err, const char *what)
{
    return fail(tracez, err,
                "thread block %" PRIu32 ",%" PRIu32 ",%" PRIu32 ", warp %" PRIu32 ": %s",
                tracez->numbers[0], tracez->numbers[1], tracez->numbers[2], tracez->warp, what);
}

/* ---- bytes ------------------------------------------------------------- */

static uint64_t little_endian(const uint8_t *data, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | data[i];
    return value;
}

/* Reads SIZE bytes at AT, or as many as there are; returns how many. */
static size_t read_at(int fd, uint64_t at, void *data, size_t size)
{
    size_t done = 0;
    errno = 0;
    while (done < size) {
        ssize_t n = pread(fd, (char *)data + done, size - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

/* After read_at() read less than was there. */
static int read_failed(const struct tracez *tracez, struct error *err)
{
    return fail(tracez, err, "cannot read: %s",
                errno != 0 ? strerror(errno) : "the file has become shorter");
}

/* Fills the buffer anew. Returns false if there is no more. */
static bool refill(struct tracez_range *range, int fd)
{
    uint64_t left = range->end - range->at;
    range->used = 0;
    range->filled = read_at(fd, range->at, range->buffer, left < BUFFER ? left : BUFFER);
    range->at += range->filled;
    return range->filled > 0;
}

/* The next number of the index. */
static bool next_number(struct tracez *tracez, int bytes, uint64_t *value)
{
    uint8_t data[8];
    for (int i = 0; i < bytes; i++) {
        struct tracez_range *list = &tracez->list;
        if (list->used == list->filled && !refill(list, tracez->inner.fd))
            return false;
        data[i] = list->buffer[list->used++];
    }
    *value = little_endian(data, bytes);
    return true;
}

static int index_ends(const struct tracez *tracez, struct error *err)
{
    return fail(tracez, err, "the index ends before its last warp");
}

__attribute__((format(printf, 2, 3))) static void print(struct tracez *tracez,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(tracez->out + tracez->out_size, BUFFER - tracez->out_size, format, args);
    va_end(args);
    tracez->out_size += (size_t)n;
}

/* ---- open -------------------------------------------------------------- */

/* The length of the header at TEXT, 0 if none is there. */
static size_t header_length(const char *text, size_t size)
{
    const char *end = size > 0 && text[0] == '-' ? memchr(text, '\0', size) : NULL;
    size_t length = end != NULL ? (size_t)(end - text) : 0;
    for (size_t i = 0; i < length; i++)
        if ((uint8_t)text[i] < ' ' && strchr("\t\n\r", text[i]) == NULL)
            return 0;
    return length > 0 && text[length - 1] == '\n' ? length : 0;
}

/* Whether it starts with the lines of a header up to a 0. */
static bool probe(const struct source *source)
{
    return header_length(source->at, (size_t)(source->end - source->at)) > 0;
}

/* Reads the dictionary of SIZE bytes after the header. */
static int read_dictionary(struct tracez *tracez, uint32_t size, struct error *err)
{
    if (size == 0)
        return 0;
    if (size > DICTIONARY_MOST || size > tracez->index - tracez->data)
        return fail(tracez, err, "a dictionary of %" PRIu32 " bytes cannot be", size);
    uint8_t *dictionary = malloc(size);
    int rc = dictionary == NULL ? error_no_memory_for(err, ERROR_TRACE, tracez->inner.name) : 0;
    if (rc == 0 && read_at(tracez->inner.fd, tracez->data, dictionary, size) != size)
        rc = fail(tracez, err, "its dictionary cannot be read");
    if (rc == 0 && ZSTD_isError(ZSTD_DCtx_loadDictionary(tracez->context, dictionary, size)))
        rc = fail(tracez, err, "its dictionary is not understood");
    free(dictionary);
    tracez->data += size;
    return rc;
}

/* Finds the parts of the file and reads what stands before the warps. */
static int read_start(struct tracez *tracez, struct error *err)
{
    struct stat status;
    uint8_t numbers[8];
    uint64_t blocks;
    const char *header = tracez->inner.at;
    size_t length = header_length(header, (size_t)(tracez->inner.end - header));
    if (fstat(tracez->inner.fd, &status) != 0)
        return fail(tracez, err, "cannot read: %s", strerror(errno));
    memcpy(tracez->out, header, length);
    uint64_t size = (uint64_t)status.st_size;
    tracez->out_size = length;
    tracez->data = length + 1 + sizeof numbers;
    if (size < tracez->data + 12 || read_at(tracez->inner.fd, size - 8, numbers, 8) != 8)
        return fail(tracez, err, "it is cut off after its header");
    tracez->index = little_endian(numbers, 8);
    if (tracez->index < tracez->data || tracez->index > size - 12)
        return fail(tracez, err, "it is cut off: its last 8 bytes name no index");
    if (read_at(tracez->inner.fd, length + 1, numbers, 8) != 8)
        return read_failed(tracez, err);
    if (read_dictionary(tracez, (uint32_t)little_endian(numbers, 4), err) != 0)
        return -1;
    tracez->list.at = tracez->index;
    tracez->list.end = size - 8;
    if (!next_number(tracez, 4, &blocks))
        return index_ends(tracez, err);
    tracez->blocks_left = (uint32_t)blocks;
    return 0;
}

/* ---- text -------------------------------------------------------------- */

static int begin_block(struct tracez *tracez, struct error *err)
{
    const uint32_t *n = tracez->numbers;
    if (tracez->blocks_left-- == 0) {
        uint64_t more;
        tracez->stage = END;
        return next_number(tracez, 1, &more)
                   ? fail(tracez, err, "the index goes on after its last thread block")
                   : 0;
    }
    for (int i = 0; i < BLOCK_NUMBERS; i++) {
        uint64_t value;
        if (!next_number(tracez, 4, &value))
            return index_ends(tracez, err);
        tracez->numbers[i] = (uint32_t)value;
    }
    print(tracez, "\n#BEGIN_TB\n\nthread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", n[0],
          n[1], n[2]);
    print(tracez, "cluster id = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", n[3], n[4], n[5]);
    print(tracez, "cluster cta = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", n[6], n[7], n[8]);
    print(tracez, "cluster rank = %" PRIu32 "\n", n[9]);
    tracez->warp = 0;
    tracez->stage = WARP;
    return 0;
}

/* Reads a warp's entry in the index, and compares it with what stands before
 * the warp's sub-chunks. */
static int begin_warp(struct tracez *tracez, struct error *err)
{
    uint64_t insts, chunks, at, count, sum = 0;
    uint8_t own[8];
    if (tracez->warp == tracez->numbers[BLOCK_NUMBERS - 1]) {
        print(tracez, "\n#END_TB\n");
        tracez->stage = BLOCK;
        return 0;
    }
    if (!next_number(tracez, 4, &insts) || !next_number(tracez, 4, &chunks) ||
        !next_number(tracez, 8, &at))
        return index_ends(tracez, err);
    for (uint64_t i = 0; i < chunks; i++, sum += count)
        if (!next_number(tracez, 4, &count))
            return index_ends(tracez, err);
    if (sum != insts)
        return fail_warp(tracez, err,
                         "its sub-chunks do not add up to its instructions in the index");
    if (at < tracez->data || at > tracez->index || tracez->index - at < sizeof own)
        return fail_warp(tracez, err, "it lies outside of the file");
    if (read_at(tracez->inner.fd, at, own, sizeof own) != sizeof own ||
        little_endian(own, 4) != insts || little_endian(own + 4, 4) != chunks)
        return fail_warp(tracez, err, "what precedes it does not match the index");
    print(tracez, "\nwarp = %" PRIu32 "\ninsts = %" PRIu64 "\n", tracez->warp, insts);
    tracez->chunks_left = (uint32_t)chunks;
    tracez->chunk_at = at + sizeof own;
    tracez->stage = CHUNK;
    return 0;
}

static int begin_chunk(struct tracez *tracez, struct error *err)
{
    uint8_t data[4];
    if (tracez->chunks_left == 0) {
        tracez->warp++;
        tracez->stage = WARP;
        return 0;
    }
    uint64_t at = tracez->chunk_at;
    if (tracez->index - at < sizeof data ||
        read_at(tracez->inner.fd, at, data, sizeof data) != sizeof data)
        return fail_warp(tracez, err, "a sub-chunk is cut off");
    uint64_t size = little_endian(data, 4);
    at += sizeof data;
    if (size > tracez->index - at)
        return fail_warp(tracez, err, "a sub-chunk is cut off");
    tracez->chunks_left--;
    tracez->chunk_at = at + size;
    tracez->chunk.at = at;
    tracez->chunk.end = at + size;
    tracez->chunk.used = tracez->chunk.filled = 0;
    ZSTD_DCtx_reset(tracez->context, ZSTD_reset_session_only);
    tracez->ended_line = true;
    tracez->stage = TEXT;
    return 0;
}

/* Decompresses more of a sub-chunk: one frame, whose last line has no end. */
static int read_chunk(struct tracez *tracez, struct error *err)
{
    struct tracez_range *chunk = &tracez->chunk;
    if (chunk->used == chunk->filled && !refill(chunk, tracez->inner.fd) &&
        chunk->at < chunk->end)
        return read_failed(tracez, err);
    ZSTD_inBuffer in = {chunk->buffer, chunk->filled, chunk->used};
    ZSTD_outBuffer out = {tracez->out, BUFFER - 1, 0};
    size_t left = ZSTD_decompressStream(tracez->context, &out, &in);
    if (ZSTD_isError(left))
        return fail_warp(tracez, err, "a sub-chunk cannot be decompressed");
    bool more = in.pos < in.size || chunk->at < chunk->end;
    chunk->used = in.pos;
    tracez->out_size = out.pos;
    if (out.pos > 0)
        tracez->ended_line = tracez->out[out.pos - 1] == '\n';
    if (left == 0 && more)
        return fail_warp(tracez, err, "a sub-chunk is larger than its text");
    if (left > 0 && !more && out.pos == 0)
        return fail_warp(tracez, err, "a sub-chunk ends too early");
    if (left > 0)
        return 0;
    if (!tracez->ended_line)
        tracez->out[tracez->out_size++] = '\n';
    tracez->stage = CHUNK;
    return 0;
}

static int (*const stages[])(struct tracez *tracez, struct error *err) = {
    [BLOCK] = begin_block,
    [WARP] = begin_warp,
    [CHUNK] = begin_chunk,
    [TEXT] = read_chunk,
};

static int read_tracez(struct source *source, const void **text, size_t *size,
                       struct error *err)
{
    struct tracez *tracez = source->stream;
    if (tracez->stage == HEADER)
        tracez->stage = BLOCK; /* its text is there already */
    else
        tracez->out_size = 0;
    while (tracez->out_size == 0) {
        if (tracez->stage == END)
            return 0;
        if (stages[tracez->stage](tracez, err) != 0)
            return -1;
    }
    *text = tracez->out;
    *size = tracez->out_size;
    return 1;
}

static void close_tracez(struct source *source)
{
    struct tracez *tracez = source->stream;
    ZSTD_freeDCtx(tracez->context);
    free(tracez->list.buffer);
    free(tracez->chunk.buffer);
    free(tracez->out);
}

static int open_tracez(struct source *source, struct error *err)
{
    static const struct source_ops ops = {read_tracez, close_tracez};
    struct tracez *tracez = source_wrap(source, &ops, sizeof *tracez, err);
    if (tracez == NULL)
        return -1;
    tracez->context = ZSTD_createDCtx();
    tracez->list.buffer = malloc(BUFFER);
    tracez->chunk.buffer = malloc(BUFFER);
    tracez->out = malloc(BUFFER);
    if (tracez->context == NULL || tracez->list.buffer == NULL ||
        tracez->chunk.buffer == NULL || tracez->out == NULL)
        error_no_memory_for(err, ERROR_TRACE, source->name);
    else if (read_start(tracez, err) == 0)
        return 0;
    source_finish(source);
    return -1;
}

const struct trace_reader trace_reader_tracez = {
    .policy = {"tracez", NULL, "a .tracez file"},
    .probe = probe,
    .open = open_tracez,
    .seeks = true,
};
