/* Any bytes are a packed workload or an error: its launches are read in full,
 * as a memory-only view and as text, and so is its code. Inputs can also be sections before
 * compression: checksums and zstd would keep a fuzzer away from what is behind
 * them. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "traces/packed/frame.h"
#include "traces/text/text.h"
#include "traces/traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Records that are read of one launch at most: a few bytes can stand for
 * millions of them. */
#define MOST_RECORDS 200000

/* Puts the frame sections, which the input holds plain, into a packed file:
 * four sections, each a length of two bytes and so many bytes. */
static void build(const uint8_t *data, size_t size, struct bytes *file)
{
    struct frame_header header = {0};
    struct bytes frames = {0};
    bytes_put(file, FRAME_MAGIC, FRAME_MAGIC_SIZE);
    bytes_byte(file, FRAME_VERSION);
    for (int f = 0; f < FRAMES && size >= 2; f++) {
        size_t length = data[0] | (size_t)data[1] << 8;
        data += 2;
        size -= 2;
        length = length < size ? length : size;
        if (length == 0)
            continue;
        size_t bound = ZSTD_compressBound(length), from = frames.size;
        bytes_reserve(&frames, bound);
        frames.size += ZSTD_compress(frames.data + from, bound, data, length, 1);
        header.frames[f].size = length;
        header.frames[f].packed = frames.size - from;
        header.frames[f].checksum = XXH3_64bits(frames.data + from, header.frames[f].packed);
        data += length;
        size -= length;
    }
    frame_write_header(&header, file);
    bytes_put(file, frames.data, frames.size);
    bytes_finish(&frames);
}

static void read_records(const char *name, const struct trace_workload *workload,
                         bool memory_only)
{
    const struct trace_kernel_options options = {
        .memory_only = memory_only, .code = true, .between = true, .memory_budget = 1 << 20};
    struct error err = {0};
    struct trace_block *block;
    uint64_t records = 0;
    uint64_t sectors[TRACE_MAX_SECTORS];
    uint32_t count;
    struct trace_kernel *kernel = trace_workload_kernel(workload, name, &options, &err);
    while (kernel != NULL && records < MOST_RECORDS &&
           trace_kernel_next_block(kernel, &block, &err) == 1) {
        const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
        for (uint32_t w = 0; w < block->warp_count; w++) {
            const struct trace_warp *warp = &block->warps[w];
            records += warp->total;
            for (const struct trace_record *r = warp->at; r < warp->end; r++) {
                if (r->inst >= count)
                    abort();
                trace_record_sectors(r, &insts[r->inst], warp->addresses, sectors);
            }
        }
        trace_block_release(block);
    }
    trace_kernel_close(kernel);
}

static void read_text(const char *path, const struct trace_workload *workload)
{
    const struct trace_kernel_options options = {.workload = workload};
    struct error err = {0};
    const void *data;
    size_t size, all = 0;
    struct source text;
    if (text_open(&text, path, &options, &err) != 0)
        return;
    while (all < MOST_RECORDS * 16 && source_read(&text, &data, &size, &err) == 1)
        all += size;
    source_finish(&text);
}

static void read_all(const char *path)
{
    struct error err = {0};
    uint32_t functions;
    struct trace_workload *workload = trace_workload_open(path, &err);
    if (workload != NULL)
        trace_workload_functions(workload, &functions, NULL);
    for (size_t i = 0; workload != NULL && i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        read_records(workload->commands[i].text, workload, false);
        read_records(workload->commands[i].text, workload, true);
        char *launch = trace_workload_path(workload, workload->commands[i].text);
        if (launch == NULL)
            abort();
        read_text(launch, workload);
        free(launch);
    }
    trace_workload_destroy(workload);
    if (workload == NULL && err.kind != ERROR_TRACE)
        abort();
}

/* The first byte says whether the rest is a file or its sections. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct bytes file = {0};
    if (size < 1)
        return 0;
    if (data[0] & 1)
        build(data + 1, size - 1, &file);
    else
        bytes_put(&file, data + 1, size - 1);
    int fd = memfd_create("packed", 0);
    if (fd >= 0 && !file.failed && write(fd, file.data, file.size) == (ssize_t)file.size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        read_all(path);
    }
    if (fd >= 0)
        close(fd);
    bytes_finish(&file);
    return 0;
}
