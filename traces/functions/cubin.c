/* Cubins: ELF files with a section ".text.NAME" for each function. What ".nv.info" and
 * ".nv.info.NAME" hold has no public description: the numbers of attributes are those that
 * compilers from CUDA 11 to 13 write for known source. */
#include <stdlib.h>
#include <string.h>

#include "traces/functions/cubin.h"
#include "traces/functions/functions.h"

enum {
    HEADER_SIZE = 64,
    SECTION_SIZE = 64,
    SYMBOL_SIZE = 24,
    MACHINE_CUDA = 190,
    TYPE_CODE = 1,
    TYPE_SYMBOLS = 2,
    TYPE_INFO = 0x70000000,
    MOST_CONSTANTS = 65536, /* bytes of a bank */
    ABI_13 = 8,             /* of CUDA 13: it moved the GPU's version */
};

/* Attributes of functions. */
enum {
    INFO_MAX_THREADS = 0x05,
    INFO_EXACT_THREADS = 0x10,
    INFO_REGISTERS = 0x2f, /* symbol, number */
    INFO_CLUSTER = 0x3d,
    INFO_BARRIERS = 0x4c,
};

/* How the value of an attribute is stored. */
enum { FORM_BYTE = 2, FORM_SIZED = 4 };

struct cubin_section {
    const char *name; /* "" if it lies outside the file */
    uint32_t type, link, info;
    uint64_t flags, offset, size;
};

struct cubin {
    const struct cubin_taker *taker;
    const uint8_t *data;
    size_t size;
    const char *name; /* for messages */
    uint32_t version;
    uint64_t sections, count; /* where the table is; its length */
    struct cubin_section names, symbols, info;
};

static int wrong(const struct cubin *cubin, struct error *err, const char *text)
{
    return error_set(err, ERROR_TRACE, cubin->name, 0, 0, "%s", text);
}

/* The little-endian number of SIZE bytes at DATA. */
static uint64_t get(const uint8_t *data, int size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | data[size];
    return value;
}

/* Whether SIZE bytes at OFFSET are in the file. */
static bool is_inside(const struct cubin *cubin, uint64_t offset, uint64_t size)
{
    return offset <= cubin->size && size <= cubin->size - offset;
}

/* The text at OFFSET of the SECTION of names. */
static const char *get_name(const struct cubin *cubin, const struct cubin_section *section,
                            uint64_t offset)
{
    if (!is_inside(cubin, section->offset, section->size) || offset >= section->size)
        return "";
    const char *name = (const char *)cubin->data + section->offset + offset;
    return memchr(name, '\0', section->size - offset) != NULL ? name : "";
}

static struct cubin_section get_section(const struct cubin *cubin, uint64_t i)
{
    if (i >= cubin->count)
        return (struct cubin_section){.name = ""};
    const uint8_t *at = cubin->data + cubin->sections + i * SECTION_SIZE;
    return (struct cubin_section){
        .name = get_name(cubin, &cubin->names, get(at, 4)),
        .type = (uint32_t)get(at + 4, 4),
        .flags = get(at + 8, 8),
        .offset = get(at + 24, 8),
        .size = get(at + 32, 8),
        .link = (uint32_t)get(at + 40, 4),
        .info = (uint32_t)get(at + 44, 4),
    };
}

/* ---- attributes -------------------------------------------------------- */

/* What attributes say of a function. */
struct cubin_values {
    uint32_t registers, barriers, max_threads[3], cluster[3];
    uint32_t constants; /* bytes of bank 0 */
};

static void get_size(const uint8_t *value, uint64_t size, uint32_t numbers[3])
{
    for (int i = 0; size >= 12 && i < 3; i++)
        numbers[i] = (uint32_t)get(value + 4 * i, 4);
}

/* The name of symbol I. */
static const char *symbol_name(const struct cubin *cubin, uint64_t i)
{
    const struct cubin_section *symbols = &cubin->symbols;
    if (!is_inside(cubin, symbols->offset, symbols->size) || i >= symbols->size / SYMBOL_SIZE)
        return "";
    const struct cubin_section names = get_section(cubin, symbols->link);
    const uint8_t *symbol = cubin->data + symbols->offset + i * SYMBOL_SIZE;
    return get_name(cubin, &names, get(symbol, 4));
}

/* Takes an attribute of the function NAME, or of any function: then its value says whose. */
static void take(const struct cubin *cubin, const char *name, int attribute,
                 const uint8_t *value, uint64_t size, struct cubin_values *values)
{
    switch (attribute) {
    case INFO_REGISTERS:
        if (size >= 8 && strcmp(symbol_name(cubin, get(value, 4)), name) == 0)
            values->registers = (uint32_t)get(value + 4, 4);
        break;
    case INFO_BARRIERS:
        values->barriers = value[0];
        break;
    case INFO_MAX_THREADS:
    case INFO_EXACT_THREADS:
        get_size(value, size, values->max_threads);
        break;
    case INFO_CLUSTER:
        get_size(value, size, values->cluster);
        break;
    }
}

/* Takes the attributes in SECTION. */
static void read_info(const struct cubin *cubin, const struct cubin_section *section,
                      const char *name, struct cubin_values *values)
{
    if (!is_inside(cubin, section->offset, section->size))
        return;
    const uint8_t *at = cubin->data + section->offset, *end = at + section->size;
    while (end - at >= 4) {
        uint64_t size = at[0] == FORM_SIZED ? get(at + 2, 2) : 0;
        if (size > (uint64_t)(end - at - 4))
            return;
        const uint8_t *value = at[0] == FORM_SIZED ? at + 4 : at + 2;
        if (at[0] == FORM_SIZED || at[0] == FORM_BYTE)
            take(cubin, name, at[1], value, size, values);
        at += 4 + size;
    }
}

