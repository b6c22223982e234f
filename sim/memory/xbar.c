#include "sim/memory/xbar.h"

#include <string.h>

#include "traces/base/prefetch.h"

bool xbar_init(struct xbar *xbar, const struct xbar_spec *spec)
{
    memset(xbar, 0, sizeof *xbar);
    xbar->spec = *spec;
    xbar->in = prefetch_alloc(spec->inputs, sizeof *xbar->in);
    xbar->out_count = prefetch_alloc(spec->outputs, sizeof *xbar->out_count);
    xbar->target = prefetch_alloc(spec->inputs, sizeof *xbar->target);
    xbar->asked = prefetch_alloc(spec->inputs, sizeof *xbar->asked);
    xbar->pointer = prefetch_alloc(spec->outputs, sizeof *xbar->pointer);
    xbar->wants = prefetch_alloc(spec->outputs, sizeof *xbar->wants);
    if (!xbar->in || !xbar->out_count || !xbar->target || !xbar->asked || !xbar->pointer ||
        !xbar->wants) {
        xbar_finish(xbar);
        return false;
    }
    xbar_reset(xbar);
    return true;
}

void xbar_finish(struct xbar *xbar)
{
    for (uint32_t i = 0; xbar->in != NULL && i < xbar->spec.inputs; i++)
        queue_finish(&xbar->in[i]);
    free(xbar->in);
    free(xbar->out_count);
    free(xbar->target);
    free(xbar->asked);
    free(xbar->pointer);
    free(xbar->wants);
    memset(xbar, 0, sizeof *xbar);
}

void xbar_reset(struct xbar *xbar)
{
    for (uint32_t i = 0; i < xbar->spec.inputs; i++)
        xbar->in[i].head = xbar->in[i].count = 0;
    for (uint32_t o = 0; o < xbar->spec.outputs; o++) {
        xbar->out_count[o] = 0;
        xbar->pointer[o] = 0;
        memset(xbar->wants[o], 0, sizeof xbar->wants[o]);
    }
    memset(xbar->wanted, 0, sizeof xbar->wanted);
    memset(xbar->riding, 0, sizeof xbar->riding);
    memset(xbar->wheel, 0, sizeof xbar->wheel);
    memset(xbar->slots, 0, sizeof xbar->slots);
    memset(xbar->sending, 0, sizeof xbar->sending);
    xbar->sent = 0;
    xbar->first = 0;
    xbar->due = 0;
    xbar->packets = 0;
    xbar->grant_count = xbar->spec.grant_cycles;
}

_Static_assert(XBAR_WHEEL == XBAR_MAX_PORTS, "next_bit() searches both");

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] |= 1ull << (bit & 63);
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] &= ~(1ull << (bit & 63));
}

static inline bool is_set(const uint64_t *words, uint32_t bit)
{
    return words[bit >> 6] >> (bit & 63) & 1;
}

static inline bool any_bit(const uint64_t *words)
{
    uint64_t all = 0;
    for (int i = 0; i < XBAR_WORDS; i++)
        all |= words[i];
    return all != 0;
}

/* The first set bit from FROM on, or -1. */
static int next_bit(const uint64_t *words, uint32_t from)
{
    if (from >= XBAR_MAX_PORTS)
        return -1;
    uint32_t word = from >> 6;
    uint64_t bits = words[word] & (~0ull << (from & 63));
    for (;;) {
        if (bits != 0)
            return (int)(word * 64 + (uint32_t)__builtin_ctzll(bits));
        if (++word == XBAR_WORDS)
            return -1;
        bits = words[word];
    }
}

void xbar_begin(struct xbar *xbar, uint64_t now)
{
    xbar->due = now;
    xbar->sent = now;
}

/* INPUT's head will be looked at in cycle READY. */
static void hold(struct xbar *xbar, uint32_t input, uint64_t ready)
{
    uint64_t cycle = ready > xbar->due ? ready : xbar->due;
    if (cycle - xbar->due >= XBAR_WHEEL)
        cycle = xbar->due + XBAR_WHEEL - 1;
    uint32_t slot = cycle % XBAR_WHEEL;
    set_bit(xbar->wheel[slot], input);
    set_bit(xbar->slots, slot);
}

void xbar_push(struct xbar *xbar, uint32_t input, const struct packet *packet, uint64_t ready)
{
    if (xbar->in[input].count == 0)
        hold(xbar, input, ready);
    queue_push(&xbar->in[input], packet, ready);
    xbar->packets++;
}

