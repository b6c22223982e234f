/* SplitMix64 by Steele, Lea and Flood ("Fast splittable pseudorandom number generators", OOPSLA
 * 2014): random numbers that can be drawn in any order. */
#ifndef HEARTH_TRACES_BASE_SPLIT_MIX_H
#define HEARTH_TRACES_BASE_SPLIT_MIX_H

#include <stdint.h>

/* Number I, from 0, of the generator that SEED starts. Each bit depends on all bits of SEED, so
 * that seeds in a row give independent numbers, too; but seeds that differ by a multiple of the
 * generator's step, 0x9e3779b97f4a7c15, give the same numbers at other places. */
static inline uint64_t split_mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
