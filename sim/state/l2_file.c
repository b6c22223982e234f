/* The contents of L2 in a file that can be kept: sim_save() and sim_save_needed(); l2_restore.c
 * reads it.
 *
 * A file has a magic number, the version, the shape of L2, and the lines of each set of each
 * slice in their order of replacement: masks of sectors (valid, dirty, partial), address, and
 * the bytes written of each partial sector. If L1 survives between launches, the same of each
 * SM's L1 follows, with the position of the block scheduler, which decides whose L1 a block
 * finds; then what the caches of instructions hold, if they are modelled, and when those of
 * their lines arrive that are still on their way (code_file.h); and which regions of memory are
 * translated, if page walks are (sim/memory/page_walks.h). The file ends with a seal
 * (traces/base/files/sealed.h). It holds nothing else; a checkpoint (checkpoint.c) holds the
 * complete simulator. */
#include "sim/state/l2_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/functional/compact_caches.h"
#include "sim/state/code_file.h"
#include "sim/state/l2_filter.h"
#include "traces/base/files/sealed.h"

const char l2_file_magic[L2_FILE_MAGIC] = "hearthL2";
const char *const l2_file_shape_names[L2_FILE_SHAPE] = {"slices", "sets", "ways",
                                                        "bytes a line", "bytes a sector"};
const char *const l2_file_l1_names[L2_FILE_L1_SHAPE] = {"SMs", "sets", "ways", "bytes a line",
                                                        "bytes a sector"};

void l2_file_take_shape(const struct engine *engine, uint64_t values[L2_FILE_SHAPE])
{
    const struct tags_spec *spec = &engine_slice(engine, 0)->cache.tags.spec;
    values[0] = engine->spec.slices;
    values[1] = spec->sets;
    values[2] = spec->ways;
    values[3] = spec->line_bytes;
    values[4] = spec->sector_bytes;
}

void l2_file_take_l1_shape(const struct engine *engine, uint64_t values[L2_FILE_L1_SHAPE])
{
    const struct tags *tags = &engine->sms[0]->l1.tags;
    values[0] = engine->spec.sms;
    values[1] = tags->spec.sets;
    values[2] = tags->max_ways;
    values[3] = tags->spec.line_bytes;
    values[4] = tags->spec.sector_bytes;
}

uint32_t l2_file_byte_bits(uint64_t version)
{
    return version == L2_FILE_WITH_CODE ? L2_FILE_HAS_L1
           : version == L2_FILE_WITH_PAGES
               ? L2_FILE_HAS_L1 | L2_FILE_HAS_CODE
               : L2_FILE_HAS_L1 | L2_FILE_HAS_CODE | L2_FILE_HAS_PAGES;
}

/* Writes the sectors KEPT of LINE. After the address come the bytes written of each partial
 * sector. */
static void put_line(struct sealed_out *out, const struct tags *tags,
                     const struct tags_line *line, uint8_t kept)
{
    const struct tags_bytes *bytes = &tags->bytes[line - tags->lines];
    uint8_t partial = line->partial & kept;
    sealed_put(out, kept, 1);
    sealed_put(out, line->dirty & kept, 1);
    sealed_put(out, partial, 1);
    sealed_put(out, line->address, 8);
    for (; partial != 0; partial &= (uint8_t)(partial - 1))
        sealed_put(out, bytes->of[__builtin_ctz(partial)], 4);
}

/* Writes the lines of SET in their order, and its end, which is a mask without sectors. NEEDS
 * may be NULL: all lines. */
static void put_set(struct sealed_out *out, const struct tags *tags,
                    const struct sim_needs *needs, uint32_t slice, uint32_t set)
{
    struct tags_walk walk = tags_walk(tags, set, true);
    struct l2_filter_set kept = l2_filter_begin(needs, tags, slice, set);
    for (uint32_t line; (line = tags_walk_next(&walk)) != TAGS_NONE;) {
        uint8_t sectors = l2_filter_keep(&kept, &tags->lines[line]);
        if (sectors != 0)
            put_line(out, tags, &tags->lines[line], sectors);
    }
    sealed_put(out, 0, 1);
}