void xbar_append(struct xbar *xbar, uint32_t input, struct queue *packets)
{
    if (packets->count == 0)
        return;
    if (xbar->in[input].count == 0)
        hold(xbar, input, queue_head(packets)->ready);
    xbar->packets += packets->count;
    queue_append(&xbar->in[input], packets);
}

static inline uint32_t output_of(const struct xbar *xbar, const struct packet *packet)
{
    if (xbar->spec.output_sms == 0)
        return packet->slice;
    return xbar->spec.output_sms == 1 ? packet->sm : packet->sm / xbar->spec.output_sms;
}

/* Registers that INPUT's head asks for its output, or needs no turn. */
static inline void ask(struct xbar *xbar, uint32_t input)
{
    const struct packet *packet = &queue_head(&xbar->in[input])->packet;
    if (xbar->spec.riders && packet_rides(packet)) {
        set_bit(xbar->riding, input);
        return;
    }
    uint32_t output = output_of(xbar, packet);
    xbar->asked[input] = packet->address;
    xbar->target[input] = (uint16_t)output;
    set_bit(xbar->wants[output], input);
    set_bit(xbar->wanted, output);
}

/* Registers the requests of heads that have become eligible. */
static void release_heads(struct xbar *xbar, uint64_t now)
{
    uint64_t heads[XBAR_WORDS];
    while (xbar->due <= now) {
        uint32_t slot = xbar->due++ % XBAR_WHEEL;
        if (!is_set(xbar->slots, slot))
            continue;
        memcpy(heads, xbar->wheel[slot], sizeof heads);
        memset(xbar->wheel[slot], 0, sizeof xbar->wheel[slot]);
        clear_bit(xbar->slots, slot);
        for (int i = next_bit(heads, 0); i >= 0; i = next_bit(heads, (uint32_t)i + 1)) {
            uint64_t ready = queue_head(&xbar->in[i])->ready;
            if (ready > now)
                hold(xbar, (uint32_t)i, ready);
            else
                ask(xbar, (uint32_t)i);
        }
    }
}

/* Removes the head of INPUT, which asks for OUTPUT, and registers the next one's request. */
static inline void remove_head(struct xbar *xbar, uint32_t input, uint32_t output, uint64_t now)
{
    struct queue *queue = &xbar->in[input];
    queue_pop(queue);
    queue_expect(queue);
    xbar->packets--;
    clear_bit(xbar->wants[output], input);
    if (!any_bit(xbar->wants[output]))
        clear_bit(xbar->wanted, output);
    if (queue->count == 0)
        return;
    if (queue_head(queue)->ready > now)
        hold(xbar, input, queue_head(queue)->ready);
    else
        ask(xbar, input);
}

/* The heads that travel with answers which have crossed come out, whatever else does. */
static void bring_riders(struct xbar *xbar, uint64_t now, xbar_deliver *deliver, void *data)
{
    for (int i = next_bit(xbar->riding, 0); i >= 0; i = next_bit(xbar->riding, (uint32_t)i)) {
        struct packet packet = queue_head(&xbar->in[i])->packet;
        uint32_t output = output_of(xbar, &packet);
        packet.merged &= (uint8_t)~PACKET_RIDES;
        clear_bit(xbar->riding, (uint32_t)i);
        remove_head(xbar, (uint32_t)i, output, now);
        xbar->out_count[output]++;
        deliver(data, output, &packet, now);
    }
}

/* PACKET, which has been granted, takes other heads with it that ask OUTPUT for its sector. */
static void gather(struct xbar *xbar, uint32_t output, struct packet *packet, uint64_t now,
                   void *data)
{
    uint64_t heads[XBAR_WORDS];
    memcpy(heads, xbar->wants[output], sizeof heads);
    packet->merged = 0;
    for (int i = next_bit(heads, 0); i >= 0; i = next_bit(heads, (uint32_t)i + 1)) {
        const struct packet *head = &queue_head(&xbar->in[i])->packet;
        if (xbar->asked[i] == packet->address && xbar->join(data, packet, head))
            remove_head(xbar, (uint32_t)i, output, now);
    }
}

/* ---- writes of groups of inputs ---- */

