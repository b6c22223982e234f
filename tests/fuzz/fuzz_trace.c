/* Any bytes are a kernel trace or an error with a place; with little memory
 * they are the same trace or another error. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/address.h"
#include "traces/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads everything; uses every record and address. */
static uint64_t mix(uint64_t digest, uint64_t value)
{
    return (digest ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t read_warp(const struct trace_kernel *kernel, struct trace_warp *warp,
                          uint64_t digest, struct error *err)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    uint64_t seen = 0;
    do {
        for (; warp->at < warp->end; warp->at++, seen++) {
            const struct trace_record *record = warp->at;
            if (record->inst >= count)
                abort();
            const char *opcode = trace_kernel_opcode(kernel, &insts[record->inst]);
            digest = mix(mix(digest, record->mask), strlen(opcode));
            for (uint32_t i = 0; i < address_words(record); i++)
                digest = mix(digest, warp->addresses[record->address + i]);
        }
    } while (trace_warp_fill(warp, err) == 1);
    if (err->kind == ERROR_NONE && seen != warp->total)
        abort();
    return digest;
}

static void ignore(void *data, const char *opcode, uint64_t count)
{
}

static uint64_t read_kernel(struct trace_kernel *kernel, struct error *err)
{
    uint64_t digest = 1;
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        for (uint32_t w = 0; w < block->warp_count; w++)
            digest = read_warp(kernel, &block->warps[w], mix(digest, w), err);
        trace_block_release(block);
    }
    if ((rc < 0) != (err->kind != ERROR_NONE))
        abort();
    trace_kernel_unknown_opcodes(kernel, ignore, NULL);
    return digest;
}

static uint64_t read_with(const uint8_t *data, size_t size, size_t budget, struct error *err)
{
    struct trace_kernel_options options = {.memory_budget = budget, .between = true};
    char path[64];
    int fd = memfd_create("trace", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct trace_kernel *kernel = trace_kernel_open(path, &options, err);
    close(fd);
    if (kernel == NULL) {
        if (err->kind != ERROR_TRACE)
            abort();
        return 0;
    }
    uint64_t digest = read_kernel(kernel, err);
    trace_kernel_close(kernel);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error in_memory = {0}, spilled = {0};
    uint64_t a = read_with(data, size, 1 << 20, &in_memory);
    uint64_t b = read_with(data, size, 1, &spilled);
    if (a != b || strcmp(in_memory.text, spilled.text) != 0)
        abort();
    return 0;
}
