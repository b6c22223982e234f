#include "sim/memory/network/code_shares.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory/hash.h"
#include "sim/memory/queue.h"

#define FIRST_ROOM 64u

void code_shares_init(struct code_shares *shares, const struct code_shares_spec *spec)
{
    memset(shares, 0, sizeof *shares);
    memset(shares->buckets, 0xff, sizeof shares->buckets);
    shares->spec = *spec;
    shares->free_share = shares->free_member = CODE_SHARES_NONE;
}

void code_shares_finish(struct code_shares *shares)
{
    free(shares->shares);
    free(shares->members);
    free(shares->requests);
    free(shares->answers);
    memset(shares, 0, sizeof *shares);
}

/* Makes room for one more after COUNT elements of SIZE in *ARRAY, a pointer. */
static void make_room(void *array, uint32_t count, uint32_t *room, size_t size)
{
    void *old, *grown;
    if (count < *room)
        return;
    uint32_t more = *room < FIRST_ROOM ? FIRST_ROOM : 2 * *room;
    memcpy(&old, array, sizeof old);
    if ((grown = realloc(old, more * size)) == NULL)
        memory_short();
    memcpy(array, &grown, sizeof grown);
    *room = more;
}

static uint32_t new_share(struct code_shares *shares)
{
    uint32_t index = shares->free_share;
    if (index != CODE_SHARES_NONE) {
        shares->free_share = shares->shares[index].next;
        return index;
    }
    make_room(&shares->shares, shares->share_count, &shares->share_room,
              sizeof *shares->shares);
    return shares->share_count++;
}

static uint32_t new_member(struct code_shares *shares)
{
    uint32_t index = shares->free_member;
    if (index != CODE_SHARES_NONE) {
        shares->free_member = shares->members[index].next;
        return index;
    }
    make_room(&shares->members, shares->member_count, &shares->member_room,
              sizeof *shares->members);
    return shares->member_count++;
}

static uint32_t gpc_of(const struct code_shares *shares, uint32_t sm)
{
    return shares->spec.gpcs != NULL ? shares->spec.gpcs[sm] : sm;
}

static uint32_t *bucket_of(struct code_shares *shares, uint64_t address, uint32_t gpc)
{
    return &shares->buckets[hash_spread(address / SECTOR_BYTES * 64 + gpc) &
                            (CODE_SHARES_BUCKETS - 1)];
}

void code_shares_offer(struct code_shares *shares, struct packet *packet, uint64_t ready)
{
    make_room(&shares->requests, shares->request_count, &shares->request_room,
              sizeof *shares->requests);
    shares->requests[shares->request_count] =
        (struct code_shares_request){packet, ready, shares->request_count};
    shares->request_count++;
}

static int compare(const void *a, const void *b)
{
    const struct code_shares_request *one = a, *other = b;
    if (one->ready != other->ready)
        return one->ready < other->ready ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

/* Whether REQUEST goes with one that is on its way. */
static bool goes_with(struct code_shares *shares, const struct code_shares_request *request)
{
    uint64_t address = request->packet->address;
    uint32_t gpc = gpc_of(shares, request->packet->sm);
    uint32_t i = *bucket_of(shares, address, gpc);
    for (; i != CODE_SHARES_NONE; i = shares->shares[i].next) {
        struct code_share *share = &shares->shares[i];
        if (share->address != address || share->gpc != gpc ||
            request->ready >= share->asked + shares->spec.cycles)
            continue;
        uint32_t member = new_member(shares);
        shares->members[member] =
            (struct code_share_member){request->packet->sm, share->members};
        share->members = member;
        return true;
    }
    return false;
}

static void begin(struct code_shares *shares, const struct code_shares_request *request)
{
    uint64_t address = request->packet->address;
    uint32_t gpc = gpc_of(shares, request->packet->sm);
    uint32_t index = new_share(shares), *bucket = bucket_of(shares, address, gpc);
    shares->shares[index] = (struct code_share){.address = address,
                                                .asked = request->ready,
                                                .gpc = gpc,
                                                .sm = request->packet->sm,
                                                .members = CODE_SHARES_NONE,
                                                .next = *bucket};
    *bucket = index;
}

void code_shares_join(struct code_shares *shares)
{
    if (shares->request_count == 0)
        return;
    qsort(shares->requests, shares->request_count, sizeof *shares->requests, compare);
    for (uint32_t i = 0; i < shares->request_count; i++) {
        struct code_shares_request *request = &shares->requests[i];
        bool joined = goes_with(shares, request);
        request->packet->op = joined ? CODE_SHARES_JOINED : 0;
        if (!joined)
            begin(shares, request);
    }
    shares->request_count = 0;
}

void code_shares_answer(struct code_shares *shares, const struct packet *packet, uint64_t cycle)
{
    make_room(&shares->answers, shares->answer_count, &shares->answer_room,
              sizeof *shares->answers);
    shares->answers[shares->answer_count++] = (struct code_shares_answer){*packet, cycle};
}

/* Takes the share that PACKET answers out of its bucket. */
static uint32_t end(struct code_shares *shares, const struct packet *packet)
{
    uint32_t *at = bucket_of(shares, packet->address, gpc_of(shares, packet->sm));
    while (shares->shares[*at].address != packet->address ||
           shares->shares[*at].sm != packet->sm)
        at = &shares->shares[*at].next;
    uint32_t index = *at;
    *at = shares->shares[index].next;
    shares->shares[index].next = shares->free_share;
    shares->free_share = index;
    return index;
}

void code_shares_take(struct code_shares *shares, code_shares_deliver *deliver, void *data)
{
    for (uint32_t i = 0; i < shares->answer_count; i++) {
        const struct code_shares_answer *answer = &shares->answers[i];
        uint32_t member = shares->shares[end(shares, &answer->packet)].members;
        deliver(data, answer, answer->packet.sm);
        while (member != CODE_SHARES_NONE) {
            struct code_share_member *shared = &shares->members[member];
            uint32_t next = shared->next;
            deliver(data, answer, shared->sm);
            shared->next = shares->free_member;
            shares->free_member = member;
            member = next;
        }
    }
    shares->answer_count = 0;
}
