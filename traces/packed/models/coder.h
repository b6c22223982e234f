/* The streams of a group of launches, written or read by the same code: a
 * model calls these functions with what it has, and goes on with what they
 * return. Writing, that is what it gave; reading, it is what stood there. So
 * both sides cannot disagree about what comes next.
 *
 * Whatever was foreseen costs nearly nothing: of a `hit` stream only the
 * lengths of runs of hits are kept, and none for a run that lasts to the end. */
#ifndef HEARTH_TRACES_PACKED_MODELS_CODER_H
#define HEARTH_TRACES_PACKED_MODELS_CODER_H

#include "traces/base/bytes.h"

/* Streams of like contents. The order is that of the file. */
enum flow_stream {
    /* Head: what the group holds. */
    FLOW_ITEM_HITS, /* of all texts of the head */
    FLOW_ITEM,
    FLOW_TEXT,   /* texts that were new, each ended by a newline */
    FLOW_STATIC, /* instructions */
    FLOW_STATIC_TEXT,
    FLOW_LENGTH, /* of the streams of each part */
    FLOW_HEAD_END,
    /* Memory: all that a memory-only view needs. */
    FLOW_MEMORY_DEF_HITS = FLOW_HEAD_END, /* paths */
    FLOW_MEMORY_DEF,
    FLOW_EVENT_HITS, /* blocks and warps */
    FLOW_EVENT,
    FLOW_MEMORY_PATH_HITS,
    FLOW_MEMORY_PATH,
    FLOW_MEMORY_MASK_HITS,
    FLOW_MEMORY_MASK,
    FLOW_MEMORY_RAW_MASK,
    FLOW_ADDRESS_HITS,
    FLOW_ADDRESS,
    FLOW_NUMBER,
    FLOW_LIST, /* 8 planes: the n-th byte of each distance */
    FLOW_MEMORY_END = FLOW_LIST + 8,
    /* Control: what lies between memory records. */
    FLOW_CONTROL_DEF_HITS = FLOW_MEMORY_END,
    FLOW_CONTROL_DEF,
    FLOW_SEGMENT,
    FLOW_CONTROL_PATH_HITS,
    FLOW_CONTROL_PATH,
    FLOW_CONTROL_MASK_HITS,
    FLOW_CONTROL_MASK,
    FLOW_CONTROL_RAW_MASK,
    FLOW_CONTROL_END,
    /* Text: what only matters to print the launch as it was. */
    FLOW_LAYOUT_DEF = FLOW_CONTROL_END,
    FLOW_MODE_HITS,
    FLOW_MODE,
    FLOW_TAIL_HITS,
    FLOW_TAIL,
    FLOW_LITERAL,
    FLOW_LAYOUT_HITS,
    FLOW_LAYOUT,
    FLOW_TEXT_END,
    FLOW_STREAMS = FLOW_TEXT_END
};

struct flow {
    struct bytes out[FLOW_STREAMS]; /* writing */
    struct reader in[FLOW_STREAMS]; /* reading */
    uint64_t hits[FLOW_STREAMS];    /* since the last miss, or up to the next */
    bool loaded[FLOW_STREAMS];      /* reading: `hits` is set */
};

/* Whether what comes was foreseen. */
static inline bool flow_hit(struct flow *flow, enum flow_stream s, bool hit, const bool reading)
{
    if (!reading) {
        if (hit) {
            flow->hits[s]++;
        } else {
            bytes_number(&flow->out[s], flow->hits[s]);
            flow->hits[s] = 0;
        }
        return hit;
    }
    if (__builtin_expect(!flow->loaded[s], 0)) {
        struct reader *in = &flow->in[s];
        flow->hits[s] = in->at == in->end ? UINT64_MAX : reader_number(in);
        flow->loaded[s] = true;
    }
    if (__builtin_expect(flow->hits[s] > 0, 1)) {
        flow->hits[s] -= flow->hits[s] != UINT64_MAX;
        return true;
    }
    flow->loaded[s] = false;
    return false;
}

/* Reading: whether the next COUNT are all hits; then they are taken. */
static inline bool flow_take_hits(struct flow *flow, enum flow_stream s, uint64_t count)
{
    if (count == 0)
        return true;
    if (!flow->loaded[s]) {
        struct reader *in = &flow->in[s];
        flow->hits[s] = in->at == in->end ? UINT64_MAX : reader_number(in);
        flow->loaded[s] = true;
    }
    if (flow->hits[s] < count)
        return false;
    flow->hits[s] -= flow->hits[s] != UINT64_MAX ? count : 0;
    return true;
}

static inline uint64_t flow_number(struct flow *flow, enum flow_stream s, uint64_t value,
                                   const bool reading)
{
    if (reading)
        return reader_number(&flow->in[s]);
    bytes_number(&flow->out[s], value);
    return value;
}

static inline uint64_t flow_signed(struct flow *flow, enum flow_stream s, uint64_t value,
                                   const bool reading)
{
    return unzigzag(flow_number(flow, s, zigzag(value), reading));
}

static inline uint8_t flow_byte(struct flow *flow, enum flow_stream s, uint8_t value,
                                const bool reading)
{
    if (reading)
        return reader_byte(&flow->in[s]);
    bytes_byte(&flow->out[s], value);
    return value;
}

static inline uint32_t flow_mask(struct flow *flow, enum flow_stream s, uint32_t mask,
                                 const bool reading)
{
    if (!reading) {
        const uint8_t bytes[4] = {(uint8_t)mask, (uint8_t)(mask >> 8), (uint8_t)(mask >> 16),
                                  (uint8_t)(mask >> 24)};
        bytes_put(&flow->out[s], bytes, 4);
        return mask;
    }
    const uint8_t *at = reader_take(&flow->in[s], 4);
    return at == NULL
               ? 0
               : at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Whether each part of a group has a piece of its own of stream S, that can be
 * read without what stands before it; else S belongs to the group. */
bool flow_is_part(enum flow_stream s);
/* Starts a part: in its streams what came before has no say any more. */
void flow_begin_part(struct flow *flow);
void flow_finish(struct flow *flow);
/* Whether a stream ended too early (reading) or memory ran out (writing). */
bool flow_failed(const struct flow *flow);

#endif
