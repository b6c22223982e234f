#include "traces/opcodes/opcode.h"

#include <string.h>

#include "traces/opcodes/opcode_table.h"

size_t opcode_name_length(const char *text, size_t length)
{
    const char *dot = memchr(text, '.', length);
    return dot == NULL ? length : (size_t)(dot - text);
}

/* Whether TEXT has TOKEN between its dots. */
static bool has_token(const char *text, size_t length, const char *token)
{
    size_t n = strlen(token);
    for (const char *at = text, *end = text + length; at < end;) {
        size_t m = opcode_name_length(at, (size_t)(end - at));
        if (m == n && memcmp(at, token, n) == 0)
            return true;
        at += m + 1;
    }
    return false;
}

/* Size suffixes, most telling first: "ATOMG.E.ADD.F16x2.RN" has one of its
 * own, "LDG.E.LTC128B.64" must not take the 128 of the cache hint. */
static const struct {
    const char *token;
    uint8_t width;
} widths[] = {
    {"256", 32}, {"128", 16}, {"64", 8}, {"U8", 1},  {"S8", 1},  {"8", 1},
    {"U16", 2},  {"S16", 2},  {"16", 2}, {"F64", 8}, {"U64", 8}, {"S64", 8},
};

static uint8_t access_width(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (has_token(text, length, widths[i].token))
            return widths[i].width;
    return 4;
}

/* LDSM.16.M88.4 loads, and STSM.16.M88.4 stores, four matrices, each of them 4 bytes a lane. */
static uint8_t matrix_width(const char *text, size_t length)
{
    if (has_token(text, length, "4"))
        return 16;
    return has_token(text, length, "2") ? 8 : 4;
}

/* The flag of a load by the scope of its memory order; 0 for weak ones and
 * those of a block or SM. */
static uint16_t strong_scope(const char *text, size_t length)
{
    if (!has_token(text, length, "STRONG"))
        return 0;
    if (has_token(text, length, "GPU"))
        return TRACE_INST_BYPASS_L1;
    return has_token(text, length, "SYS") ? TRACE_INST_STRONG_SYS : 0;
}

/* The flag of a load that says how much L2 prefetches; 0: only what it asks for. */
static uint16_t prefetch_size(const char *text, size_t length)
{
    if (has_token(text, length, "LTC128B") || has_token(text, length, "LTC256B"))
        return TRACE_INST_LTC128B;
    return has_token(text, length, "LTC64B") ? TRACE_INST_LTC64B : 0;
}

void opcode_decode(const struct opcode_table *table, const char *text, size_t length,
                   uint64_t trace_width, struct trace_inst *inst)
{
    size_t name_length = opcode_name_length(text, length);
    const struct opcode *opcode = opcode_find(table, text, name_length);
    uint16_t unknown = 0;
    if (opcode == NULL) {
        opcode = opcode_guess(text, name_length, trace_width > 0);
        unknown = TRACE_INST_UNKNOWN;
    }
    inst->unit = opcode->unit;
    inst->access = opcode->access;
    inst->space = opcode->space;
    inst->flags = opcode->flags | unknown;
    if (inst->unit == TRACE_UNIT_BARRIER && has_token(text, length, "ARV"))
        inst->flags |= TRACE_INST_ARRIVE;
    if (trace_width == 0 && inst->space != TRACE_SPACE_CONSTANT) {
        inst->access = TRACE_ACCESS_NONE;
        inst->space = TRACE_SPACE_NONE;
    }
    if (inst->access == TRACE_ACCESS_NONE)
        return;
    inst->width =
        inst->flags & TRACE_INST_LDSM ? matrix_width(text, length) : access_width(text, length);
    if (inst->access == TRACE_ACCESS_LOAD)
        inst->flags |= strong_scope(text, length) | prefetch_size(text, length);
}
