/* Which unit executes which class of instructions, and how fast. */
#include "sim/config/derive.h"

#include "sim/config/fields.h"

#define MAX_LATENCY 65535u

/* "LATENCY,INITIATION" */
static int latency(const struct build *build, enum sim_option option, uint32_t *cycles,
                   uint32_t *initiation)
{
    struct fields fields = fields_of(build, option, 2);
    if (fields_u32(&fields, "latency", 1, MAX_LATENCY, cycles) < 0 ||
        fields_separator(&fields, ',', "initiation interval") < 0 ||
        fields_u32(&fields, "initiation interval", 0, MAX_LATENCY, initiation) < 0 ||
        fields_end(&fields) < 0)
        return -1;
    if (*initiation == 0) /* files of recent cards mean "each cycle" by 0 */
        *initiation = 1;
    return 0;
}

/* "ENABLED,UNITS,DEEPEST,WIDTH,WIDTH,NAME"; the name is ignored. */
static int special_unit(const struct build *build, unsigned i, struct sim_special_unit *unit)
{
    struct fields fields = fields_of(build, SIM_OPTION_specialized_unit_1 + i, 6);
    uint32_t enabled, deepest;
    if (fields_u32(&fields, "enabled", 0, 1, &enabled) < 0 ||
        fields_separator(&fields, ',', "units") < 0 ||
        fields_u32(&fields, "units", enabled, 256, &unit->count) < 0 ||
        fields_separator(&fields, ',', "deepest latency") < 0 ||
        fields_u32(&fields, "deepest latency", 0, MAX_LATENCY, &deepest) < 0 ||
        fields_separator(&fields, ',', "width to operands") < 0 ||
        fields_u32(&fields, "width to operands", enabled, 1024, &unit->operand_width) < 0 ||
        fields_separator(&fields, ',', "width to unit") < 0 ||
        fields_u32(&fields, "width to unit", enabled, 1024, &unit->issue_width) < 0 ||
        fields_separator(&fields, ',', "name") < 0)
        return -1;
    if (!enabled)
        unit->count = 0;
    return latency(build, SIM_OPTION_trace_opcode_latency_initiation_spec_op_1 + i,
                   &unit->latency, &unit->initiation);
}

static int plain_units(const struct build *build, struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    struct sim_unit_config *units = config->units;
    static const struct {
        enum trace_unit unit;
        enum sim_option option;
    } read[] = {
        {TRACE_UNIT_INT, SIM_OPTION_trace_opcode_latency_initiation_int},
        {TRACE_UNIT_FP32, SIM_OPTION_trace_opcode_latency_initiation_sp},
        {TRACE_UNIT_FP64, SIM_OPTION_trace_opcode_latency_initiation_dp},
        {TRACE_UNIT_SFU, SIM_OPTION_trace_opcode_latency_initiation_sfu},
        {TRACE_UNIT_TENSOR, SIM_OPTION_trace_opcode_latency_initiation_tensor},
    };
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        struct sim_unit_config *unit = &units[read[i].unit];
        if (latency(build, read[i].option, &unit->latency, &unit->initiation) < 0)
            return -1;
    }
    units[TRACE_UNIT_FP32].count = options->gpgpu_num_sp_units;
    units[TRACE_UNIT_SFU].count = options->gpgpu_num_sfu_units;
    units[TRACE_UNIT_INT].count = options->gpgpu_num_int_units > 0
                                      ? options->gpgpu_num_int_units
                                      : options->gpgpu_num_sp_units;
    units[TRACE_UNIT_FP64].count = options->gpgpu_num_dp_units > 0
                                       ? options->gpgpu_num_dp_units
                                       : options->gpgpu_num_sfu_units;
    units[TRACE_UNIT_TENSOR].count =
        options->gpgpu_tensor_core_avail != 0 ? options->gpgpu_num_tensor_core_units : 0;
    return 0;
}

/* Classes that use the unit of another class. */
static void follow_units(struct sim_unit_config *units)
{
    const struct sim_unit_config integer = units[TRACE_UNIT_INT];
    units[TRACE_UNIT_ALU] = integer;
    units[TRACE_UNIT_BRANCH] = integer;
    units[TRACE_UNIT_TEXTURE] = integer;
    units[TRACE_UNIT_UNIFORM] = integer;
    if (units[TRACE_UNIT_TENSOR].count == 0)
        units[TRACE_UNIT_TENSOR] = integer;
    /* They leave the integer pipeline at once: all their work is done at issue. */
    units[TRACE_UNIT_EXIT] = (struct sim_unit_config){1, 1, integer.count};
    units[TRACE_UNIT_BARRIER] = units[TRACE_UNIT_EXIT];
    /* The load/store unit has stages of its own after this one. */
    units[TRACE_UNIT_MEMORY] = (struct sim_unit_config){1, 1, 1};
    units[TRACE_UNIT_FP16] = units[TRACE_UNIT_FP32];
    if (units[TRACE_UNIT_FP16].initiation > 1)
        units[TRACE_UNIT_FP16].initiation /= 2;
}

/* The classes that specialised units 1 to 4 execute, in this order. */
static const enum trace_unit special_classes[] = {
    TRACE_UNIT_BRANCH,
    TRACE_UNIT_TEXTURE,
    TRACE_UNIT_TENSOR,
    TRACE_UNIT_UNIFORM,
};

int derive_units(const struct build *build)
{
    struct sim_config *config = build->config;
    for (unsigned i = 0; i < SIM_SPECIAL_UNITS; i++)
        if (special_unit(build, i, &config->special[i]) < 0)
            return -1;
    if (plain_units(build, config) < 0)
        return -1;
    follow_units(config->units);
    for (unsigned i = 0; i < sizeof special_classes / sizeof *special_classes; i++) {
        const struct sim_special_unit *unit = &config->special[i];
        if (unit->count == 0)
            continue;
        config->specialized[special_classes[i]] = (uint8_t)(i + 1);
        config->units[special_classes[i]] =
            (struct sim_unit_config){unit->latency, unit->initiation, unit->count};
    }
    return 0;
}
