#include "sim/core/l1_pipe.h"

#include "sim/core/requests.h"
#include "sim/state/serialize_memory.h"
#include "sim/stats/shares.h"

void l1_pipe_finish(struct l1_pipe *pipe)
{
    for (uint32_t bank = 0; bank < L1_PIPE_BANKS; bank++)
        queue_finish(&pipe->queues[bank]);
}

void l1_pipe_serialize(struct l1_pipe *pipe, struct serializer *image)
{
    static const struct serializer_member without[] = {
        SERIALIZE_WITHOUT(struct l1_pipe, queues)};
    SERIALIZE_STRUCT(image, pipe, without);
    for (uint32_t bank = 0; bank < L1_PIPE_BANKS; bank++)
        queue_serialize(&pipe->queues[bank], image);
}

static void note_conflict(struct l1_pipe *pipe, struct sm *sm, uint8_t slot)
{
    pipe->conflict = true;
    pipe->slot = slot;
    SHARES_ADD(sm, slot, l1_conflicts, 1);
}

uint32_t l1_pipe_enter(struct l1_pipe *pipe, struct sm *sm, struct access_list *list,
                       const struct sm_op *op, uint16_t index, uint8_t slot, uint64_t ready)
{
    const struct sm_spec *spec = sm->spec;
    uint32_t entered = 0, count = 0;
    for (; count < spec->l1_banks && list->count != 0; count++) {
        const struct access_sector *sector = &list->sectors[list->count - 1];
        uint32_t bank = requests_bank(spec, sector->address);
        struct queue *queue = &pipe->queues[bank];
        if ((entered >> bank & 1) || queue->count >= spec->l1_latency) {
            note_conflict(pipe, sm, slot);
            break;
        }
        entered |= 1u << bank;
        struct packet *packet = queue_add(queue, ready);
        requests_packet(sm, op, index, sector, slot, packet);
        tags_prefetch(&sm->l1.tags, packet->address);
        mshr_prefetch(&sm->l1.mshr, packet->address);
        list->count--;
    }
    pipe->banks |= entered;
    return count;
}

bool l1_pipe_try(struct l1_pipe *pipe, struct sm *sm, uint32_t bank, struct l1_access *access)
{
    struct queue *queue = &pipe->queues[bank];
    const struct packet *packet = &queue_head(queue)->packet;
    const struct tags *tags = &sm->l1.tags;
    uint32_t set = tags_set(tags, tags_line_address(tags, packet->address));
    struct cache_result result = cache_access(&sm->l1, packet, set, sm->now);
    if (!result.accepted) {
        cache_note_refusal(&sm->l1, &pipe->refused[bank], packet, &result);
        pipe->waiting += 1ull << (8 * pipe->refused[bank].kind);
        return false;
    }
    pipe->refused[bank].stands = false;
    if (!result.hit)
        tags_expect_miss(tags, set);
    queue_pop(queue);
    if (queue->count == 0)
        pipe->banks &= ~(1u << bank);
    else
        tags_expect(tags, queue_head(queue)->packet.address);
    *access = (struct l1_access){.packet = packet, .result = result};
    return true;
}

void l1_pipe_skip(const struct l1_pipe *pipe, struct sm *sm, uint64_t cycles)
{
    uint64_t waiting = pipe->waiting;
    for (uint32_t kind = 0; waiting != 0; kind++, waiting >>= 8)
        cache_wait(&sm->l1, (enum cache_kind)kind, (waiting & 255) * cycles);
    if (pipe->conflict)
        SHARES_ADD(sm, pipe->slot, l1_conflicts, cycles);
}
