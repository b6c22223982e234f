#include "traces/base/random.h"

#include "traces/base/split_mix.h"

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

void random_init(struct random *random, uint64_t seed, uint64_t stream)
{
    uint64_t mixed = split_mix(seed, 0) ^ stream;
    for (unsigned i = 0; i < 4; i++)
        random->state[i] = split_mix(mixed, i);
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    /* Numbers above the last multiple of BOUND would favour small results. */
    uint64_t skip = -bound % bound;
    uint64_t x;
    do
        x = random_next(random);
    while (x < skip);
    return x % bound;
}

double random_real(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

void random_sample(struct random *random, size_t n, size_t count, size_t *out)
{
    /* Selection sampling: Knuth, "The Art of Computer Programming" 3.4.2, algorithm S. */
    size_t taken = 0;
    for (size_t i = 0; i < n && taken < count; i++)
        if (random_below(random, n - i) < count - taken)
            out[taken++] = i;
}
