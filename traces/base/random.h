/* Random numbers that are the same on every machine: xoshiro256** by Blackman and Vigna
 * ("Scrambled linear pseudorandom number generators"), seeded with SplitMix64 as they advise.
 */
#ifndef HEARTH_TRACES_BASE_RANDOM_H
#define HEARTH_TRACES_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Generators with the same SEED and different STREAMs are independent of each other. */
void random_init(struct random *random, uint64_t seed, uint64_t stream);
uint64_t random_next(struct random *random);
/* A number from 0 to BOUND - 1, all equally likely; BOUND is at least 1. */
uint64_t random_below(struct random *random, uint64_t bound);
/* A number from 0 to below 1, a multiple of 2^-53. */
double random_real(struct random *random);
/* Draws COUNT of the numbers 0 to N - 1 without replacement, all sets equally likely, and
 * writes them to OUT in ascending order. Takes time proportional to N. */
void random_sample(struct random *random, size_t n, size_t count, size_t *out);

#endif