/* Gives each group what it may send in the cycles up to NOW; what it leaves in one is lost. */
static void supply_senders(struct xbar *xbar, uint64_t now)
{
    const int64_t bytes = xbar->spec.sender_bytes;
    int64_t cycles = (int64_t)(now + 1 - xbar->sent);
    for (uint32_t group = 0; group < xbar->spec.senders; group++) {
        int64_t left = xbar->sending[group] + (cycles < 64 ? cycles : 64) * bytes;
        xbar->sending[group] = (int32_t)(left < bytes ? left : bytes);
    }
    xbar->sent = now + 1;
}

/* Whether INPUT's head is a write, and its group has sent enough. */
static bool is_held(const struct xbar *xbar, uint32_t input)
{
    return xbar->sending[xbar->spec.sender_of[input]] <= 0 &&
           packet_is_write(&queue_head(&xbar->in[input])->packet);
}

static void count_sent(struct xbar *xbar, uint32_t input, const struct packet *packet)
{
    if (packet_is_write(packet))
        xbar->sending[xbar->spec.sender_of[input]] -=
            (int32_t)(SECTOR_BYTES * (packet->masked ? 2 : 1));
}

/* Grants the head of INPUT. */
static inline void grant(struct xbar *xbar, uint32_t input, uint64_t now, xbar_deliver *deliver,
                         void *data)
{
    uint32_t output = xbar->target[input];
    struct packet packet = queue_head(&xbar->in[input])->packet;
    remove_head(xbar, input, output, now);
    if (xbar->spec.sender_bytes != 0)
        count_sent(xbar, input, &packet);
    if (xbar->join != NULL && packet_may_merge(&packet))
        gather(xbar, output, &packet, now, data);
    xbar->out_count[output]++;
    deliver(data, output, &packet, now);
}

/* The first input from FROM on, and before TO, that asks for OUTPUT and may send; or -1. */
static int free_input(const struct xbar *xbar, uint32_t output, uint32_t from, uint32_t to)
{
    int input = from < xbar->spec.inputs ? next_bit(xbar->wants[output], from) : -1;
    while (input >= 0 && (uint32_t)input < to && xbar->spec.sender_bytes != 0 &&
           is_held(xbar, (uint32_t)input))
        input = next_bit(xbar->wants[output], (uint32_t)input + 1);
    return input >= 0 && (uint32_t)input < to ? input : -1;
}

/* The same from OUTPUT's pointer on. */
static int next_input(const struct xbar *xbar, uint32_t output)
{
    const struct xbar_spec *spec = &xbar->spec;
    uint32_t node = xbar->pointer[output];
    uint32_t from = node >= spec->first_input ? node - spec->first_input : 0;
    int input = free_input(xbar, output, from, spec->inputs);
    return input >= 0 ? input : free_input(xbar, output, 0, from);
}

static bool has_room(const struct xbar *xbar, uint32_t output)
{
    return xbar->out_count[output] < xbar->spec.output_limit;
}

/* Serves OUTPUT, which is wanted, with at most MOST packets. Returns how many it took. */
static inline uint32_t serve_output(struct xbar *xbar, uint32_t output, uint32_t most,
                                    uint64_t now, xbar_deliver *deliver, void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    uint32_t taken = 0;
    for (; taken < most && is_set(xbar->wanted, output) && has_room(xbar, output); taken++) {
        int input = next_input(xbar, output);
        if (input < 0)
            break;
        grant(xbar, (uint32_t)input, now, deliver, data);
        uint32_t next = spec->first_input + (uint32_t)input + 1;
        if (xbar->grant_count == 1)
            xbar->pointer[output] = next < spec->nodes ? next : 0;
    }
    return taken;
}

/* Where groups have no limit, all outputs are in one. */
static uint32_t group_of(const struct xbar_spec *spec, uint32_t output)
{
    return spec->group_rate != 0 ? spec->group_of[output] : 0;
}

/* LEFT becomes the packets that each group takes in a cycle. */
static void fill_groups(const struct xbar_spec *spec, uint32_t left[XBAR_MAX_PORTS])
{
    left[0] = UINT32_MAX;
    for (uint32_t group = 0; spec->group_rate != 0 && group < spec->groups; group++)
        left[group] = spec->group_rate;
}

