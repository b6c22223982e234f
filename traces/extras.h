/* What records have beyond what simulation of caches and pipelines needs: which lanes were
 * active, and numbers (docs/file-formats.md). Included by traces.h.
 *
 * Readers of records ask for them with trace_kernel_options.extras, and take those of a record
 * with trace_record_extras(). What the numbers of barriers in memory and of copies mean says
 * traces/async.h. */
#ifndef HEARTH_TRACES_EXTRAS_H
#define HEARTH_TRACES_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/inst.h"

/* Kinds of extras, for sets. */
enum trace_extra {
    TRACE_EXTRA_NUMBERS = 1 << 0, /* values of registers, and second addresses */
    TRACE_EXTRA_ACTIVE = 1 << 1,  /* masks of active lanes */
    TRACE_EXTRA_ADDRESS = 1 << 2, /* addresses of instructions whose records have none, because
                                     they are no loads or stores: barriers in memory (SYNCS),
                                     copies of tensors and blocks */
};

/* What lines of a launch have, for sets. */
enum trace_content {
    TRACE_CONTENT_BARRIERS = 1 << 0,      /* BAR: numbers and threads out of registers */
    TRACE_CONTENT_SHARED = 1 << 1,        /* LDGSTS: addresses in shared memory */
    TRACE_CONTENT_CONSTANTS = 1 << 2,     /* LDC, ULDC: addresses in their bank */
    TRACE_CONTENT_MBARRIERS = 1 << 3,     /* SYNCS: registers */
    TRACE_CONTENT_TENSOR_COPIES = 1 << 4, /* UTMALDG and the like: registers */
    TRACE_CONTENT_BLOCK_COPIES = 1 << 5,  /* UBLKCP and the like: registers */
};
#define TRACE_CONTENTS 6

/* The content that a line with the dotted OPCODE is if it has NUMBERS, or else ADDRESSES; 0:
 * none of these. */
unsigned trace_content_of(const char *opcode, bool numbers, bool addresses);

struct trace_extras {
    bool has_active; /* else they are those that executed, if the header has `active_masks` */
    uint32_t active; /* lanes that were active, bit = lane */
    uint8_t number_count; /* 0 to TRACE_MAX_TAIL */
    /* Of BAR: the registers that give its number and threads. Of LDGSTS: addresses in shared
     * memory, of the first lane that executes it and the distance to the next one if there are
     * two, else of each. Of SYNCS and copies of tensors and blocks: registers, in the order of
     * the operands. */
    uint32_t numbers[TRACE_MAX_TAIL];
    bool has_address;
    uint64_t address;      /* of the first lane that executes it: of SYNCS the barrier's */
    const char *failed_at; /* of trace_extras_read(): where the line is wrong */
};

/* Fills EXTRAS with those of RECORD that were asked for when its kernel was opened; ADDRESSES
 * is the `addresses` of its warp. Returns whether it has any; if not, EXTRAS is all 0. */
bool trace_record_extras(const struct trace_record *record, const uint64_t *addresses,
                         struct trace_extras *extras);

/* Fills EXTRAS, but for the address, of LINE, a line of an instruction, which ends with '\n'.
 * Returns NULL, or what was expected at EXTRAS->failed_at. */
const char *trace_extras_read(struct trace_extras *extras, const char *line);

/* The second address of each lane that executes RECORD, an LDGSTS: where it writes in shared
 * memory. Fills ADDRESSES, in ascending order of lanes, and returns true; false: EXTRAS does
 * not have them. */
bool trace_extras_shared(const struct trace_extras *extras, const struct trace_record *record,
                         uint32_t addresses[static 32]);

#endif
