/* Which memory a launch touches, and which launches or copies touched it before.
 * Included by traces.h.
 *
 * Footprints are sets of 128-byte lines, of their 32-byte sectors, and of
 * addresses. An address is the first byte of what a lane accesses; sets of
 * these are the footprints M(i) of "Cold-start" (thesis, 2024), section 4.3,
 * whose reuse is
 *
 *   forward(i) = |M(i) and M(i+1)| / |M(i)|    backward(i) = |M(i-1) and M(i)| / |M(i)|
 *
 * of a launch and its neighbours in the list; neither is defined where M(i)
 * is empty. Only global and local memory count, as only these reach caches.
 * (The thesis's script also counts offsets in shared memory as addresses.)
 * A generic access belongs to the space of its first lane, as in the simulator;
 * LDGSTS reads global memory; an atomic reads and writes.
 *
 * Local memory: traces have the same offsets for every thread. As in the
 * simulator, the 4-byte words at one offset of a warp's lanes are adjacent: one
 * line per warp and word. Whether two blocks have the same memory depends on
 * `resident_blocks`.
 *
 * Reuse at any distance: of each sector of a launch, how many launches ago it
 * was touched before, counted at the first touch in the launch. That is the
 * boundary line reuse latency of "BLRL: Accurate and Efficient Warmup for
 * Sampled Processor Simulation" (Eeckhout, Luo, De Bosschere, John, 2005) with
 * launches for instructions. Summed over the launches of a region it is the
 * memory reference reuse latency of "Memory Reference Reuse Latency"
 * (Haskins, Skadron, 2003) in that unit.
 *
 * If the last launch that touched a sector wrote only some of its bytes and did not read it,
 * the cache may hold only part of the sector: a read has to fetch it, unless it was whole
 * before. A source therefore also counts the sectors that it did not touch last, but that have
 * been whole since: through a read, one or several writes that cover the sector, or a copy.
 *
 * Cost: memory follows the lines that the workload touches, not its length:
 * 28 to 32 bytes a line (60 to 64 with addresses) where all four lines of 512 bytes
 * are touched, up to four times that where only one of them is; in addition about 150 bytes a
 * launch, 112 to 224 for each line with sectors that were written in part, and 24 for each
 * range of addresses that copies wrote. */
#ifndef HEARTH_TRACES_FOOTPRINT_H
#define HEARTH_TRACES_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

#define TRACE_LINE_BYTES 128

struct trace_kernel;
struct trace_reuse;

struct trace_reuse_options {
    bool addresses;           /* count addresses too: sectors are enough for caches */
    uint64_t resident_blocks; /* blocks on the GPU at a time: the N-th block of a trace has the
                                 local memory of block N modulo this. 0: all of a launch,
                                 each has its own */
    bool unwritten;           /* keep what trace_reuse_unwritten() returns */
    /* Whether lanes of the instruction at PC may do nothing, although they are in the mask of
     * its record and have addresses. Its records in global memory do not count as touches;
     * trace_reuse_unsure() says what they would have been the first to touch. NULL: no lanes
     * do. */
    bool (*unsure)(void *unsure_data, uint32_t pc);
    void *unsure_data;
};

/* Sizes of sets, in lines or in sectors. */
struct trace_touched {
    uint64_t all;     /* read or written */
    uint64_t read;    /* of these, read; atomics too */
    uint64_t written; /* of these, written; atomics too */
    uint64_t shared;  /* of `all`, those that the previous launch touched: |M(i-1) and M(i)| */
};

/* The sectors of a launch that were touched last by the same earlier launch or copies, or have
 * been whole since. */
struct trace_reuse_source {
    bool copy;         /* by the host-to-device copies just before a launch, else by the launch
                          itself */
    uint32_t distance; /* launches back: the previous launch has 1; copies just before this
                          launch have 0, those just before the previous launch have 1 */
    uint64_t sectors;  /* how many were touched last by it */
    /* What had its last touch after that, up to this launch; to be compared with a cache's
     * capacity: */
    uint64_t newer_lines;  /* different lines that launches touched */
    uint64_t newer_copied; /* lines that copies wrote, each time they did */
    uint64_t fetched;      /* of `sectors`, those whose first access in the launch reads: what a
                              cache that does not hold them has to fetch */
    uint64_t unready; /* of `fetched`, those that it left whole only because they were before:
                         an older source has made them */
    uint64_t never;   /* of `fetched`, those that never were whole: a cache that takes writes
                         without fetching has to fetch them all the same */
    uint64_t made; /* sectors whose first access in the launch reads, that were touched last by
                      a later one, but have been whole since this one */
    uint64_t made_newer_lines, made_newer_copied; /* as above, since the last touch of the one
                                                     of them that was touched latest */
};

