#include "traces/synth/hopper/coded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "traces/synth/hopper/assembler.h"
#include "traces/synth/warp.h"

#define LINE_ROOM 1536

/* One line of the list. */
static void put(struct synth *synth, const char *text)
{
    if (!synth->failed)
        synth->failed = synth->sink->ops->line(synth->sink, text, synth->err) != 0;
}

/* Appends VALUES of N dimensions to TEXT. */
static void append(char *text, const char *key, const uint64_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        size_t used = strlen(text);
        snprintf(text + used, LINE_ROOM - used, "%s%" PRIu64, i == 0 ? key : ",", values[i]);
    }
}

static void append32(char *text, const char *key, const uint32_t *values, uint32_t n)
{
    uint64_t wide[5];
    for (uint32_t i = 0; i < n; i++)
        wide[i] = values[i];
    append(text, key, wide, n);
}

uint32_t synth_tensor_map(struct synth *synth, const struct trace_tensor_map *map)
{
    char text[LINE_ROOM] = "# tensormap ";
    size_t used = strlen(text);
    memset(text + used, '0', 2 * (size_t)TRACE_TENSOR_MAP_BYTES);
    used += 2 * (size_t)TRACE_TENSOR_MAP_BYTES;
    snprintf(text + used, LINE_ROOM - used, " tiled type=%" PRIu32 " address=0x%" PRIx64,
             map->type, map->address);
    append(text, " dims=", map->dims, map->rank);
    append(text, " strides=", map->strides + 1, map->rank - 1);
    append32(text, " steps=", map->steps, map->rank);
    append32(text, " box=", map->box, map->rank);
    const uint64_t choices[] = {map->interleave, map->swizzle, map->promotion, map->fill};
    static const char *const keys[] = {" interleave=", " swizzle=", " promotion=", " fill="};
    for (int i = 0; i < 4; i++)
        append(text, keys[i], &choices[i], 1);
    put(synth, text);
    return ++synth->maps;
}

static void put_facts(struct synth *synth, const struct trace_launch_facts *facts, uint64_t id)
{
    char text[LINE_ROOM];
    snprintf(text, sizeof text,
             "# launch %" PRIu64 " dynamic=%" PRIu32 " cluster=%" PRIu32 ",%" PRIu32 ",%" PRIu32
             " cooperative=0 carveout=%" PRId32 " maps=",
             id, facts->dynamic_shmem, facts->cluster[0], facts->cluster[1], facts->cluster[2],
             facts->carveout);
    for (uint32_t i = 0; i < facts->map_count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%" PRIu32 ":%" PRIu32, i == 0 ? "" : ",",
                 facts->maps[i].offset, facts->maps[i].number);
    }
    put(synth, text);
}

static void put_loops(struct synth *synth, const char *name)
{
    uint32_t first, last;
    for (size_t i = 0; assembler_loop(synth->assembler, i, &first, &last); i++) {
        char text[LINE_ROOM];
        snprintf(text, sizeof text, "# waits %s %04" PRIx32 " %04" PRIx32, name, first, last);
        put(synth, text);
    }
}

/* All warps of a block go through their code; nothing is written. */
static void follow_block(struct synth *synth, const struct synth_launch *launch,
                         const uint32_t block[3])
{
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    for (uint32_t index = 0; index < div_up(threads, WARP_SIZE) && !synth->failed; index++) {
        struct warp warp = warp_begin(synth, launch, block, index);
        assembler_begin_warp(synth->assembler);
        warp_run(&warp);
    }
}

int coded_begin(struct synth *synth, const struct synth_launch *launch,
                const struct trace_header *header, struct trace_function *function)
{
    const uint32_t first[3] = {0},
                   last[3] = {header->grid[0] - 1, header->grid[1] - 1, header->grid[2] - 1};
    struct assembler *assembler = synth->assembler = assembler_create();
    if (assembler != NULL) {
        follow_block(synth, launch, first);
        follow_block(synth, launch, last);
    }
    *function = (struct trace_function){.name = header->name,
                                        .registers = header->regs,
                                        .barriers = 16,
                                        .max_threads = {launch->block[0], 1, 1}};
    if (assembler == NULL ||
        (function->code = assembler_code(assembler, &function->count)) == NULL) {
        synth->failed = true;
        error_no_memory(synth->err);
    }
    if (assembler != NULL)
        put_loops(synth, header->name);
    put_facts(synth, launch->facts, header->id);
    synth->assembler = NULL;
    synth->code = assembler;
    return synth->failed ? -1 : 0;
}

void coded_end(struct synth *synth)
{
    assembler_destroy(synth->code);
    synth->code = NULL;
}