/* All of each L1: what a launch hits there never comes to L2. */
static void put_l1(struct sealed_out *out, const struct sim *sim)
{
    uint64_t shape[L2_FILE_L1_SHAPE];
    l2_file_take_l1_shape(&sim->engine, shape);
    for (int i = 0; i < L2_FILE_L1_SHAPE; i++)
        sealed_put(out, shape[i], 4);
    sealed_put(out, sim->last_turn, 4);
    for (uint32_t s = 0; s < sim->engine.spec.sms; s++) {
        const struct tags *tags = &sim->engine.sms[s]->l1.tags;
        sealed_put(out, tags->spec.ways, 4);
        for (uint32_t set = 0; set < tags->spec.sets; set++)
            put_set(out, tags, NULL, 0, set);
    }
}

static bool has_pages(const struct engine *engine)
{
    return engine->spec.page_walks.latency != 0;
}

/* The size of regions, and the addresses of those that are translated. */
static int put_pages(struct sealed_out *out, const struct page_walks *walks, struct error *err)
{
    uint64_t *addresses = calloc(walks->count + 1, sizeof *addresses);
    if (addresses == NULL)
        return error_no_memory(err);
    page_walks_list(walks, addresses);
    sealed_put(out, walks->spec.shift, 4);
    sealed_put(out, walks->count, 4);
    for (uint32_t i = 0; i < walks->count; i++)
        sealed_put(out, addresses[i], 8);
    free(addresses);
    return 0;
}

/* What follows L2 in the state of SIM. */
static uint32_t follows(const struct sim *sim)
{
    return (sim_keeps_l1(sim) ? L2_FILE_HAS_L1 : 0) |
           (code_file_wanted(sim) ? L2_FILE_HAS_CODE : 0) |
           (has_pages(&sim->engine) ? L2_FILE_HAS_PAGES : 0);
}

/* The first version that holds all of it. */
static uint32_t version_of(const struct sim *sim, uint32_t parts)
{
    if (parts & L2_FILE_HAS_CODE && code_file_coming(sim) != 0)
        return L2_FILE_WITH_COMING;
    return parts & L2_FILE_HAS_PAGES  ? L2_FILE_WITH_PAGES
           : parts & L2_FILE_HAS_CODE ? L2_FILE_WITH_CODE
           : parts & L2_FILE_HAS_L1   ? L2_FILE_WITH_L1
                                      : L2_FILE_OLDEST;
}

static void put_l2(struct sealed_out *out, const struct engine *engine,
                   const struct sim_needs *needs)
{
    for (uint32_t slice = 0; slice < engine->spec.slices; slice++) {
        const struct tags *tags = &engine_slice(engine, slice)->cache.tags;
        for (uint32_t set = 0; set < tags->spec.sets; set++)
            put_set(out, tags, needs, slice, set);
    }
}

/* The memory system must be idle, and the tags must hold the contents of the caches. */
static int save(const struct sim *sim, const struct sim_needs *needs, FILE *file,
                const char *name, struct error *err)
{
    const struct engine *engine = &sim->engine;
    struct sealed_out out;
    uint64_t shape[L2_FILE_SHAPE];
    l2_file_take_shape(engine, shape);
    sealed_out_init(&out, file);
    sealed_write(&out, l2_file_magic, sizeof l2_file_magic);
    uint32_t parts = follows(sim), version = version_of(sim, parts);
    sealed_put(&out, version, 4);
    for (int i = 0; i < L2_FILE_SHAPE; i++)
        sealed_put(&out, shape[i], 4);
    put_l2(&out, engine, needs);
    if (version >= L2_FILE_WITH_CODE)
        sealed_put(&out, parts & l2_file_byte_bits(version), 1);
    if (parts & L2_FILE_HAS_L1)
        put_l1(&out, sim);
    if (parts & L2_FILE_HAS_CODE)
        code_file_put(&out, sim);
    if (version == L2_FILE_WITH_COMING)
        code_file_put_coming(&out, sim);
    int result = parts & L2_FILE_HAS_PAGES ? put_pages(&out, &engine->page_walks, err) : 0;
    if (sealed_out_finish(&out) || result != 0)
        return result;
    return error_set(err, ERROR_OUTPUT, name, 0, 0, "the state of L2 could not be written: %s",
                     strerror(errno));
}

int sim_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    if (l2_filter_need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    return save(sim, NULL, out, name, err);
}

int sim_save_needed(struct sim *sim, const struct sim_needs *needs, FILE *out, const char *name,
                    struct error *err)
{
    if (l2_filter_need_l2(sim, name, err) != 0)
        return -1;
    compact_caches_give(sim);
    return save(sim, needs, out, name, err);
}
