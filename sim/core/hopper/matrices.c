#include "sim/core/hopper/matrices.h"

#include <stdio.h>
#include <string.h>

#include "sim/core/limits.h"

#define LEAST 16 /* cycles of the smallest product: the rows of an operand */
/* Of products of PTX: rows, and columns or depth at most. */
#define ROWS 64
#define MOST 256

/* Bits of an element of the operands; 0: OPCODE is no product of a group. */
static uint32_t element_bits(const char *opcode)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } products[] = {{"HGMMA", 16}, {"IGMMA", 8}, {"QGMMA", 8}, {"BGMMA", 1}};
    size_t length = strcspn(opcode, ".");
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (strlen(products[i].name) == length && memcmp(opcode, products[i].name, length) == 0)
            return strstr(opcode, ".TF32") != NULL ? 32 : products[i].bits;
    return 0;
}

bool matrix_opcode(const char *opcode)
{
    return element_bits(opcode) != 0;
}

bool matrix_shape(const char *opcode, struct matrix_shape *shape)
{
    const char *dot = strchr(opcode, '.');
    shape->bits = element_bits(opcode);
    return shape->bits != 0 && dot != NULL && strstr(opcode, ".SP") == NULL &&
           sscanf(dot, ".%ux%ux%u", &shape->m, &shape->n, &shape->k) == 3 && shape->m == ROWS &&
           shape->n != 0 && shape->n <= MOST && shape->k != 0 && shape->k <= MOST;
}

static uint32_t divide(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}

uint32_t matrix_computes(const struct matrix_shape *shape, uint32_t rate)
{
    uint64_t operations = (uint64_t)shape->m * shape->n * shape->k;
    return divide(operations * shape->bits, (uint64_t)rate * 16);
}

uint32_t matrix_cycles(const struct matrix_shape *shape, uint32_t rate, bool registers)
{
    uint32_t computed = matrix_computes(shape, rate);
    uint64_t columns = (uint64_t)shape->n * shape->k * shape->bits / 8;
    uint64_t rows = registers ? 0 : (uint64_t)shape->m * shape->k * shape->bits / 8;
    uint32_t fed = divide(columns + rows, SM_SHARED_BYTES);
    uint32_t cycles = computed > fed ? computed : fed;
    return cycles > LEAST ? cycles : LEAST;
}

/* The batches whose last product the tensor units have taken. */
static void end_batches(struct matrices *group, uint32_t rest)
{
    while (group->batches < group->announced &&
           group->lasts[group->batches % MATRICES_RING] <= group->begun)
        group->ends[group->batches++ % MATRICES_RING] = group->end + rest;
}

static uint32_t issued_by_all(const struct matrices *group)
{
    uint32_t least = group->issued[0];
    for (uint32_t w = 1; w < MATRICES_WARPS; w++)
        if (group->issued[w] < least)
            least = group->issued[w];
    return least;
}

static void close(struct matrices *group, uint32_t warp)
{
    if (group->closed[warp]++ == group->announced)
        group->lasts[group->announced++ % MATRICES_RING] = group->issued[warp];
}

void matrices_issue(struct matrices *group, uint32_t warp, uint32_t cycles, bool closes,
                    uint32_t rest, uint64_t now, uint64_t *free)
{
    group->issued[warp]++;
    if (closes)
        close(group, warp);
    if (issued_by_all(group) > group->begun) {
        uint64_t begin = *free > now ? *free : now;
        group->begun++;
        group->end = *free = begin + cycles;
    }
    end_batches(group, rest);
}

void matrices_close(struct matrices *group, uint32_t warp, uint32_t rest)
{
    uint32_t closed = group->closed[warp];
    uint32_t before = closed != 0 ? group->lasts[(closed - 1) % MATRICES_RING] : 0;
    if (group->issued[warp] != before)
        close(group, warp);
    end_batches(group, rest); /* the tensor units may have its last product already */
}

uint64_t matrices_done(const struct matrices *group, uint32_t warp, uint32_t open)
{
    if (group->closed[warp] <= open)
        return 0;
    uint32_t batch = group->closed[warp] - open - 1;
    return batch < group->batches ? group->ends[batch % MATRICES_RING] : UINT64_MAX;
}
