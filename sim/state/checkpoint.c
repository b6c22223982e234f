/* A checkpoint of the complete simulator between two launches: sim_state_save() and
 * sim_state_load().
 *
 * A file has a head and an image, which holds the bytes of each part as they are in memory
 * (traces/base/serialize.h); serialize_sm.c does SMs and serialize_memory.c the memory system.
 * Only the program that wrote it can load it: checkpoints are for runs that are interrupted or
 * continued elsewhere. Files of L2's contents, which can be kept, are those of l2_file.c. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "sim/core/op.h"
#include "sim/functional/compact_caches.h"
#include "sim/simulator.h"
#include "sim/state/serialize_memory.h"
#include "sim/state/serialize_sm.h"
#include "traces/base/draft.h"

/* Precedes the image. When the layout of a part changes, the size of the image almost always
 * changes too; `layout`, a digest of the sizes of the largest parts, makes it more certain. */
struct checkpoint_head {
    char magic[8];
    uint64_t layout;
    uint64_t config; /* digest of what sim_config_print() writes */
    uint64_t size;   /* of the image, bytes */
    uint64_t sum;    /* digest of the members above and of the image */
};

static const char magic[8] = "hearthSt";

static uint64_t layout(void)
{
    uint64_t models = 0;
    for (const struct policy *const *model = core_models; *model != NULL; model++)
        models = 31 * models + ((const struct core_model *)*model)->size;
    const uint64_t sizes[] = {
        sizeof(struct sim),
        sizeof(struct engine),
        sizeof(struct sm),
        sizeof(struct cache),
        models,
        sizeof(struct tags_line),
        sizeof(struct mshr),
        sizeof(struct mshr_entry),
        sizeof(struct slice),
        sizeof(struct coalescer_entry),
        sizeof(struct partition),
        sizeof(struct dram),
        sizeof(struct dram_bank),
        sizeof(struct xbar),
        sizeof(struct queue_entry),
        sizeof(struct sm_op),
        sizeof(struct cpi),
    };
    return XXH64(sizes, sizeof sizes, 0);
}

static uint64_t sum_of(const struct checkpoint_head *head, const struct serializer *image)
{
    return XXH64(image->bytes, image->size,
                 XXH64(head, offsetof(struct checkpoint_head, sum), 0));
}

static bool digest_config(const struct sim_config *config, uint64_t *digest)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return false;
    sim_config_print(config, draft.out);
    bool good = draft_end(&draft);
    if (good)
        *digest = XXH64(draft.text, draft.size, 0);
    free(draft.text);
    return good;
}

static void engine_serialize(struct engine *engine, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct engine, spec),
        SERIALIZE_WITHOUT(struct engine, pool),
        SERIALIZE_WITHOUT(struct engine, sms),
        SERIALIZE_WITHOUT(struct engine, partitions),
        SERIALIZE_WITHOUT(struct engine, places),
        SERIALIZE_WITHOUT(struct engine, request),
        SERIALIZE_WITHOUT(struct engine, merged),
        SERIALIZE_WITHOUT(struct engine, page_walks),
        SERIALIZE_WITHOUT(struct engine, merges),
        SERIALIZE_WITHOUT(struct engine, code),
        SERIALIZE_WITHOUT(struct engine, arrived),
        SERIALIZE_WITHOUT(struct engine, aside),
        SERIALIZE_WITHOUT(struct engine, beside),
        SERIALIZE_WITHOUT(struct engine, request_goal),
        SERIALIZE_WITHOUT(struct engine, reached),
        SERIALIZE_WITHOUT(struct engine, reply),
        SERIALIZE_WITHOUT(struct engine, ahead),
        SERIALIZE_WITHOUT(struct engine, crossbars),
        SERIALIZE_WITHOUT(struct engine, crossing),
        SERIALIZE_WITHOUT(struct engine, flushed),
        SERIALIZE_WITHOUT(struct engine, slots),
        SERIALIZE_WITHOUT(struct engine, sm_shares),
        SERIALIZE_WITHOUT(struct engine, flights),
        SERIALIZE_WITHOUT(struct engine, code_shares),
        SERIALIZE_WITHOUT(struct engine, l1_shares),
        SERIALIZE_WITHOUT(struct engine, l2_shares),
        SERIALIZE_WITHOUT(struct engine, dram_shares),
        SERIALIZE_WITHOUT(struct engine, cpi_shares),
    };
    engine_settle(engine);
    SERIALIZE_STRUCT(image, engine, without);
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_serialize(engine->sms[s], image);
    for (uint32_t c = 0; c < engine->spec.channels; c++)
        partition_serialize(&engine->partitions[c], image);
    work_shares_serialize(&engine->ahead, image);
    xbar_serialize(&engine->request, image);
    xbar_serialize(&engine->reply, image);
    page_walks_serialize(&engine->page_walks, image);
    merges_serialize(&engine->merges, image);
    code_shares_serialize(&engine->code, image);
    serialize_bytes(image, engine->flushed, engine->spec.slices * sizeof *engine->flushed);
    for (uint32_t s = 0; s < engine->spec.slices; s++)
        queue_serialize(&engine->arrived[s], image);
}

