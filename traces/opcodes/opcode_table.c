/* The opcode tables of the generations, each with the one that it extends. */
#include "traces/opcodes/opcode_table.h"

#include <stdlib.h>
#include <string.h>

#define OPCODE_FULL(opcode, unit, access, space, flags)                                        \
    {#opcode, flags, TRACE_UNIT_##unit, TRACE_ACCESS_##access, TRACE_SPACE_##space},
#define OPCODE(opcode, unit)                 OPCODE_FULL(opcode, unit, NONE, NONE, 0)
#define MEMORY(opcode, access, space, flags) OPCODE_FULL(opcode, MEMORY, access, space, flags)

static const struct opcode common[] = {
#include "traces/opcodes/common.def"
};
static const struct opcode maxwell[] = {
#include "traces/opcodes/maxwell.def"
};
static const struct opcode kepler[] = {
#include "traces/opcodes/kepler.def"
};
static const struct opcode turing[] = {
#include "traces/opcodes/turing.def"
};
static const struct opcode ampere[] = {
#include "traces/opcodes/ampere.def"
};
static const struct opcode ada[] = {
#include "traces/opcodes/ada.def"
};
static const struct opcode hopper[] = {
#include "traces/opcodes/hopper.def"
};
static const struct opcode blackwell[] = {
#include "traces/opcodes/blackwell.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct opcode_table {
    const char *name;
    const struct opcode_table *parent; /* looked up next; NULL for none */
    const struct opcode *opcodes;
    size_t count;
    uint8_t versions[8]; /* compute capabilities, up to a 0 */
};

static const struct opcode_table tables[] = {
    {"Kepler", &tables[1], kepler, COUNT(kepler), {30, 32, 35, 37}},
    {"Maxwell", &tables[3], maxwell, COUNT(maxwell), {50, 52, 53}},
    {"Pascal", &tables[3], maxwell, COUNT(maxwell), {60, 61, 62}},
    {"Volta", NULL, common, COUNT(common), {70, 72}},
    {"Turing", &tables[3], turing, COUNT(turing), {75}},
    {"Ampere", &tables[4], ampere, COUNT(ampere), {80, 86, 87, 88}},
    {"Ada", &tables[5], ada, COUNT(ada), {89}},
    {"Hopper", &tables[6], hopper, COUNT(hopper), {90}},
    {"Blackwell", &tables[7], blackwell, COUNT(blackwell), {100, 101, 103, 110, 120, 121}},
};

const struct opcode_table *opcode_table_for(uint32_t binary_version, bool *exact)
{
    const struct opcode_table *best = &tables[COUNT(tables) - 1];
    int64_t distance = INT64_MAX;
    for (size_t i = 0; binary_version != 0 && i < COUNT(tables); i++)
        for (const uint8_t *v = tables[i].versions; *v != 0; v++) {
            int64_t d = llabs((int64_t)binary_version - *v);
            if (d < distance) {
                distance = d;
                best = &tables[i];
            }
        }
    *exact = distance == 0;
    return best;
}

const char *opcode_table_name(const struct opcode_table *table)
{
    return table->name;
}

const struct opcode *opcode_find(const struct opcode_table *table, const char *name,
                                 size_t length)
{
    for (; table != NULL; table = table->parent)
        for (size_t i = 0; i < table->count; i++) {
            const struct opcode *opcode = &table->opcodes[i];
            if (opcode->name[0] == name[0] && strncmp(opcode->name, name, length) == 0 &&
                opcode->name[length] == '\0')
                return opcode;
        }
    return NULL;
}
