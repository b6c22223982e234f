#include "sim/memory/xbar.h"

#include <string.h>

bool xbar_init(struct xbar *xbar, const struct xbar_spec *spec)
{
    memset(xbar, 0, sizeof *xbar);
    xbar->spec = *spec;
    xbar->in = calloc(spec->inputs, sizeof *xbar->in);
    xbar->out_count = calloc(spec->outputs, sizeof *xbar->out_count);
    xbar->target = calloc(spec->inputs, sizeof *xbar->target);
    xbar->pointer = calloc(spec->outputs, sizeof *xbar->pointer);
    xbar->wants = calloc(spec->outputs, sizeof *xbar->wants);
    if (!xbar->in || !xbar->out_count || !xbar->target || !xbar->pointer || !xbar->wants) {
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
    memset(xbar->held, 0, sizeof xbar->held);
    xbar->next = 0;
    xbar->packets = 0;
    xbar->grant_count = xbar->spec.grant_cycles;
}

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] |= 1ull << (bit & 63);
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] &= ~(1ull << (bit & 63));
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

void xbar_push(struct xbar *xbar, uint32_t input, const struct packet *packet, uint64_t ready)
{
    if (xbar->in[input].count == 0)
        set_bit(xbar->held, input);
    queue_push(&xbar->in[input], packet, ready);
    xbar->packets++;
}

/* Registers the wishes of heads that have become eligible. */
static void release_heads(struct xbar *xbar, uint64_t now,
                          uint32_t (*output_of)(void *, const struct packet *), void *data)
{
    for (int i = next_bit(xbar->held, 0); i >= 0; i = next_bit(xbar->held, (uint32_t)i + 1)) {
        const struct queue_entry *head = queue_head(&xbar->in[i]);
        if (head->ready > now)
            continue;
        clear_bit(xbar->held, (uint32_t)i);
        uint32_t output = output_of(data, &head->packet);
        xbar->target[i] = (uint16_t)output;
        set_bit(xbar->wants[output], (uint32_t)i);
        set_bit(xbar->wanted, output);
    }
}

/* Takes the head of INPUT off and registers the next one's wish. */
static void grant(struct xbar *xbar, uint32_t input, uint64_t now,
                  uint32_t (*output_of)(void *, const struct packet *),
                  void (*deliver)(void *, uint32_t, const struct packet *, uint64_t),
                  void *data)
{
    struct queue *queue = &xbar->in[input];
    uint32_t output = xbar->target[input];
    struct packet packet = queue_head(queue)->packet;
    queue_pop(queue);
    xbar->packets--;
    clear_bit(xbar->wants[output], input);
    if (!any_bit(xbar->wants[output]))
        clear_bit(xbar->wanted, output);
    xbar->out_count[output]++;
    deliver(data, output, &packet, now);
    if (queue->count == 0)
        return;
    const struct queue_entry *head = queue_head(queue);
    if (head->ready > now) {
        set_bit(xbar->held, input);
        return;
    }
    output = output_of(data, &head->packet);
    xbar->target[input] = (uint16_t)output;
    set_bit(xbar->wants[output], input);
    set_bit(xbar->wanted, output);
}

/* Outputs in their order; each takes the first input from its pointer on. An
 * input may win a later output of the same cycle with its next packet, as in
 * the reference. */
static void advance_islip(struct xbar *xbar, uint64_t now,
                          uint32_t (*output_of)(void *, const struct packet *),
                          void (*deliver)(void *, uint32_t, const struct packet *, uint64_t),
                          void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    bool active = any_bit(xbar->wanted);
    for (int o = next_bit(xbar->wanted, 0); o >= 0;
         o = next_bit(xbar->wanted, (uint32_t)o + 1)) {
        if (xbar->out_count[o] >= spec->output_limit)
            continue;
        uint32_t node = xbar->pointer[o];
        uint32_t from = node >= spec->first_input ? node - spec->first_input : 0;
        int input = from < spec->inputs ? next_bit(xbar->wants[o], from) : -1;
        if (input < 0)
            input = next_bit(xbar->wants[o], 0);
        grant(xbar, (uint32_t)input, now, output_of, deliver, data);
        if (xbar->grant_count == 1)
            xbar->pointer[o] = (spec->first_input + (uint32_t)input + 1) % spec->nodes;
    }
    if (active)
        xbar->grant_count = xbar->grant_count == 1 ? spec->grant_cycles : xbar->grant_count - 1;
}

/* Inputs from a pointer on; each gets its output if nobody got it before. */
static void advance_round_robin(
    struct xbar *xbar, uint64_t now, uint32_t (*output_of)(void *, const struct packet *),
    void (*deliver)(void *, uint32_t, const struct packet *, uint64_t), void *data)
{
    const struct xbar_spec *spec = &xbar->spec;
    uint64_t taken[XBAR_WORDS] = {0};
    uint32_t start = (uint32_t)(now % spec->nodes);
    for (uint32_t i = 0; i < spec->nodes; i++) {
        uint32_t input = (start + i) % spec->nodes - spec->first_input;
        if (input >= spec->inputs)
            continue;
        uint32_t output = xbar->target[input];
        bool asks = xbar->wants[output][input >> 6] >> (input & 63) & 1;
        if (!asks || xbar->out_count[output] >= spec->output_limit ||
            (taken[output >> 6] >> (output & 63) & 1))
            continue;
        set_bit(taken, output);
        grant(xbar, input, now, output_of, deliver, data);
    }
}

void xbar_advance(struct xbar *xbar, uint64_t now,
                  uint32_t (*output_of)(void *data, const struct packet *packet),
                  void (*deliver)(void *data, uint32_t output, const struct packet *packet,
                                  uint64_t now),
                  void *data)
{
    release_heads(xbar, now, output_of, data);
    if (xbar->spec.arbiter == XBAR_ISLIP)
        advance_islip(xbar, now, output_of, deliver, data);
    else
        advance_round_robin(xbar, now, output_of, deliver, data);
}

uint64_t xbar_next(const struct xbar *xbar, uint64_t now)
{
    if (any_bit(xbar->wanted))
        return now;
    uint64_t next = UINT64_MAX;
    for (int i = next_bit(xbar->held, 0); i >= 0; i = next_bit(xbar->held, (uint32_t)i + 1)) {
        uint64_t ready = queue_head(&xbar->in[i])->ready;
        if (ready < next)
            next = ready;
    }
    return next < now ? now : next;
}
