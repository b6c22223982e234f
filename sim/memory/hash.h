/* Interleaving hashes of addresses over banks, sets, slices. */
#ifndef HEARTH_SIM_MEMORY_HASH_H
#define HEARTH_SIM_MEMORY_HASH_H

#include <stdint.h>

/* Polynomial hash of Rau, "Pseudo-randomly interleaved memory" (ISCA 1991): INDEX (log2 BANKS
 * bits) xor HIGH modulo a primitive polynomial over GF(2). As in GPGPU-Sim, only the lowest 3 n
 * + 1 bits of HIGH (n = 4, 6; 3 n for n = 5) are used. BANKS is a power of two, 2..1024. */
uint32_t hash_ipoly(uint64_t high, uint32_t index, uint32_t banks);

/* INDEX xor the low bits of HIGH. */
uint32_t hash_xor(uint64_t high, uint32_t index, uint32_t banks);

/* 31 bits in which each bit of VALUE has a part: Knuth's multiplicative hash, with the odd
 * number nearest to 2^64 over the golden ratio. */
static inline uint32_t hash_spread(uint64_t value)
{
    return (uint32_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> 33);
}

/* The L1 set hash of Fermi ("A Detailed GPU Cache Model Based on Reuse
 * Distance Theory", HPCA 2014) for 32 or 64 sets. */
uint32_t hash_fermi(uint64_t address, uint32_t line_log2, uint32_t sets);

#endif