/* ---- functions --------------------------------------------------------- */

/* Whether SECTION is PREFIX and the NAME of the function. */
static bool is_of(const struct cubin_section *section, const char *prefix, const char *name)
{
    size_t n = strlen(prefix);
    return strncmp(section->name, prefix, n) == 0 && strcmp(section->name + n, name) == 0;
}

static struct cubin_values get_values(const struct cubin *cubin,
                                      const struct cubin_section *text, const char *name)
{
    /* Compilers before CUDA 13 had no attribute for these two. */
    struct cubin_values values = {.registers = text->info >> 24,
                                  .barriers = text->flags >> 20 & 0x7f};
    read_info(cubin, &cubin->info, name, &values);
    for (uint64_t i = 0; i < cubin->count; i++) {
        const struct cubin_section section = get_section(cubin, i);
        if (section.type == TYPE_INFO && is_of(&section, ".nv.info.", name))
            read_info(cubin, &section, name, &values);
        if (is_of(&section, ".nv.constant0.", name) && section.size <= MOST_CONSTANTS)
            values.constants = (uint32_t)section.size;
    }
    return values;
}

/* NULL when memory ran out. */
static struct trace_function *make_function(const struct cubin *cubin,
                                            const struct cubin_section *text, const char *name)
{
    const struct cubin_values values = get_values(cubin, text, name);
    struct trace_function *function = malloc(sizeof *function);
    if (function == NULL)
        return NULL;
    *function = (struct trace_function){
        .name = strdup(name),
        .registers = values.registers > 0 ? values.registers : TRACE_FUNCTION_UNKNOWN,
        .barriers = values.barriers,
        .constants = values.constants,
        .count = (uint32_t)(text->size / TRACE_CODE_BYTES),
        .code = malloc(text->size),
    };
    if (function->name == NULL || function->code == NULL) {
        trace_function_destroy(function);
        return NULL;
    }
    memcpy(function->max_threads, values.max_threads, sizeof values.max_threads);
    memcpy(function->cluster, values.cluster, sizeof values.cluster);
    const uint8_t *at = cubin->data + text->offset;
    for (uint32_t i = 0; i < function->count; i++, at += TRACE_CODE_BYTES)
        function->code[i] = (struct trace_code){get(at, 8), get(at + 8, 8)};
    return function;
}

static int add_function(struct cubin *cubin, const struct cubin_section *text,
                        struct error *err)
{
    const char *name = text->name + strlen(".text.");
    if (text->size == 0 || *name == '\0' || strchr(name, '\n') != NULL ||
        !cubin->taker->wanted(cubin->taker->data, name))
        return 0;
    if (!is_inside(cubin, text->offset, text->size) || text->size % TRACE_CODE_BYTES != 0 ||
        text->size / TRACE_CODE_BYTES > TRACE_CODE_MOST)
        return error_set(err, ERROR_TRACE, cubin->name, 0, 0,
                         "the code of %s is cut off or of another instruction set", name);
    struct trace_function *function = make_function(cubin, text, name);
    if (function == NULL || !cubin->taker->take(cubin->taker->data, function, cubin->version))
        return error_no_memory_for(err, ERROR_TRACE, cubin->name);
    return 0;
}

/* Reads the header and finds the sections that concern all functions. */
static int open_cubin(struct cubin *cubin, struct error *err)
{
    const uint8_t *header = cubin->data;
    if (cubin->size < HEADER_SIZE || header[4] != 2 || header[5] != 1 ||
        get(header + 18, 2) != MACHINE_CUDA)
        return wrong(cubin, err,
                     "an ELF file, but no cubin: 'cuobjdump -xelf all' takes cubins out of "
                     "programs and libraries");
    uint64_t flags = get(header + 48, 4);
    cubin->version = (uint32_t)(header[8] >= ABI_13 ? flags >> 8 & 0xff : flags & 0xff);
    if (cubin->version < 70)
        return wrong(cubin, err, "code of a GPU before Volta, whose instructions have 8 bytes");
    cubin->sections = get(header + 40, 8);
    cubin->count = get(header + 60, 2);
    if (!is_inside(cubin, cubin->sections, cubin->count * SECTION_SIZE) || cubin->count == 0)
        return wrong(cubin, err, "the table of sections is cut off");
    cubin->names = get_section(cubin, get(header + 62, 2));
    for (uint64_t i = 0; i < cubin->count; i++) {
        const struct cubin_section section = get_section(cubin, i);
        if (section.type == TYPE_SYMBOLS)
            cubin->symbols = section;
        if (section.type == TYPE_INFO && strcmp(section.name, ".nv.info") == 0)
            cubin->info = section;
    }
    return 0;
}

int cubin_read(const uint8_t *data, size_t size, const char *name,
               const struct cubin_taker *taker, struct error *err)
{
    struct cubin cubin = {
        .taker = taker, .data = data, .size = size, .name = name, .names.name = ""};
    int rc = open_cubin(&cubin, err);
    for (uint64_t i = 0; rc == 0 && i < cubin.count; i++) {
        const struct cubin_section section = get_section(&cubin, i);
        if (section.type == TYPE_CODE && strncmp(section.name, ".text.", 6) == 0)
            rc = add_function(&cubin, &section, err);
    }
    return rc;
}
