#include "sim/core/hopper/async_op.h"

#include <stddef.h>
#include <string.h>

#include "sim/core/hopper/matrices.h"
#include "traces/traces.h"

/* By the beginning of the opcode: the first that fits. */
static const struct {
    const char *begin;
    enum async_op op;
} ops[] = {
    {"WARPGROUP.DEPBAR", ASYNC_PRODUCT_WAIT},
    {"SYNCS.EXCH", ASYNC_INIT},
    {"SYNCS.ARRIVE", ASYNC_ARRIVE_BYTES},
    {"SYNCS.PHASECHK", ASYNC_WAIT},
    {"NANOSLEEP", ASYNC_SLEEP},
    {"BRA", ASYNC_SLEEP},
    {"UTMALDG", ASYNC_LOAD},
    {"UTMASTG", ASYNC_STORE},
    {"UTMAREDG", ASYNC_STORE},
    {"UTMACMDFLUSH", ASYNC_FLUSH},
    {"FENCE.VIEW.ASYNC", ASYNC_FENCE},
    {"UCGABAR_ARV", ASYNC_CLUSTER_ARRIVE},
    {"UCGABAR_WAIT", ASYNC_CLUSTER_WAIT},
};

static enum async_op arrival(const char *opcode)
{
    if (strstr(opcode, ".A1T0") != NULL)
        return ASYNC_ARRIVE;
    if (strstr(opcode, ".ART0") != NULL)
        return ASYNC_ARRIVE_COUNT;
    return strstr(opcode, ".A0T") != NULL ? ASYNC_BYTES : ASYNC_ARRIVE_BYTES;
}

/* Whether OPCODE is BEGIN, or that and more tokens. */
static bool fits(const char *opcode, const char *begin)
{
    size_t length = strlen(begin);
    return strncmp(opcode, begin, length) == 0 &&
           (opcode[length] == 0 || opcode[length] == '.');
}

enum async_op async_op_of(const char *opcode)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (fits(opcode, ops[i].begin))
            return ops[i].op == ASYNC_ARRIVE_BYTES ? arrival(opcode) : ops[i].op;
    return matrix_opcode(opcode) ? ASYNC_PRODUCT : ASYNC_NONE;
}

uint32_t async_value(const struct trace_code *code)
{
    return (uint32_t)(code->low >> 32) & 63;
}

uint32_t async_receivers(const struct trace_code *code)
{
    return (uint32_t)code->high & 63;
}

bool async_named_barrier(const struct trace_code *code, uint8_t *number, uint8_t *warps)
{
    enum { IMMEDIATES = 0xb1d };
    uint32_t threads = (uint32_t)(code->low >> 42) & 0xfff;
    *number = (uint8_t)(code->low >> 54 & 15);
    *warps = (uint8_t)(threads / 32);
    return (code->low & 0xfff) == IMMEDIATES && threads != 0;
}

bool async_closes_batch(const struct trace_code *code)
{
    return (code->high >> 20 & 7) != 7;
}

bool async_from_registers(const struct trace_code *code)
{
    return (code->low >> 9 & 7) == 6;
}

bool async_makes_barrier(const struct trace_code *code)
{
    return (code->low & 0xfff) == 0x5b2;
}
