#define _GNU_SOURCE /* asprintf, memfd_create */
#include "tests/traces/support.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/address.h"

struct trace_kernel *open_bytes(const void *text, size_t size,
                                const struct trace_kernel_options *options, struct error *err)
{
    char path[64];
    int fd = memfd_create("trace", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, text, size), size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct trace_kernel *kernel = trace_kernel_open(path, options, err);
    close(fd);
    return kernel;
}

const char *without_file(const struct error *err)
{
    const char *colon = strchr(err->text, ':');
    return colon != NULL ? colon + 1 : err->text;
}

struct trace_kernel *open_text(const char *text, const struct trace_kernel_options *options)
{
    struct error err = {0};
    struct trace_kernel *kernel = open_bytes(text, strlen(text), options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    return kernel;
}

static void dump_addresses(FILE *out, const struct trace_record *record, const uint64_t *words)
{
    uint64_t room[32];
    if (record->mode == TRACE_ADDRESS_NONE)
        return;
    const uint64_t *lanes = address_lanes(record, words + record->address, room);
    for (int i = 0; i < __builtin_popcount(record->mask); i++)
        fprintf(out, " %lx", (unsigned long)lanes[i]);
}

static void dump_extras(FILE *out, const struct trace_record *record, const uint64_t *words)
{
    struct trace_extras extras;
    if (!trace_record_extras(record, words, &extras))
        return;
    if (extras.has_address)
        fprintf(out, " &%lx", (unsigned long)extras.address);
    for (int i = 0; i < extras.number_count; i++)
        fprintf(out, " =%u", extras.numbers[i]);
    if (extras.has_active)
        fprintf(out, " @%x", extras.active);
}

static void dump_record(FILE *out, const struct trace_kernel *kernel,
                        const struct trace_warp *warp)
{
    uint32_t count;
    const struct trace_record *record = warp->at;
    const struct trace_inst *inst = trace_kernel_insts(kernel, &count) + record->inst;
    ck_assert_uint_lt(record->inst, count);
    fprintf(out, "%x %x %s", inst->pc, record->mask, trace_kernel_opcode(kernel, inst));
    dump_addresses(out, record, warp->addresses);
    dump_extras(out, record, warp->addresses);
    fputc('\n', out);
}

static int dump_warp(FILE *out, const struct trace_kernel *kernel, struct trace_warp *warp,
                     struct error *err)
{
    uint64_t seen = 0;
    int rc;
    fprintf(out, "warp %u: %lu\n", warp->index, (unsigned long)warp->total);
    do {
        for (; warp->at < warp->end; warp->at++, seen++)
            dump_record(out, kernel, warp);
    } while ((rc = trace_warp_fill(warp, err)) == 1);
    if (rc == 0)
        ck_assert_uint_eq(seen, warp->total);
    return rc;
}

char *dump(struct trace_kernel *kernel)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct error err = {0};
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, &err)) == 1) {
        fprintf(out, "block %u,%u,%u\n", block->index[0], block->index[1], block->index[2]);
        for (uint32_t w = 0; w < block->warp_count; w++)
            ck_assert_int_eq(dump_warp(out, kernel, &block->warps[w], &err), 0);
        trace_block_release(block);
    }
    if (rc < 0)
        fprintf(out, "%s", err.text);
    trace_kernel_close(kernel);
    fclose(out);
    return text;
}

char *dump_text(const char *text)
{
    return dump(open_text(text, NULL));
}

char *error_of(const char *text)
{
    struct error err = {0};
    struct trace_block *block;
    struct trace_kernel *kernel = open_bytes(text, strlen(text), NULL, &err);
    if (kernel != NULL) {
        while (trace_kernel_next_block(kernel, &block, &err) == 1)
            trace_block_release(block);
        trace_kernel_close(kernel);
    }
    if (err.kind == ERROR_NONE)
        return strdup("");
    ck_assert_int_eq(err.kind, ERROR_TRACE);
    return strdup(without_file(&err));
}
