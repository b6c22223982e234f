/* The stream buffer of an L0 instruction cache: lines that follow the last miss, there or on
 * their way, in order.
 *
 * Sources: "Improving Direct-Mapped Cache Performance by the Addition of a Small
 * Fully-Associative Cache and Prefetch Buffers" (ISCA 1990); that only the first line can be
 * taken, and that it stops at a line that L0 holds, from the simulator of "Dissecting and
 * Modeling the Architecture of Modern GPU Cores" (MICRO 2025). That any line can be taken, what
 * jumps over lines that no L0 holds show on an H100. */
#ifndef HEARTH_SIM_CORE_CODE_STREAM_BUFFER_H
#define HEARTH_SIM_CORE_CODE_STREAM_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/code/code_supply.h"

struct stream_buffer {
    uint64_t begin;  /* address of the line whose miss began it */
    uint64_t next;   /* that of the line after the last one */
    uint64_t launch; /* whose miss began it */
    uint32_t count;  /* lines that can be taken: those before `next` */
    uint64_t
        ready[CODE_MAX_STREAM]; /* of a line, by its number: the cycle in which it is there;
                                 * also of lines from `begin` on that have been taken */
};

static inline uint64_t *stream_buffer_entry(struct stream_buffer *stream, uint32_t line,
                                            uint64_t address)
{
    return &stream->ready[address / line % CODE_MAX_STREAM];
}

/* Drops all lines. The line at ADDRESS, which the buffer does not have, is there in READY; the
 * next one will be the one after it. */
static inline void stream_buffer_restart(struct stream_buffer *stream, uint32_t line,
                                         uint64_t address, uint64_t ready)
{
    stream->begin = address;
    stream->next = address + line;
    stream->count = 0;
    *stream_buffer_entry(stream, line, address) = ready;
}

/* The line at `next` has been asked for, and comes in READY. There is room for it. */
static inline void stream_buffer_add(struct stream_buffer *stream, uint32_t line,
                                     uint64_t ready)
{
    *stream_buffer_entry(stream, line, stream->next) = ready;
    stream->count++;
    stream->next += line;
}

/* Takes the line at ADDRESS, if it is the first one, or with ANY, if it is any of them: those
 * before it are dropped. LINE is the size of one. */
static inline bool stream_buffer_take(struct stream_buffer *stream, uint32_t line,
                                      uint64_t address, bool any, uint64_t *ready)
{
    uint64_t behind = (stream->next - address) / line; /* 1: it is the last one */
    if (address >= stream->next || behind > stream->count || (!any && behind < stream->count))
        return false;
    *ready = *stream_buffer_entry(stream, line, address);
    stream->count = (uint32_t)behind - 1;
    return true;
}

/* When the line comes that was asked for NUMBER lines before the next one; 0: there is none. */
static inline uint64_t stream_buffer_before(struct stream_buffer *stream, uint32_t line,
                                            uint32_t number)
{
    uint64_t address = stream->next - (uint64_t)number * line;
    return stream->next - stream->begin < (uint64_t)number * line
               ? 0
               : *stream_buffer_entry(stream, line, address);
}

/* The line at ADDRESS, if it was asked for, has been answered by L2 in CYCLE. */
static inline void stream_buffer_came(struct stream_buffer *stream, uint32_t line,
                                      uint64_t address, uint64_t cycle)
{
    uint64_t last = (stream->next - address) / line; /* 1: it is the last one */
    if (address < stream->begin || address >= stream->next || last > CODE_MAX_STREAM)
        return;
    uint64_t *ready = stream_buffer_entry(stream, line, address);
    *ready = code_came(*ready, cycle);
}

#endif