struct trace_footprint {
    uint64_t records;  /* warp instructions that touch global or local memory */
    uint64_t accesses; /* sectors of records, each once a record: what a replay costs */
    struct trace_touched lines, sectors;
    uint64_t addresses,
        shared_addresses; /* `all` and `shared` of addresses; 0 if not counted */
    /* Whom sectors come from, the latest first; what remains of sectors.all
     * was never touched before (compulsory). Owned by the handle, valid until its next
     * launch. */
    const struct trace_reuse_source *sources;
    size_t source_count;
    uint64_t reused, copied; /* sums of its sectors: from launches, from copies */
    uint64_t fetched;        /* sectors whose first access reads, compulsory ones included */
};

/* Of all launches so far. */
struct trace_reuse_totals {
    uint64_t launches;
    uint64_t lines, sectors; /* different ones that launches touched */
    uint64_t memory;         /* bytes that the handle holds */
};

/* Follows the launches of a workload from its beginning. OPTIONS may be NULL.
 * Returns NULL on error. */
struct trace_reuse *trace_reuse_create(const struct trace_reuse_options *options,
                                       struct error *err);
/* Accepts NULL. */
void trace_reuse_destroy(struct trace_reuse *reuse);

/* The last byte of a copy of BYTES, above 0, to ADDRESS: as far as there are addresses. */
static inline uint64_t trace_copy_last(uint64_t address, uint64_t bytes)
{
    return bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + (bytes - 1);
}

/* The lines of 128 bytes that it touches. */
static inline uint64_t trace_copy_lines(uint64_t address, uint64_t bytes)
{
    return trace_copy_last(address, bytes) / TRACE_LINE_BYTES - address / TRACE_LINE_BYTES + 1;
}

/* A host-to-device copy before the next launch. Returns 0 or -1. */
int trace_reuse_copy(struct trace_reuse *reuse, uint64_t address, uint64_t bytes,
                     struct error *err);

/* Watches the progress of a launch. */
struct trace_reuse_watch {
    /* Now and then; returns false to stop. */
    bool (*watch)(void *data, uint64_t blocks, uint64_t records);
    void *data;
};

/* The next launch: reads all blocks of KERNEL, opened before; best as a
 * memory-only view, which gives the same. WATCH may be NULL. Returns 0 with
 * FOOTPRINT filled, 1 if it was stopped, -1 on error; in the latter cases REUSE
 * can only be destroyed. */
int trace_reuse_launch(struct trace_reuse *reuse, struct trace_kernel *kernel,
                       const struct trace_reuse_watch *watch, struct trace_footprint *footprint,
                       struct error *err);

/* Calls EACH once for each 128-byte line of global memory that the last launch touched, with
 * the sectors that it touched (bit = 32-byte sector), in no particular order. Returns how many
 * lines of local memory the launch touched in addition. */
uint64_t trace_reuse_lines(const struct trace_reuse *reuse,
                           void (*each)(void *data, uint64_t address, uint8_t sectors),
                           void *data);

/* With options.unwritten: the sectors (address / 32) of global memory that the last launch read
 * before it wrote them, and that nothing before it had touched, in ascending order. Valid until
 * the next launch. */
const uint64_t *trace_reuse_unwritten(struct trace_reuse *reuse, size_t *count);

/* With options.unsure: the sectors (address / 32) that such records of the last launch access
 * and that nothing else in it, and nothing before it, has touched, in ascending order. Valid
 * until the next launch. */
const uint64_t *trace_reuse_unsure(const struct trace_reuse *reuse, size_t *count);

void trace_reuse_totals(const struct trace_reuse *reuse, struct trace_reuse_totals *totals);

/* How far back warm-up has to go. */
struct trace_reuse_limits {
    double percentile; /* share of the reused sectors to be covered, above 0, at most 100 */
    uint64_t capacity; /* lines of the cache; 0: no limit */
    bool copies_fill;  /* copies fill the cache: they push older lines out */
};

/* The fewest launches to go back from this one to cover the last touches of PERCENTILE of the
 * sectors that launches have brought and of which a cache of that capacity still holds at least
 * a part: LRU over the whole cache, launch by launch. For a sector that was last written only
 * in part, the launch since which it is whole counts. 0 if there are no such sectors. SOURCES
 * as in struct trace_footprint; sums over several launches are valid, too. */
uint32_t trace_reuse_back(const struct trace_reuse_source *sources, size_t count,
                          const struct trace_reuse_limits *limits);

#endif
