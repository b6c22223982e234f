/* From a warp's addresses to 32-byte sectors, and to shared-memory cycles. */
#ifndef HEARTH_SIM_CORE_COALESCE_H
#define HEARTH_SIM_CORE_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/traces.h"

/* 32 lanes of 32 bytes of local memory: 8 words each, some across two
 * sectors. */
#define COALESCE_MAX 320

/* One sector that a warp instruction accesses. */
struct access_sector {
    uint64_t address;
    uint32_t bytes;   /* mask of the bytes touched */
    uint16_t lanes;   /* number of lanes: atomics */
    uint8_t together; /* those of its line of 128 bytes, as a mask; 0: not noted */
    bool masked;      /* stores: as in struct packet */
};

struct access_list {
    uint32_t count; /* sectors still to be sent; the last one goes first */
    struct access_sector sectors[COALESCE_MAX];
};

/* WIDTH bytes of a sector, from byte FROM on, as a mask. */
static inline uint32_t coalesce_bytes(uint32_t from, uint32_t width)
{
    uint32_t ones = width >= 32 ? UINT32_MAX : (1u << width) - 1;
    return ones << from;
}

/* The lanes' addresses of a record, for lanes in the order of their numbers: in ROOM, or where
 * they stand in ADDRESSES. *COUNT says how many there are. */
const uint64_t *coalesce_lanes(const struct trace_record *record, const uint64_t *addresses,
                               uint64_t room[32], uint32_t *count);

/* The address of the first lane of RECORD that takes part. False: none does, or it has none. */
bool coalesce_first(const struct trace_record *record, const uint64_t *addresses,
                    uint64_t *address);

/* Those lanes, but lanes of a row that stand side by side, or all at one place, count as one,
 * and *WIDTH is what one has then; unless one of these would touch two sectors. */
const uint64_t *coalesce_wide_lanes(const struct trace_record *record,
                                    const uint64_t *addresses, uint64_t room[32],
                                    uint32_t *count, uint32_t *width);

/* Sectors of an access of WIDTH bytes a lane, each once, by address; an access that
 * crosses the end of a sector takes the next one too. */
void coalesce_sectors(const uint64_t *lanes, uint32_t count, uint32_t width,
                      struct access_list *list);

#define COALESCE_SECTORS 64u /* that one word of bits has */

/* Sectors near each other. */
struct coalesce_window {
    uint64_t base; /* address of the first one; that of a line of 128 bytes */
    uint64_t used; /* bit n: the n-th one from there is touched */
    uint32_t bytes[COALESCE_SECTORS]; /* masks of the bytes touched, if requested */
};

/* The same for COUNT lanes, at least 1, that touch one sector each, all near the lowest sector;
 * false for other lanes. BYTES: the masks of bytes are requested. */
bool coalesce_window(const uint64_t *lanes, uint32_t count, uint32_t width, bool bytes,
                     struct coalesce_window *window);

/* COUNT lanes that touch one sector each, in the order of their sectors: LANES, or in ROOM.
 * NULL where one touches two. */
const uint64_t *coalesce_order(const uint64_t *lanes, uint32_t count, uint32_t width,
                               uint64_t room[32]);

/* Notes for each sector of LIST, which is in order, which ones of its line of 128 bytes are in
 * LIST. */
void coalesce_note_lines(struct access_list *list);
/* Notes in LIST, of a store and in order, the lines of whose sectors it does not write all
 * bytes: `masked` of the sector of each that is sent first. Returns their number. */
uint32_t coalesce_note_masks(struct access_list *list);

/* Takes out of LATER, in order as EARLIER is, the sectors of which EARLIER touches other bytes:
 * EARLIER touches these then, too. */
void coalesce_join(struct access_list *earlier, struct access_list *later);

/* Transactions of an atomic: lanes that share bytes need one each. */
void coalesce_atomic(const uint64_t *lanes, uint32_t count, uint32_t width,
                     struct access_list *list);

/* How local memory is spread: 4-byte words of the same offset of neighbouring
 * threads stand side by side. */
struct local_map {
    uint64_t word_stride;     /* bytes between words of one thread */
    uint64_t thread_base[32]; /* of the warp's lanes */
};

/* The same for all warps of a launch. */
struct local_layout {
    uint64_t word_stride;
    uint32_t threads; /* neighbours: threads of a block, or of an SM */
    uint32_t groups;  /* such groups that come before an SM's next one: SMs */
};

/* The map of warp WARP on SM number SM. */
struct local_map coalesce_local_map(const struct local_layout *layout, uint32_t sm,
                                    uint32_t warp);

/* The same as coalesce_sectors() for local memory; MASK says which lanes. */
void coalesce_local(const uint64_t *lanes, uint32_t mask, uint32_t width,
                    const struct local_map *map, struct access_list *list);

/* Cycles of a shared-memory access: the largest number of different words of
 * one bank; BANKS of 4 bytes, a power of two up to 64. Only the first word of
 * a lane counts, as in the reference. */
uint32_t coalesce_shared(const uint64_t *lanes, uint32_t count, uint32_t banks);

/* The same of matrices of eight rows of 16 bytes, of which each lane holds 4 bytes of WIDTH
 * (LDSM, STSM): eight lanes have the places of a matrix's rows, those of other lanes are
 * ignored. The matrices follow each other. Source: PTX ISA, ldmatrix and stmatrix. */
uint32_t coalesce_matrices(const uint64_t *lanes, uint32_t count, uint32_t width,
                           uint32_t banks);

/* The same for old cards: PARTS groups of neighbouring lanes are served one after the other.
 * MASK says which lanes LANES holds. If LIMITED, a group can broadcast only one word. */
uint32_t coalesce_shared_parts(const uint64_t *lanes, uint32_t mask, uint32_t banks,
                               uint32_t parts, bool limited);

#endif
