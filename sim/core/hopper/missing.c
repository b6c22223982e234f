#include "sim/core/hopper/missing.h"

#include <stddef.h>
#include <string.h>

#include "sim/core/hopper/matrices.h"

/* By the beginning of the opcode. */
static const struct {
    const char *begin, *part;
    enum { COPY, LAUNCH } of;
} parts[] = {
    {"UBLKCP", "where the trace has no registers, bulk copies send no requests to L2", COPY},
    {"UBLKRED", "where the trace has no registers, bulk reductions reach no memory", COPY},
    {"UBLKPF", "where the trace has no registers, bulk prefetches bring nothing", COPY},
    {"UTMAPF", "where the trace has no tensor maps, prefetches of tensors bring nothing", COPY},
    {"UTMALDG", "where the trace has no tensor maps, copies send no requests to L2", COPY},
    {"UTMASTG", "where the trace has no tensor maps, copies send no requests to L2", COPY},
    {"UTMAREDG", "where the trace has no tensor maps, reductions reach no memory", COPY},
    {"ACQBULK", "the launch begins when the one before has ended, and this passes", LAUNCH},
    {"PREEXIT", "the next launch begins when this one has ended", LAUNCH},
};

const char *missing_part(const char *opcode, bool unseen, bool in_turn)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(opcode, parts[i].begin, strlen(parts[i].begin)) == 0)
            return (parts[i].of == COPY ? unseen : in_turn) ? parts[i].part : NULL;
    return NULL;
}

bool missing_sparse(const char *opcode)
{
    return matrix_opcode(opcode) && strstr(opcode, ".SP") != NULL;
}
