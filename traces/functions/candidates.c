#include "traces/functions/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "traces/functions/cubin.h"
#include "traces/functions/encodings.h"

#define ELF_MAGIC "\177ELF"

void candidates_finish(struct candidates *candidates)
{
    for (uint32_t i = 0; i < candidates->functions.count; i++)
        free(candidates->items[i].opcodes);
    free(candidates->items);
    functions_finish(&candidates->functions);
    bytes_finish(&candidates->pool);
    map_finish(&candidates->opcodes);
}

bool candidates_want(struct candidates *candidates, const char *name)
{
    candidates->seen++;
    return candidates->wanted == NULL || candidates->wanted(candidates->data, name);
}

bool candidates_add(struct candidates *candidates, struct trace_function *function,
                    const struct candidate *item)
{
    uint32_t n = candidates->functions.count;
    if (!array_room(&candidates->items, n, sizeof *candidates->items)) {
        trace_function_destroy(function);
        free(item->opcodes);
        return false;
    }
    candidates->items[n] = *item;
    candidates->items[n].file = candidates->file;
    if (functions_add(&candidates->functions, function) != MAP_NONE)
        return true;
    free(item->opcodes);
    return false;
}

uint32_t candidates_opcode(struct candidates *candidates, const char *text, size_t length)
{
    struct bytes *pool = &candidates->pool;
    uint64_t key = XXH3_64bits(text, length);
    for (uint32_t at; (at = map_get(&candidates->opcodes, key)) != MAP_NONE; key++) {
        const char *known = (const char *)pool->data + at;
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            return at;
    }
    size_t at = pool->size;
    bytes_put(pool, text, length);
    bytes_byte(pool, '\0');
    if (pool->failed || at >= MAP_NONE || !map_set(&candidates->opcodes, key, (uint32_t)at))
        return MAP_NONE;
    return (uint32_t)at;
}

const char *candidates_name(const struct candidates *candidates, uint32_t i, uint32_t pc)
{
    const struct candidate *item = &candidates->items[i];
    const struct trace_code *code = trace_function_code(candidates->functions.items[i], pc);
    if (code == NULL)
        return NULL;
    if (item->opcodes == NULL)
        return encodings_name(item->version, code->low);
    return (const char *)candidates->pool.data + item->opcodes[pc / TRACE_CODE_BYTES];
}

bool candidates_fit(const struct candidates *candidates, uint32_t i,
                    const struct trace_inst *inst, const char *opcode)
{
    const struct candidate *item = &candidates->items[i];
    const struct trace_function *function = candidates->functions.items[i];
    if (!trace_function_fits_register(function, inst))
        return false;
    if (item->opcodes == NULL)
        return trace_function_fits(function, item->version, inst->pc, opcode);
    return strcmp(candidates_name(candidates, i, inst->pc), opcode) == 0;
}

/* ---- files ------------------------------------------------------------- */

/* Reads all of the open FILE. */
static int read_all(FILE *file, const char *path, struct bytes *data, struct error *err)
{
    while (!feof(file) && !ferror(file) && bytes_reserve(data, 1 << 16))
        data->size += fread(data->data + data->size, 1, 1 << 16, file);
    if (data->failed)
        return error_no_memory_for(err, ERROR_TRACE, path);
    if (ferror(file))
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot read: %s", strerror(errno));
    return 0;
}

/* Whether FILE, at its start, is an ELF file; it is at its start again. */
static bool is_elf(FILE *file)
{
    char magic[sizeof ELF_MAGIC - 1];
    bool is = fread(magic, 1, sizeof magic, file) == sizeof magic &&
              memcmp(magic, ELF_MAGIC, sizeof magic) == 0;
    rewind(file);
    return is;
}

static bool want(void *data, const char *name)
{
    return candidates_want(data, name);
}

static bool take(void *data, struct trace_function *function, uint32_t version)
{
    return candidates_add(data, function, &(struct candidate){.version = version});
}

int candidates_read_cubin(struct candidates *candidates, const uint8_t *data, size_t size,
                          const char *name, struct error *err)
{
    const struct cubin_taker taker = {want, take, candidates};
    return cubin_read(data, size, name, &taker, err);
}

int candidates_read(struct candidates *candidates, const char *path, struct error *err)
{
    struct bytes data = {0};
    struct source source;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    bool elf = is_elf(file);
    int rc = elf ? read_all(file, path, &data, err) : 0;
    fclose(file);
    if (rc == 0 && elf)
        rc = candidates_read_cubin(candidates, data.data, data.size, path, err);
    bytes_finish(&data);
    if (rc != 0 || elf)
        return rc;
    if (source_open_expected(&source, path, CANDIDATES_FILE, err) != 0)
        return -1;
    rc = candidates_read_listing(candidates, &source, err);
    source_finish(&source);
    return rc;
}
