#include "traces/text/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/between/between.h"
#include "traces/text/scan.h"

#define MAX_THREADS 1024
#define WARP_SIZE   32

/* Readers of one value: AT is its first character. They return the end of
 * what they read, or NULL. */
typedef const char *(*value_reader)(struct trace_header *header, const char *at, size_t offset);

static void *field(struct trace_header *header, size_t offset)
{
    return (char *)header + offset;
}

static const char *read_u32(struct trace_header *header, const char *at, size_t offset)
{
    uint64_t value;
    at = scan_decimal(at, UINT32_MAX, &value);
    *(uint32_t *)field(header, offset) = (uint32_t)value;
    return at;
}

static const char *read_u64(struct trace_header *header, const char *at, size_t offset)
{
    uint64_t *value = field(header, offset);
    if (at[0] == '0' && at[1] == 'x')
        return scan_0x_hex(at, 16, value);
    return scan_decimal(at, UINT64_MAX, value);
}

static const char *read_id(struct trace_header *header, const char *at, size_t offset)
{
    header->has_id = true;
    return read_u64(header, at, offset);
}

static const char *read_hex(struct trace_header *header, const char *at, size_t offset)
{
    return scan_0x_hex(at, 16, field(header, offset));
}

static const char *read_flag(struct trace_header *header, const char *at, size_t offset)
{
    uint64_t value;
    at = scan_decimal(at, 1, &value);
    *(bool *)field(header, offset) = value != 0;
    return at;
}

/* "(x,y,z)"; the limits are CUDA's. */
static const char *read_dim(struct trace_header *header, const char *at, size_t offset)
{
    uint32_t *dim = field(header, offset);
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (*at != (i == 0 ? '(' : ','))
            return NULL;
        at = scan_decimal(scan_blanks(at + 1), i == 0 ? INT32_MAX : 65535, &value);
        if (at == NULL || value == 0)
            return NULL;
        dim[i] = (uint32_t)value;
        at = scan_blanks(at);
    }
    return *at == ')' ? at + 1 : NULL;
}

/* "4" or "1.2": in tenths. */
static const char *read_version(struct trace_header *header, const char *at, size_t offset)
{
    uint64_t major, minor = 0;
    at = scan_decimal(at, 1000, &major);
    if (at != NULL && *at == '.')
        at = scan_decimal(at + 1, 9, &minor);
    *(uint32_t *)field(header, offset) = (uint32_t)(major * 10 + minor);
    return at;
}

static const char *read_name(struct trace_header *header, const char *at, size_t offset)
{
    const char *end = strchr(at, '\n');
    while (end > at && scan_is_blank(end[-1]))
        end--;
    char *name = strndup(at, (size_t)(end - at));
    if (name == NULL)
        return NULL;
    free(header->name);
    header->name = name;
    return end;
}

static const char *read_between(struct trace_header *header, const char *at, size_t offset)
{
    struct between between = {0};
    const char *end = between_read(&between, at);
    between_finish(&between);
    char *text = end != NULL ? strndup(at, (size_t)(end - at)) : NULL;
    if (text == NULL)
        return NULL;
    free(header->between);
    header->between = text;
    return end;
}

#define AT(member) offsetof(struct trace_header, member)

static const struct header_key {
    const char *name;
    value_reader read;
    size_t offset;
    const char *expected;
} keys[] = {
    {"kernel name", read_name, AT(name), "a name"},
    {"kernel id", read_id, AT(id), "a number"},
    {"grid dim", read_dim, AT(grid), "(x,y,z) with x from 1 to 2147483647, y and z to 65535"},
    {"block dim", read_dim, AT(block), "(x,y,z), each at least 1"},
    {"shmem", read_u32, AT(shmem), "a number of bytes"},
    {"nregs", read_u32, AT(regs), "a number of registers"},
    {"binary version", read_u32, AT(binary_version), "a compute capability such as 86"},
    {"cuda stream id", read_u64, AT(stream), "a number"},
    {"shmem base_addr", read_hex, AT(shmem_base), "a hexadecimal address"},
    {"local mem base_addr", read_hex, AT(local_base), "a hexadecimal address"},
    {"accelsim tracer version", read_version, AT(version), "a version such as 5 or 1.2"},
    {"enable lineinfo", read_flag, AT(lineinfo), "0 or 1"},
    {"active masks", read_flag, AT(active_masks), "0 or 1"},
    {"code between", read_between, AT(between), "by ascending PC, such as 0090:R4,R5 00c0:B"},
};

