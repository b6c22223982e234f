/* Random numbers that are equal on every machine: xoshiro256** of Blackman and
 * Vigna ("Scrambled linear pseudorandom number generators"), seeded by
 * SplitMix64 as they advise. */
#ifndef HEARTH_TRACES_BASE_RANDOM_H
#define HEARTH_TRACES_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* STREAM tells apart draws of the same SEED that shall not depend on each other. */
void random_init(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_next(struct random *random);
/* Each of 0 to BOUND - 1 with equal chance; BOUND is at least 1. */
uint64_t random_below(struct random *random, uint64_t bound);
/* From 0 to below 1, multiples of 2^-53. */
double random_real(struct random *random);
/* Draws COUNT of the N numbers 0 to N - 1 without replacement, each set with
 * equal chance, and writes them to OUT, ascending. Time grows with N. */
void random_sample(struct random *random, size_t n, size_t count, size_t *out);

#endif
