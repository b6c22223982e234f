/* One instruction of a listing: opcode and operands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/listing.h"
#include "traces/traces.h"

#define OPERANDS 12
#define ZERO_REG 255

static void add(uint16_t *list, uint8_t *count, uint32_t most, uint32_t place, uint32_t n)
{
    for (uint32_t i = 0; i < n && place + i < LISTING_PLACES; i++)
        if (*count < most)
            list[(*count)++] = (uint16_t)(place + i);
}

static void reads(struct listing_inst *inst, uint32_t place, uint32_t n)
{
    add(inst->reads, &inst->read_count, LISTING_READS, place, n);
}

static void writes(struct listing_inst *inst, uint32_t place, uint32_t n)
{
    add(inst->writes, &inst->write_count, LISTING_WRITES, place, n);
}

/* Whether ".PART" is one of the parts of TEXT after its first. */
static bool has(const char *text, const char *part)
{
    size_t length = strlen(part);
    while ((text = strchr(text, '.')) != NULL)
        if (strncmp(++text, part, length) == 0 && !isalnum((unsigned char)text[length]))
            return true;
    return false;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A register or predicate at TEXT, moved past it. False: there is none; *PLACE is
 * LISTING_PLACES for those that always have one value. */
static bool next_place(const char **text, uint32_t *place)
{
    const char *at = *text;
    bool uniform = *at == 'U';
    at += uniform;
    if (*at != 'R' && *at != 'P')
        return false;
    bool reg = *at++ == 'R';
    if (*at == (reg ? 'Z' : 'T')) {
        *place = LISTING_PLACES;
        *text = at + 1;
        return true;
    }
    if (!isdigit((unsigned char)*at))
        return false;
    char *end;
    unsigned long number = strtoul(at, &end, 10);
    *text = end;
    if (number >= (reg ? uniform ? 64u : ZERO_REG : 7u))
        *place = LISTING_PLACES;
    else
        *place = (uint32_t)number + (reg       ? uniform ? LISTING_UNIFORM : 0
                                     : uniform ? LISTING_UNIFORM_PREDICATE
                                               : LISTING_PREDICATE);
    return true;
}

/* How many registers an operand of an instruction takes: data of memory accesses, pairs of
 * double precision and of wide products. */
static uint32_t registers_of(const struct listing_inst *inst)
{
    if (inst->access != TRACE_ACCESS_NONE)
        return inst->width > 4 ? inst->width / 4u : 1;
    return inst->unit == TRACE_UNIT_FP64 ? 2 : 1;
}

/* Adds what OPERAND reads; inside brackets are addresses, which take two registers with .E. */
static void read_operand(struct listing_inst *inst, const char *operand)
{
    bool inside = false;
    uint32_t address = has(inst->opcode, "E") ? 2 : 1;
    for (const char *at = operand; *at != '\0';) {
        uint32_t place;
        bool word = at > operand && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        inside = *at == '[' || (inside && *at != ']');
        if (word || !next_place(&at, &place))
            at++;
        else
            reads(inst, place,
                  place >= LISTING_UNIFORM ? 1
                  : inside                 ? address
                                           : registers_of(inst));
    }
}

static bool write_operand(struct listing_inst *inst, const char *operand, bool predicate)
{
    uint32_t place;
    const char *at = operand;
    if (!next_place(&at, &place) || strchr(operand, '[') != NULL)
        return false;
    bool is_predicate = operand[operand[0] == 'U'] == 'P';
    if (predicate && !is_predicate)
        return false;
    uint32_t n = is_predicate ? 1 : has(inst->opcode, "WIDE") ? 2 : registers_of(inst);
    writes(inst, place, n);
    if (has(at, "CC"))
        writes(inst, LISTING_CARRY, 1);
    return true;
}

/* How many of the operands are results: the first; after a predicate the second one, too; the
 * carries of a sum. */
static size_t results(struct listing_inst *inst, char *const *operands, size_t count)
{
    if (inst->branch || inst->exit || inst->access == TRACE_ACCESS_STORE || count == 0 ||
        begins(inst->opcode, "RED") || begins(inst->opcode, "BAR") ||
        inst->unit == TRACE_UNIT_BARRIER)
        return 0;
    if (!write_operand(inst, operands[0], false))
        return 0;
    size_t n = 1;
    bool first_is_predicate = operands[0][operands[0][0] == 'U'] == 'P';
    if (first_is_predicate && count > 1 && write_operand(inst, operands[1], false))
        return 2;
    bool sum = begins(inst->opcode, "IADD3") || begins(inst->opcode, "LEA");
    while (sum && n < count && n < 3 && write_operand(inst, operands[n], true))
        n++;
    return n;
}

static size_t split(char *text, char *operands[OPERANDS])
{
    size_t count = 0;
    char *rest = NULL;
    for (char *at = strtok_r(text, ",", &rest); at != NULL && count < OPERANDS;
         at = strtok_r(NULL, ",", &rest)) {
        at += strspn(at, " \t");
        operands[count++] = at;
    }
    return count;
}

static void read_target(struct listing_inst *inst, char *const *operands, size_t count)
{
    char *end;
    if (!inst->branch || count == 0 || !begins(operands[count - 1], "0x"))
        return;
    inst->target = (uint32_t)strtoul(operands[count - 1], &end, 16);
    inst->has_target = *end == '\0' || isspace((unsigned char)*end);
}

static void classify(struct listing_inst *inst, uint32_t version, bool memory)
{
    struct trace_inst decoded = {0};
    trace_inst_decode(&decoded, version, inst->opcode, memory);
    inst->unit = decoded.unit;
    inst->access = decoded.access;
    inst->space = decoded.space;
    inst->width = decoded.width;
    inst->exit = (decoded.flags & TRACE_INST_EXIT) != 0;
    inst->branch = begins(inst->opcode, "BRA") || begins(inst->opcode, "JMP");
}

/* The guard before the opcode, moved past. */
static char *read_guard(struct listing_inst *inst, char *text)
{
    if (*text != '@')
        return text;
    uint32_t place;
    const char *at = text + 1 + (text[1] == '!');
    if (next_place(&at, &place)) {
        inst->guarded = place < LISTING_PLACES;
        reads(inst, place, 1);
    }
    text += strcspn(text, " \t");
    return text + strspn(text, " \t");
}

int listing_line_read(struct listing_inst *inst, char *text, uint32_t version, const char *file,
                      struct error *err)
{
    char *operands[OPERANDS];
    text = read_guard(inst, text);
    size_t length = strcspn(text, " \t");
    if (length == 0 || length >= sizeof inst->opcode || !isupper((unsigned char)*text))
        return error_set(err, ERROR_TRACE, file, inst->line, 0,
                         "expected an instruction; got \"%.40s\"", text);
    memcpy(inst->opcode, text, length);
    bool memory = strchr(text, '[') != NULL;
    classify(inst, version, memory);
    size_t count = split(text + length, operands);
    read_target(inst, operands, count);
    for (size_t i = results(inst, operands, count); i < count; i++)
        read_operand(inst, operands[i]);
    if (has(inst->opcode, "X"))
        reads(inst, LISTING_CARRY, 1);
    return 0;
}