/* Serves the outputs FROM to TO - 1; LEFT: packets that each group still takes. */
static void serve_range(struct xbar *xbar, uint32_t *left, uint32_t from, uint32_t to,
                        uint64_t now, xbar_deliver *deliver, void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    for (int o = next_bit(xbar->wanted, from); o >= 0 && (uint32_t)o < to;
         o = next_bit(xbar->wanted, (uint32_t)o + 1)) {
        uint32_t *group = &left[group_of(spec, (uint32_t)o)];
        uint32_t most = *group < spec->output_rate ? *group : spec->output_rate;
        *group -= serve_output(xbar, (uint32_t)o, most, now, deliver, data);
    }
}

/* The output that is served first in cycle NOW. Writes to lines in a row ask for outputs in a
 * row: with groups of inputs, a turn of these would favour some. */
static uint32_t first_output(const struct xbar_spec *spec, uint64_t now)
{
    uint64_t turn = spec->sender_bytes != 0 ? now * UINT64_C(0x9e3779b97f4a7c15) >> 32 : now;
    return (uint32_t)(turn % spec->outputs);
}

/* Outputs of a group share its rate, inputs theirs: the first output changes every cycle. */
static void serve_groups(struct xbar *xbar, uint64_t now, xbar_deliver *deliver, void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    uint32_t left[XBAR_MAX_PORTS], first = first_output(spec, now - xbar->first);
    fill_groups(spec, left);
    serve_range(xbar, left, first, spec->outputs, now, deliver, data);
    serve_range(xbar, left, 0, first, now, deliver, data);
}

/* Serves outputs in their order; each takes the first input from its pointer on. In the same
 * cycle, an input may win a later output with its next packet, as in the reference. */
static void advance_islip(struct xbar *xbar, uint64_t now, xbar_deliver *deliver, void *data)
{
    bool active = any_bit(xbar->wanted);
    if ((xbar->spec.group_rate != 0 || xbar->spec.sender_bytes != 0) && active)
        serve_groups(xbar, now, deliver, data);
    else
        for (int o = next_bit(xbar->wanted, 0); o >= 0;
             o = next_bit(xbar->wanted, (uint32_t)o + 1))
            serve_output(xbar, (uint32_t)o, xbar->spec.output_rate, now, deliver, data);
    if (active)
        xbar->grant_count =
            xbar->grant_count == 1 ? xbar->spec.grant_cycles : xbar->grant_count - 1;
}

/* Serves inputs from a pointer on, one packet of each; each gets its output unless other inputs
 * have used it up. */
static void advance_round_robin(struct xbar *xbar, uint64_t now, xbar_deliver *deliver,
                                void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    uint8_t taken[XBAR_MAX_PORTS] = {0};
    uint32_t left[XBAR_MAX_PORTS];
    fill_groups(spec, left);
    uint32_t start = (uint32_t)((now - xbar->first) % spec->nodes);
    for (uint32_t i = 0; i < spec->nodes; i++) {
        uint32_t input = (start + i) % spec->nodes - spec->first_input;
        if (input >= spec->inputs)
            continue;
        uint32_t output = xbar->target[input];
        bool asks = xbar->wants[output][input >> 6] >> (input & 63) & 1;
        if (!asks || !has_room(xbar, output) || taken[output] == spec->output_rate ||
            (spec->sender_bytes != 0 && is_held(xbar, input)))
            continue;
        uint32_t *group = &left[group_of(spec, output)];
        if (*group == 0)
            continue;
        taken[output]++;
        --*group;
        grant(xbar, input, now, deliver, data);
    }
}

void xbar_advance(struct xbar *xbar, uint64_t now, xbar_deliver *deliver, void *data)
{
    release_heads(xbar, now);
    if (xbar->spec.sender_bytes != 0)
        supply_senders(xbar, now);
    if (xbar->spec.riders)
        bring_riders(xbar, now, deliver, data);
    if (xbar->spec.arbiter == XBAR_ISLIP)
        advance_islip(xbar, now, deliver, data);
    else
        advance_round_robin(xbar, now, deliver, data);
    if (xbar->spec.riders)
        bring_riders(xbar, now, deliver, data);
}

uint64_t xbar_next(const struct xbar *xbar, uint64_t now)
{
    if (any_bit(xbar->wanted))
        return now;
    uint32_t from = xbar->due % XBAR_WHEEL;
    int slot = next_bit(xbar->slots, from);
    if (slot < 0 && (slot = next_bit(xbar->slots, 0)) < 0)
        return UINT64_MAX;
    uint64_t next = xbar->due + (((uint32_t)slot - from) & (XBAR_WHEEL - 1));
    return next < now ? now : next;
}