static void loaded_serialize(struct loaded_code *loaded, struct serializer *image)
{
    serialize_bytes(image, &loaded->count, sizeof loaded->count);
    serialize_array(image, (void **)&loaded->addresses, loaded->count,
                    sizeof *loaded->addresses);
    loaded->room = loaded->count;
}

static void sim_serialize(struct sim *sim, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct sim, config),     SERIALIZE_WITHOUT(struct sim, engine),
        SERIALIZE_WITHOUT(struct sim, pool),       SERIALIZE_WITHOUT(struct sim, next),
        SERIALIZE_WITHOUT(struct sim, loaded),     SERIALIZE_WITHOUT(struct sim, visit),
        SERIALIZE_WITHOUT(struct sim, first),      SERIALIZE_WITHOUT(struct sim, first_count),
        SERIALIZE_WITHOUT(struct sim, first_room), SERIALIZE_WITHOUT(struct sim, parts),
        SERIALIZE_WITHOUT(struct sim, report),     SERIALIZE_WITHOUT(struct sim, compacts),
        SERIALIZE_WITHOUT(struct sim, frames),
    };
    SERIALIZE_STRUCT(image, sim, without);
    loaded_serialize(&sim->loaded, image);
    part_counts_serialize(&sim->parts, image);
    engine_serialize(&sim->engine, image);
}

int sim_state_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    struct serializer image = {0};
    struct checkpoint_head head = {.layout = layout()};
    compact_caches_give(sim);
    memcpy(head.magic, magic, sizeof magic);
    sim_serialize(sim, &image);
    bool made = !image.failed && digest_config(sim->config, &head.config);
    head.size = image.size;
    head.sum = made ? sum_of(&head, &image) : 0;
    bool written = made && fwrite(&head, sizeof head, 1, out) == 1 &&
                   fwrite(image.bytes, image.size, 1, out) == 1 && fflush(out) == 0;
    serializer_finish(&image);
    if (written)
        return 0;
    if (!made)
        return error_set(err, ERROR_SIMULATION, name, 0, 0, "the state could not be collected");
    return error_set(err, ERROR_OUTPUT, name, 0, 0, "the state could not be written");
}

static int check_head(const struct sim *sim, const struct checkpoint_head *head,
                      const char *name, struct error *err)
{
    uint64_t config;
    if (head->layout != layout())
        return error_set(err, ERROR_USAGE, name, 0, 0,
                         "the state was written by another version of the simulator");
    if (!digest_config(sim->config, &config))
        return error_no_memory(err);
    if (head->config != config)
        return error_set(err, ERROR_USAGE, name, 0, 0,
                         "the state belongs to another configuration");
    return 0;
}

/* Reads the image after HEAD in pieces, because a damaged head may state a size that exceeds
 * memory. */
static int read_state(struct serializer *image, const struct checkpoint_head *head, FILE *in,
                      const char *name, struct error *err)
{
    uint8_t piece[1 << 16];
    for (uint64_t left = head->size; left > 0 && !image->failed;) {
        size_t wanted = left < sizeof piece ? (size_t)left : sizeof piece;
        size_t got = fread(piece, 1, wanted, in);
        serialize_bytes(image, piece, got);
        if (got < wanted)
            return error_set(err, ERROR_TRACE, name, 0, 0, "the state is truncated");
        left -= got;
    }
    if (image->failed)
        return error_no_memory(err);
    if (sum_of(head, image) != head->sum)
        return error_set(err, ERROR_TRACE, name, 0, 0,
                         "the state is damaged: its checksum differs");
    return 0;
}

int sim_state_load(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    struct serializer image = {0};
    struct checkpoint_head head;
    sim_reset(sim);
    if (fread(&head, sizeof head, 1, in) != 1 || memcmp(head.magic, magic, sizeof magic) != 0)
        return error_set(err, ERROR_TRACE, name, 0, 0, "is not a state of a simulator");
    int result = read_state(&image, &head, in, name, err);
    if (result == 0)
        result = check_head(sim, &head, name, err);
    image.loading = true;
    if (result == 0)
        sim_serialize(sim, &image);
    if (result == 0 && (image.failed || image.at != image.size)) {
        sim_reset(sim);
        result = error_set(err, ERROR_TRACE, name, 0, 0, "the state is inconsistent");
    }
    serializer_finish(&image);
    return result;
}
