/* Where an address is mapped to: L2 slice, DRAM channel, bank and row. Derived from
 * -gpgpu_mem_addr_mapping and -gpgpu_memory_partition_indexing. */
#ifndef HEARTH_SIM_MEMORY_ADDRESS_H
#define HEARTH_SIM_MEMORY_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"

#define ADDRESS_RUNS 32

/* Selected bits of an address, packed to the right, as runs of adjacent bits, lowest first. */
struct address_field {
    uint32_t runs;
    struct address_run {
        uint64_t mask; /* over the address */
        uint8_t shift; /* to the right */
    } run[ADDRESS_RUNS];
};

struct address_spec {
    struct address_field row, bank; /* with the channel bits inserted */
    struct address_field partition; /* the bits that stay inside a slice */
    struct address_field
        chip; /* the channel bits; none if the number of channels is not a power of two */
    uint32_t chip_bit; /* lowest channel bit */
    uint32_t channels, slices_per_channel;
    uint32_t high_shift;    /* first bit above channel and slice bits */
    uint32_t hash_banks;    /* slices rounded up to a power of two, for hashing */
    uint32_t indexing;      /* as in struct sim_address_map */
    uint32_t banks;         /* of a DRAM channel */
    uint32_t bank_indexing; /* -dram_bnk_indexing_policy */
    bool rotate;            /* -hearth_channel_rotation */
    uint64_t half_bits;     /* -hearth_l2_half_bits; 0: halves are no matter of addresses */
    uint64_t half_draw;     /* of -hearth_l2_half_seed */
};

/* Returns 0, or -1 with ERR if the combination of options is invalid. */
int address_init(struct address_spec *spec, const struct sim_config *config, struct error *err);

/* The slice of ADDRESS; with `half_bits`, one of the first or of the second half of the
 * channels. 0 .. channels x slices_per_channel - 1; its channel is
 * slice / slices_per_channel. */
uint32_t address_slice(const struct address_spec *spec, uint64_t address);

/* ADDRESS without the bits that select the slice. It indexes the sets of an L2 slice, so that
 * all sets are used evenly. */
uint64_t address_in_slice(const struct address_spec *spec, uint64_t address);

/* DRAM bank (hashed as configured) and row of ADDRESS. */
uint32_t address_bank(const struct address_spec *spec, uint64_t address);
uint32_t address_row(const struct address_spec *spec, uint64_t address);

#endif
