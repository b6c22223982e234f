#define _GNU_SOURCE /* strchrnul */
#include "tests/traces/tracez_file.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define BLOCKS_MOST 16

static void put(struct bytes *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        bytes_byte(out, (uint8_t)(value >> 8 * i));
}

/* What the index says of a warp. */
struct warp {
    uint32_t insts, chunks;
    uint64_t at;
    struct bytes counts;
};

/* The end of up to COUNT lines at LINES; *FOUND tells how many. */
static const char *take_lines(const char *lines, uint32_t count, uint32_t *found)
{
    const char *end = lines;
    for (*found = 0; *found < count && *end != '\0'; ++*found)
        end = strchrnul(end + (*found > 0), '\n');
    return end;
}

static void put_chunk(struct bytes *out, const char *text, size_t length,
                      const char *dictionary, size_t dictionary_length)
{
    size_t bound = ZSTD_compressBound(length);
    char *packed = malloc(bound);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size = ZSTD_compress_usingDict(context, packed, bound, text, length, dictionary,
                                          dictionary_length, 3);
    ZSTD_freeCCtx(context);
    put(out, size, 4);
    bytes_put(out, packed, size);
    free(packed);
}

static void put_warp(struct bytes *out, const char *lines, uint32_t chunk, struct warp *warp,
                     const char *dictionary, size_t length)
{
    struct bytes body = {0};
    uint32_t found;
    warp->at = out->size;
    while (*lines != '\0') {
        const char *end = take_lines(lines, chunk, &found);
        put_chunk(&body, lines, (size_t)(end - lines), dictionary, length);
        put(&warp->counts, found, 4);
        warp->insts += found;
        warp->chunks++;
        lines = *end == '\n' ? end + 1 : end;
    }
    put(out, warp->insts, 4);
    put(out, warp->chunks, 4);
    bytes_put(out, body.data, body.size);
    bytes_finish(&body);
}

void tracez_file(struct bytes *out, const char *header, const char *dictionary, size_t length,
                 const struct tracez_block *blocks, uint32_t count, uint32_t chunk)
{
    struct warp warps[BLOCKS_MOST] = {0};
    bytes_put(out, header, strlen(header) + 1);
    put(out, length, 4);
    put(out, chunk, 4);
    bytes_put(out, dictionary, length);
    for (uint32_t b = 0; b < count; b++)
        put_warp(out, blocks[b].lines, chunk, &warps[b], dictionary, length);
    uint64_t index = out->size;
    put(out, count, 4);
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t numbers[11] = {blocks[b].x, 0, 0, blocks[b].x, 0, 0, 0, 0, 0, 0, 1};
        for (int i = 0; i < 11; i++)
            put(out, numbers[i], 4);
        put(out, warps[b].insts, 4);
        put(out, warps[b].chunks, 4);
        put(out, warps[b].at, 8);
        bytes_put(out, warps[b].counts.data, warps[b].counts.size);
        bytes_finish(&warps[b].counts);
    }
    put(out, index, 8);
}
