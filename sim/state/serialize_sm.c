#include "sim/state/serialize_sm.h"

#include "sim/core/sm.h"
#include "sim/state/serialize_memory.h"

static void lines_serialize(struct line_cache *lines, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct line_cache, lines)};
    SERIALIZE_STRUCT(image, lines, without);
    serialize_bytes(image, lines->lines,
                    (size_t)lines->sets * lines->ways * sizeof *lines->lines);
}

static void supply_serialize(struct code_supply *supply, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct code_supply, spec),
        SERIALIZE_WITHOUT(struct code_supply, l1),
        SERIALIZE_WITHOUT(struct code_supply, gcc),
        SERIALIZE_WITHOUT(struct code_supply, requests),
        SERIALIZE_WITHOUT(struct code_supply, answers),
        SERIALIZE_WITHOUT(struct code_supply, missing),
        SERIALIZE_WITHOUT(struct code_supply, missing_room),
    };
    SERIALIZE_STRUCT(image, supply, without);
    lines_serialize(&supply->l1, image);
    lines_serialize(&supply->gcc, image);
    queue_serialize(&supply->requests, image);
    queue_serialize(&supply->answers, image);
    serialize_array(image, (void **)&supply->missing, supply->missing_count,
                    sizeof *supply->missing);
    if (image->loading)
        supply->missing_room = supply->missing_count;
}

static void code_serialize(struct code_caches *caches, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct code_caches, spec),
        SERIALIZE_WITHOUT(struct code_caches, l0),
        SERIALIZE_WITHOUT(struct code_caches, recent),
        SERIALIZE_WITHOUT(struct code_caches, constants),
        SERIALIZE_WITHOUT(struct code_caches, supply),
        SERIALIZE_WITHOUT(struct code_caches, shares),
    };
    SERIALIZE_STRUCT(image, caches, without);
    for (uint32_t i = 0; i < caches->spec->sub_cores; i++) {
        lines_serialize(&caches->l0[i], image);
        lines_serialize(&caches->constants.operands[i], image);
    }
    for (uint32_t i = 0; caches->spec->l0_latency != 0 && i < caches->spec->sub_cores; i++)
        lines_serialize(&caches->recent[i], image);
    lines_serialize(&caches->constants.loads, image);
    serialize_bytes(image, &caches->constants.load_turns, sizeof caches->constants.load_turns);
    serialize_bytes(image, &caches->constants.operand_turns,
                    sizeof caches->constants.operand_turns);
    serialize_bytes(image, &caches->constants.late, sizeof caches->constants.late);
    serialize_bytes(image, &caches->constants.late_from, sizeof caches->constants.late_from);
    supply_serialize(&caches->supply, image);
}

static void messages_serialize(struct sm *sm, struct serializer *image)
{
    serialize_bytes(image, &sm->messages.count, sizeof sm->messages.count);
    if (sm->messages.count == 0)
        return;
    serialize_array(image, (void **)&sm->messages.all, sm->messages.count,
                    sizeof *sm->messages.all);
    if (image->loading)
        sm->messages.room = sm->messages.count;
}

void sm_serialize(struct sm *sm, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct sm, model),     SERIALIZE_WITHOUT(struct sm, spec),
        SERIALIZE_WITHOUT(struct sm, observers), SERIALIZE_WITHOUT(struct sm, cpi),
        SERIALIZE_WITHOUT(struct sm, code),      SERIALIZE_WITHOUT(struct sm, replies),
        SERIALIZE_WITHOUT(struct sm, taken),     SERIALIZE_WITHOUT(struct sm, requests),
        SERIALIZE_WITHOUT(struct sm, l1),        SERIALIZE_WITHOUT(struct sm, messages),
        SERIALIZE_WITHOUT(struct sm, shares),    SERIALIZE_WITHOUT(struct sm, flights),
        SERIALIZE_WITHOUT(struct sm, blocks),
    };
    if (sm->blocks_used != 0)
        image->failed = true;
    SERIALIZE_STRUCT(image, sm, without);
    queue_serialize(&sm->replies, image);
    queue_serialize(&sm->taken, image);
    queue_serialize(&sm->requests, image);
    sm_observers_serialize(&sm->observers, image);
    messages_serialize(sm, image);
    if (sm->spec->l1_enabled)
        cache_serialize(&sm->l1, image);
    if (sm->code != NULL)
        code_serialize(sm->code, image);
    if (sm->model->serialize != NULL)
        sm->model->serialize(sm, image);
    if (sm->blocks_used != 0)
        image->failed = true;
}
