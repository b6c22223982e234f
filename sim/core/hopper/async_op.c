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
    {"STAS", ASYNC_STORE_FAR},
    {"REDAS", ASYNC_STORE_FAR},
    {"NANOSLEEP.SYNCS", ASYNC_SLEEP},
    {"NANOSLEEP", ASYNC_PAUSE},
    {"BRA", ASYNC_SLEEP},
    {"UTMACMDFLUSH", ASYNC_FLUSH},
    {"FENCE.VIEW.ASYNC", ASYNC_FENCE},
    {"UCGABAR_ARV", ASYNC_CLUSTER_ARRIVE},
    {"UCGABAR_WAIT", ASYNC_CLUSTER_WAIT},
    {"PREEXIT", ASYNC_LAUNCH_LETS},
    {"ACQBULK", ASYNC_LAUNCH_WAIT},
    {"USETMAXREG.DEALLOC", ASYNC_REGISTERS_GIVE},
    {"USETMAXREG.TRY_ALLOC", ASYNC_REGISTERS_TAKE},
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

/* Of a copy by the tensor memory accelerator. */
static enum async_op copy(const char *opcode)
{
    switch (trace_async_form(opcode).kind) {
    case TRACE_ASYNC_TENSOR_LOAD:
    case TRACE_ASYNC_BLOCK_LOAD:
        return ASYNC_LOAD;
    case TRACE_ASYNC_BLOCK_SHARE:
        return ASYNC_SHARE;
    case TRACE_ASYNC_TENSOR_PREFETCH:
    case TRACE_ASYNC_BLOCK_PREFETCH:
        return ASYNC_PREFETCH;
    case TRACE_ASYNC_TENSOR_STORE:
    case TRACE_ASYNC_TENSOR_REDUCE:
    case TRACE_ASYNC_BLOCK_STORE:
    case TRACE_ASYNC_BLOCK_REDUCE:
        return ASYNC_STORE;
    default:
        return ASYNC_NONE;
    }
}

enum async_op async_op_of(const char *opcode)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (fits(opcode, ops[i].begin))
            return ops[i].op == ASYNC_ARRIVE_BYTES ? arrival(opcode) : ops[i].op;
    return matrix_opcode(opcode) ? ASYNC_PRODUCT : copy(opcode);
}

uint32_t async_value(const struct trace_code *code)
{
    return (uint32_t)(code->low >> 32) & 63;
}

uint32_t async_receivers(const struct trace_code *code)
{
    return (uint32_t)code->high & 63;
}

uint32_t async_registers(const struct trace_code *code)
{
    return (uint32_t)(code->low >> 32);
}

bool async_pause(const struct trace_code *code, uint32_t *nanoseconds)
{
    enum { IMMEDIATE = 4 };
    bool immediate = (code->low >> 9 & 7) == IMMEDIATE;
    *nanoseconds = (uint32_t)(code->low >> 32);
    if (!immediate)
        *nanoseconds &= 255;
    return immediate;
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
