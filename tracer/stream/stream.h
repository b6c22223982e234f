/* Recorded streams: calls as entries of 8-byte heads and payloads, in the byte
 * order of the machine.
 *
 *   context  u64 handle
 *   inst     struct stream_inst, then function, opcode and predicates, each
 *            with a 0 at its end
 *   begin    struct stream_launch, then the name and a 0; then struct
 *            stream_facts, then further facts and a 0; old streams lack these
 *   records  the channel's bytes
 *   counts   struct stream_counts
 *   end      u64 launch
 *   drop     u64 launch
 *   copy     struct stream_copy
 *   region   u64 active
 *   note     u64 context, then the text and a 0
 *   function struct stream_function, then its code, then the name and a 0
 *   execute  u64 launch, u64 function */
#ifndef HEARTH_TRACER_STREAM_STREAM_H
#define HEARTH_TRACER_STREAM_STREAM_H

#include "tracer/tracer.h"
#include "traces/traces.h"

enum stream_entry {
    CONTEXT = 1,
    INST,
    BEGIN,
    RECORDS,
    COUNTS,
    END,
    COPY,
    REGION,
    DROP,
    NOTE,
    FUNCTION,
    EXECUTE,
    ENTRIES
};

struct stream_head {
    uint32_t entry; /* enum stream_entry */
    uint32_t size;  /* of the payload */
};

struct stream_inst {
    uint64_t imm;
    uint32_t pc, line, binary_version;
    uint8_t memory, dst_count, src_count, values; /* 0 in old streams */
    uint8_t dst[TRACE_MAX_DST], src[TRACE_MAX_SRC];
    uint8_t second, unsent; /* 0 in old streams */
    uint8_t zeros[2];
};

struct stream_launch {
    uint32_t context, grid[3], block[3], shmem, regs, binary_version;
    uint64_t stream, shmem_base, local_base;
};

struct stream_facts {
    uint32_t dynamic_shmem, cluster[3], cooperative;
    int32_t carveout;
};

struct stream_counts {
    uint64_t number;
    struct tracer_counts counts;
};

struct stream_copy {
    uint32_t context, to_host;
    uint64_t address, bytes;
};

struct stream_function {
    uint64_t address;
    uint32_t registers, barriers, max_threads[3], cluster[3], count,
        constants; /* 0 in old streams */
};

struct stream_execute {
    uint64_t launch, function;
};

#endif
