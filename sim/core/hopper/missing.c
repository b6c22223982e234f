#include "sim/core/hopper/missing.h"

#include <stddef.h>
#include <string.h>

#include "sim/core/hopper/matrices.h"

/* By the beginning of the opcode. */
static const struct {
    const char *begin, *part;
    bool copy;
} parts[] = {
    {"UBLKCP", "where the trace has no registers, bulk copies send no requests to L2", true},
    {"UBLKRED", "where the trace has no registers, bulk reductions reach no memory", true},
    {"UBLKPF", "where the trace has no registers, bulk prefetches bring nothing", true},
    {"UTMAPF", "where the trace has no tensor maps, prefetches of tensors bring nothing", true},
    {"UTMALDG", "where the trace has no tensor maps, copies send no requests to L2", true},
    {"UTMASTG", "where the trace has no tensor maps, copies send no requests to L2", true},
    {"UTMAREDG", "where the trace has no tensor maps, reductions reach no memory", true},
    {"ACQBULK", "a launch waits for the end of the one before", false},
    {"PREEXIT", "a launch waits for the end of the one before", false},
};

const char *missing_part(const char *opcode, bool unseen)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(opcode, parts[i].begin, strlen(parts[i].begin)) == 0)
            return unseen || !parts[i].copy ? parts[i].part : NULL;
    return NULL;
}

bool missing_sparse(const char *opcode)
{
    return matrix_opcode(opcode) && strstr(opcode, ".SP") != NULL;
}