static const struct header_key *find_key(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0)
            return &keys[i];
    return NULL;
}

/* One "-key = value" line. Keys that are not known (the NVBit version, those
 * of forks) say nothing about how to read the file. */
static int read_line(struct trace_header *header, struct source *source, struct error *err)
{
    const char *name = source->at + 1;
    const char *newline = memchr(name, '\n', (size_t)(source->complete - name));
    size_t line_length = (size_t)(newline - name);
    const char *equals = memchr(name, '=', line_length);
    if (equals == NULL)
        return source_error(source, err, NULL, "'-key = value' is expected");
    const char *end = equals;
    while (end > name && scan_is_blank(end[-1]))
        end--;
    const struct header_key *key = find_key(name, (size_t)(end - name));
    if (key == NULL)
        return 0;
    const char *value = scan_blanks(equals + 1);
    if (memchr(value, '\0', line_length - (size_t)(value - name)) != NULL)
        return source_error(source, err, value, "text is expected, this is binary");
    errno = 0;
    end = key->read(header, value, key->offset);
    if (end == NULL && errno == ENOMEM)
        return error_no_memory_for(err, ERROR_TRACE, source->name);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(source, err, value, "-%s: %s is expected", key->name,
                            key->expected);
    return 0;
}

static int check(struct trace_header *header, struct source *source, struct error *err)
{
    if (header->grid[0] == 0)
        return source_error(source, err, NULL, "the header has no '-grid dim = (x,y,z)'");
    if (header->block[0] == 0)
        return source_error(source, err, NULL, "the header has no '-block dim = (x,y,z)'");
    uint64_t threads = (uint64_t)header->block[0] * header->block[1];
    if (threads > MAX_THREADS || threads * header->block[2] > MAX_THREADS)
        return source_error(source, err, NULL,
                            "blocks of (%u,%u,%u) threads; at most %d are possible",
                            header->block[0], header->block[1], header->block[2], MAX_THREADS);
    if (header->name == NULL && (header->name = strdup("")) == NULL)
        return source_error(source, err, NULL, "out of memory");
    return 0;
}

int header_read(struct trace_header *header, struct source *source, struct bytes *text,
                struct error *err)
{
    *header = (struct trace_header){0};
    int rc;
    while ((rc = source_line(source, err)) == 1 && *source->at != '#') {
        if (*source->at == '-') {
            if (read_line(header, source, err) != 0)
                return -1;
        } else if (*scan_blanks(source->at) != '\n')
            return source_error(source, err, NULL,
                                "a trace header is expected: '-key = value' lines, then one "
                                "that starts with '#'");
        if (text != NULL && source_keep_line(source, text, err) != 0)
            return -1;
        source_skip(source);
    }
    return rc < 0 ? -1 : check(header, source, err);
}

void header_finish(struct trace_header *header)
{
    free(header->name);
    free(header->between);
    header->name = header->between = NULL;
}

bool header_has_block(const struct trace_header *header, const uint32_t index[3])
{
    return index[0] < header->grid[0] && index[1] < header->grid[1] &&
           index[2] < header->grid[2];
}

uint64_t header_blocks(const struct trace_header *header)
{
    return (uint64_t)header->grid[0] * header->grid[1] * header->grid[2];
}

uint32_t header_threads(const struct trace_header *header)
{
    return header->block[0] * header->block[1] * header->block[2];
}

uint32_t header_warps(const struct trace_header *header)
{
    return (header_threads(header) + WARP_SIZE - 1) / WARP_SIZE;
}

enum trace_space trace_resolve_space(const struct trace_header *header, uint64_t address)
{
    const uint64_t window = UINT64_C(16) << 20;
    uint64_t shared = header->shmem_base, local = header->local_base;
    if (shared == 0 || local == 0)
        return TRACE_SPACE_SHARED;
    /* Drivers put the two windows in either order. */
    uint64_t shared_end = shared < local ? local : shared + window;
    if (address >= shared && address < shared_end)
        return TRACE_SPACE_SHARED;
    if (address >= local && address - local < window)
        return TRACE_SPACE_LOCAL;
    return TRACE_SPACE_GLOBAL;
}
