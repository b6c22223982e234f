/* Integer arithmetic of one lane, as machine code says it. HIGH: the upper word of the code. */
#ifndef HEARTH_SIM_CORE_HOPPER_LANE_OPS_H
#define HEARTH_SIM_CORE_HOPPER_LANE_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* COUNT bits of WORD, from AT on. */
static inline uint32_t bits(uint64_t word, uint32_t at, uint32_t count)
{
    return (uint32_t)(word >> at) & ((1u << count) - 1);
}

/* LOP3: bit i of TABLE is the result where A, B and C have the bits of i. */
uint32_t lane_logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table);
/* PRMT: each four bits of SELECTOR name one of the eight bytes of A and C. */
uint32_t lane_permute(uint32_t a, uint32_t selector, uint32_t c);
/* SHF: C and A, shifted together by AMOUNT. */
uint32_t lane_shift(uint32_t a, uint32_t amount, uint32_t c, uint64_t high);
/* ISETP, without the predicate that it combines the result with. */
bool lane_compare(uint32_t a, uint32_t b, uint64_t high);

#endif
