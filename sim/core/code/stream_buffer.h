/* The stream buffer of an L0 instruction cache: lines that follow the last miss, there or on
 * their way, in order.
 *
 * Sources: "Improving Direct-Mapped Cache Performance by the Addition of a Small
 * Fully-Associative Cache and Prefetch Buffers" (ISCA 1990); that only the first line can be
 * taken, and that it stops at a line that L0 holds, from the simulator of "Dissecting and
 * Modeling the Architecture of Modern GPU Cores" (MICRO 2025). */
#ifndef HEARTH_SIM_CORE_CODE_STREAM_BUFFER_H
#define HEARTH_SIM_CORE_CODE_STREAM_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/code/code_supply.h"

struct stream_buffer {
    uint64_t next;                   /* address of the line after the last one */
    uint32_t head, count;            /* the first line's entry; lines */
    uint64_t ready[CODE_MAX_STREAM]; /* a ring: the cycles in which they are there */
};

/* Drops all lines. The next one will be that at ADDRESS. */
static inline void stream_buffer_restart(struct stream_buffer *stream, uint64_t address)
{
    stream->next = address;
    stream->count = 0;
}

/* The line at `next` has been asked for, and comes in READY. There is room for it. */
static inline void stream_buffer_add(struct stream_buffer *stream, uint32_t line,
                                     uint64_t ready)
{
    stream->ready[(stream->head + stream->count++) % CODE_MAX_STREAM] = ready;
    stream->next += line;
}

/* Takes the first line, if it is that at ADDRESS; LINE is the size of one. */
static inline bool stream_buffer_take(struct stream_buffer *stream, uint32_t line,
                                      uint64_t address, uint64_t *ready)
{
    if (stream->count == 0 || address != stream->next - (uint64_t)stream->count * line)
        return false;
    *ready = stream->ready[stream->head];
    stream->head = (stream->head + 1) % CODE_MAX_STREAM;
    stream->count--;
    return true;
}

/* The line at ADDRESS, if it is there or on its way, has been answered by L2 in CYCLE. */
static inline void stream_buffer_came(struct stream_buffer *stream, uint32_t line,
                                      uint64_t address, uint64_t cycle)
{
    uint64_t last = (stream->next - address) / line; /* 1: it is the last one */
    if (address >= stream->next || last > stream->count)
        return;
    uint64_t *ready = &stream->ready[(stream->head + stream->count - last) % CODE_MAX_STREAM];
    *ready = code_came(*ready, cycle);
}

#endif
