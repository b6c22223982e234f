/* What the GPU sends over the channel: records of 32 bytes, each followed by its addresses, in
 * the byte order of the machine. Included by device code: only fixed-width types. */
#ifndef HEARTH_TRACER_RECORDS_H
#define HEARTH_TRACER_RECORDS_H

#include <stdint.h>

enum tracer_record_kind {
    TRACER_RECORD_INST = 1, /* a warp is about to execute an instruction */
    TRACER_RECORD_MARK = 2, /* everything that was sent before has come; `block` is
                               TRACER_MARK, other fields are 0 */
};

enum tracer_record_flag {
    TRACER_RECORD_STRIDE =
        1,                    /* two words follow: the first lane's address, and how far it is
                                 from lane to lane. Else a word a lane of `active & predicate` */
    TRACER_RECORD_SECOND = 2, /* the lanes' second addresses are a word, see below */
};

/* After the addresses, if any lane executes the instruction, with tracer_inst
 *   .second   the second address of each such lane, 32 bits each, two to a word with the first
 *             in the low half, and 0 after the last of an odd number; or with
 *             TRACER_RECORD_SECOND a word: the first lane's, and in the high half how far from
 *             lane to lane
 *   .values   these, packed in the same way: registers in the first lane that executes it
 *
 * Without a memory operand, but with tracer_inst.values: two words always follow, the values of
 * the registers in the first lane that executes the instruction; what there is no register for
 * is 0. */

struct tracer_record {
    uint16_t size;      /* bytes, with the words that follow */
    uint8_t kind;       /* enum tracer_record_kind */
    uint8_t flags;      /* enum tracer_record_flag */
    uint32_t launch;    /* what tracer_begin_launch() gave */
    uint64_t block;     /* x + grid_x * (y + grid_y * z) */
    uint32_t inst;      /* what tracer_add_inst() gave */
    uint16_t warp;      /* in the block: thread / 32 */
    uint16_t zero;      /* 0 */
    uint32_t active;    /* lanes that execute together, bit = lane */
    uint32_t predicate; /* lanes whose guard holds */
};

#define TRACER_RECORD_BYTES 32
#define TRACER_MARK         UINT64_C(0x6b72616d2068746f) /* no block's number */
#define TRACER_MOST_VALUES  10 /* of registers, of an instruction with a memory operand */
#define TRACER_RECORD_WORDS 48 /* at most; each of 8 bytes */
#define TRACER_RECORD_MOST  (TRACER_RECORD_BYTES + 8 * TRACER_RECORD_WORDS)

/* What of a launch is wanted: a set. */
enum tracer_wanted {
    TRACER_WANT_NOTHING = 0,
    TRACER_WANT_INSTS = 1,    /* records of all instructions */
    TRACER_WANT_ACCESSES = 2, /* records of those in memory-only traces suffice */
    TRACER_WANT_COUNTS = 4,   /* tracer_counted() instead of records */
};

/* How an instruction counts in mode `profile`; names as the columns'. */
enum tracer_count_kind {
    TRACER_COUNT_PLAIN,
    TRACER_COUNT_GLD,
    TRACER_COUNT_GST,
    TRACER_COUNT_GATOM,
    TRACER_COUNT_LLD,
    TRACER_COUNT_LST,
    TRACER_COUNT_SLD,
    TRACER_COUNT_SST,
    TRACER_COUNT_LOAD,  /* generic: the address tells the space */
    TRACER_COUNT_STORE, /* generic */
    TRACER_COUNT_ATOM,  /* generic */
};

/* What a launch counts on the GPU in mode `profile`, where nothing is sent.
 * Units as the columns of profiles, docs/profiles.md. */
struct tracer_counts {
    uint64_t warp_insts, thread_insts;
    uint64_t gld_insts, gst_insts, lld_insts, sld_insts, sst_insts, gatom_insts;
    uint64_t gld_insts_on, gst_insts_on;
    uint64_t gld_sectors, gst_sectors, lld_sectors;
    uint64_t mem_requests;
};

#endif
