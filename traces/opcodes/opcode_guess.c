/* Classes for opcodes that no table knows: a newer GPU's, or a fork's. */
#include <string.h>

#include "traces/opcodes/opcode_table.h"

/* The first rule whose text starts the name holds. Rules with an access hold
 * only for instructions that have a memory operand. */
#define RULE(prefix, unit)                                                                     \
    {                                                                                          \
        prefix, 0, TRACE_UNIT_##unit, TRACE_ACCESS_NONE, TRACE_SPACE_NONE                      \
    }
#define MEMORY(prefix, access, space, flags)                                                   \
    {                                                                                          \
        prefix, flags, TRACE_UNIT_MEMORY, TRACE_ACCESS_##access, TRACE_SPACE_##space           \
    }

static const struct opcode rules[] = {
    MEMORY("ATOMS", ATOMIC, SHARED, 0),
    MEMORY("ATOM", ATOMIC, GLOBAL, TRACE_INST_BYPASS_L1),
    RULE("REDUX", UNIFORM),
    MEMORY("RED", ATOMIC, GLOBAL, TRACE_INST_BYPASS_L1),
    MEMORY("LDS", LOAD, SHARED, 0),
    MEMORY("LDL", LOAD, LOCAL, 0),
    MEMORY("LDG", LOAD, GLOBAL, 0),
    MEMORY("LD", LOAD, GENERIC, 0),
    MEMORY("STS", STORE, SHARED, 0),
    MEMORY("STL", STORE, LOCAL, 0),
    MEMORY("STG", STORE, GLOBAL, 0),
    MEMORY("ST", STORE, GENERIC, 0),
    /* Any other memory operand: the load/store unit moves it. */
    MEMORY("", LOAD, GENERIC, 0),
    RULE("ATOM", MEMORY),
    RULE("RED", MEMORY),
    RULE("LDC", ALU),
    RULE("LD", MEMORY),
    RULE("ST", MEMORY),
    RULE("MEMBAR", MEMORY),
    RULE("MUFU", SFU),
    RULE("TEX", TEXTURE),
    RULE("TLD", TEXTURE),
    RULE("TX", TEXTURE),
    RULE("BR", BRANCH),
    RULE("BS", BRANCH),
    RULE("CAL", BRANCH),
    RULE("JM", BRANCH),
    RULE("RET", BRANCH),
    RULE("WARP", BRANCH),
    RULE("U", UNIFORM),
    RULE("R2U", UNIFORM),
    RULE("S2U", UNIFORM),
    RULE("F2", ALU),
    RULE("I2", ALU),
    RULE("F", FP32),
    RULE("H", FP16),
    RULE("DEP", ALU),
    RULE("D", FP64),
    RULE("I", INT),
    RULE("V", INT),
    RULE("LOP", INT),
    RULE("LEA", INT),
    RULE("SH", INT),
    RULE("", ALU),
};

static const struct opcode matrix = RULE("MMA", TENSOR);

static bool ends_with_mma(const char *name, size_t length)
{
    return length >= 3 && memcmp(name + length - 3, "MMA", 3) == 0;
}

const struct opcode *opcode_guess(const char *name, size_t length, bool memory_operand)
{
    if (!memory_operand && ends_with_mma(name, length))
        return &matrix;
    const struct opcode *rule = rules;
    for (;; rule++) {
        size_t n = strlen(rule->name);
        bool for_memory = rule->access != TRACE_ACCESS_NONE;
        if (n <= length && memcmp(rule->name, name, n) == 0 && for_memory <= memory_operand)
            return rule;
    }
}
