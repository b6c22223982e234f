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
enum coder_stream {
    /* Head: what the group holds. */
    CODER_ITEM_HITS, /* of all texts of the head */
    CODER_ITEM,
    CODER_TEXT,   /* texts that were new, each ended by a newline */
    CODER_STATIC, /* instructions */
    CODER_STATIC_TEXT,
    CODER_LENGTH, /* of the streams of each part */
    CODER_HEAD_END,
    /* Memory: all that a memory-only view needs. */
    CODER_MEMORY_DEF_HITS = CODER_HEAD_END, /* paths */
    CODER_MEMORY_DEF,
    CODER_EVENT_HITS, /* blocks and warps */
    CODER_EVENT,
    CODER_MEMORY_PATH_HITS,
    CODER_MEMORY_PATH,
    CODER_MEMORY_MASK_HITS,
    CODER_MEMORY_MASK,
    CODER_MEMORY_RAW_MASK,
    CODER_ADDRESS_HITS,
    CODER_ADDRESS,
    CODER_NUMBER,
    CODER_LIST, /* 8 planes: the n-th byte of each distance */
    CODER_MEMORY_END = CODER_LIST + 8,
    /* Control: what lies between memory records. */
    CODER_CONTROL_DEF_HITS = CODER_MEMORY_END,
    CODER_CONTROL_DEF,
    CODER_SEGMENT,
    CODER_CONTROL_PATH_HITS,
    CODER_CONTROL_PATH,
    CODER_CONTROL_MASK_HITS,
    CODER_CONTROL_MASK,
    CODER_CONTROL_RAW_MASK,
    CODER_CONTROL_END,
    /* Text: what only matters to print the launch as it was. */
    CODER_LAYOUT_DEF = CODER_CONTROL_END,
    CODER_MODE_HITS,
    CODER_MODE,
    CODER_TAIL_HITS,
    CODER_TAIL,
    CODER_LITERAL,
    CODER_LAYOUT_HITS,
    CODER_LAYOUT,
    CODER_ACTIVE_HITS, /* from here on: of parts with PART_ACTIVE only */
    CODER_ACTIVE,
    CODER_TEXT_END,
    CODER_STREAMS = CODER_TEXT_END
};

struct coder {
    struct bytes out[CODER_STREAMS];      /* writing */
    struct byte_reader in[CODER_STREAMS]; /* reading */
    uint64_t hits[CODER_STREAMS];         /* since the last miss, or up to the next */
    bool loaded[CODER_STREAMS];           /* reading: `hits` is set */
};

/* Whether what comes was foreseen. */
static inline bool coder_hit(struct coder *flow, enum coder_stream s, bool hit,
                             const bool reading)
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
        struct byte_reader *in = &flow->in[s];
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
static inline bool coder_take_hits(struct coder *flow, enum coder_stream s, uint64_t count)
{
    if (count == 0)
        return true;
    if (!flow->loaded[s]) {
        struct byte_reader *in = &flow->in[s];
        flow->hits[s] = in->at == in->end ? UINT64_MAX : reader_number(in);
        flow->loaded[s] = true;
    }
    if (flow->hits[s] < count)
        return false;
    flow->hits[s] -= flow->hits[s] != UINT64_MAX ? count : 0;
    return true;
}

static inline uint64_t coder_number(struct coder *flow, enum coder_stream s, uint64_t value,
                                    const bool reading)
{
    if (reading)
        return reader_number(&flow->in[s]);
    bytes_number(&flow->out[s], value);
    return value;
}

static inline uint64_t coder_signed(struct coder *flow, enum coder_stream s, uint64_t value,
                                    const bool reading)
{
    return unzigzag(coder_number(flow, s, zigzag(value), reading));
}

static inline uint8_t coder_byte(struct coder *flow, enum coder_stream s, uint8_t value,
                                 const bool reading)
{
    if (reading)
        return reader_byte(&flow->in[s]);
    bytes_byte(&flow->out[s], value);
    return value;
}

static inline uint32_t coder_mask(struct coder *flow, enum coder_stream s, uint32_t mask,
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
bool coder_is_part(enum coder_stream s);
/* Starts a part: in its streams what came before has no say any more. */
void coder_begin_part(struct coder *flow);
void coder_finish(struct coder *flow);
/* Whether a stream ended too early (reading) or memory ran out (writing). */
bool coder_failed(const struct coder *flow);

#endif
