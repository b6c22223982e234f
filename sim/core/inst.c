#include "sim/core/inst.h"

#include <stdlib.h>
#include <string.h>

#include "sim/core/core_model.h"
#include "sim/core/hopper/missing.h"
#include "sim/core/observers/activity.h"

static uint8_t plain_pipe(enum trace_unit unit, const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    switch (unit) {
    case TRACE_UNIT_FP32:
    case TRACE_UNIT_FP16:
        return PIPE_SP;
    case TRACE_UNIT_FP64:
        return options->gpgpu_num_dp_units ? PIPE_DP : PIPE_SFU;
    case TRACE_UNIT_SFU:
        return PIPE_SFU;
    case TRACE_UNIT_TENSOR:
        if (options->gpgpu_num_tensor_core_units)
            return PIPE_TENSOR;
        break;
    case TRACE_UNIT_MEMORY:
        return PIPE_MEM;
    default:
        break;
    }
    return options->gpgpu_num_int_units ? PIPE_INT : PIPE_SP;
}

static bool listed(const uint8_t *regs, uint8_t count, uint8_t reg)
{
    return count != 0 && memchr(regs, reg, count) != NULL;
}

static void set_registers(struct inst *inst, const struct trace_inst *from, bool zero_counts)
{
    for (uint8_t i = 0; i < from->dst_count; i++) {
        if (from->dst[i] == TRACE_REG_ZERO && !zero_counts)
            continue;
        inst->dst[inst->dst_count++] = from->dst[i];
        if (!listed(inst->regs, inst->reg_count, from->dst[i]))
            inst->regs[inst->reg_count++] = from->dst[i];
    }
    for (uint8_t i = 0; i < from->src_count; i++) {
        uint8_t reg = from->src[i];
        if (!listed(inst->reads, inst->read_count, reg))
            inst->reads[inst->read_count++] = reg;
        if ((reg != TRACE_REG_ZERO || zero_counts) && !listed(inst->regs, inst->reg_count, reg))
            inst->regs[inst->reg_count++] = reg;
    }
}

static bool begins(const char *opcode, const char *with)
{
    return strncmp(opcode, with, strlen(with)) == 0;
}

/* The instruction FROM with the result that the trace lists as a source, as it stands behind a
 * predicate. */
static struct trace_inst with_result(const struct trace_inst *from, const char *opcode)
{
    struct trace_inst inst = *from;
    if (inst.dst_count != 0 || inst.src_count == 0 ||
        !(begins(opcode, "SHFL") || begins(opcode, "ATOM")))
        return inst;
    inst.dst[inst.dst_count++] = inst.src[0];
    memmove(&inst.src[0], &inst.src[1], --inst.src_count);
    return inst;
}

/* What L2 prefetches with a load. */
static uint8_t sectors_ahead(const struct trace_inst *from, const struct sim_config *config)
{
    if (!config->options.hearth_load_prefetch)
        return 0;
    if (from->flags & TRACE_INST_LTC128B)
        return 2;
    return (from->flags & TRACE_INST_LTC64B) != 0;
}

/* Whether FROM, a load of OPCODE, is served at L2. */
static bool bypasses_l1(const struct trace_inst *from, const char *opcode,
                        const struct sim_config *config)
{
    if (from->flags & TRACE_INST_STRONG_SYS)
        return config->options.hearth_strong_sys_bypass_l1;
    return (from->flags & TRACE_INST_LDGSTS) && config->options.hearth_ldgsts_bypass_l1 &&
           strstr(opcode, ".BYPASS") != NULL;
}

static void make_inst(struct inst *inst, const struct trace_inst *from, const char *opcode,
                      const struct sim_config *config)
{
    memset(inst, 0, sizeof *inst);
    uint8_t specialized = config->specialized[from->unit];
    inst->pipe = specialized ? (uint8_t)(PIPE_SPECIALIZED + specialized - 1)
                             : plain_pipe(from->unit, config);
    inst->flags = from->flags;
    if (bypasses_l1(from, opcode, config))
        inst->flags |= TRACE_INST_BYPASS_L1;
    inst->access = from->access;
    inst->reduces = from->access == TRACE_ACCESS_ATOMIC && begins(opcode, "RED");
    inst->space = from->space;
    inst->type = trace_inst_type(from);
    inst->activity = (uint8_t)activity_of(from, opcode);
    inst->ends = trace_inst_ends_basic_block(from, opcode);
    inst->width = from->width;
    inst->ahead = sectors_ahead(from, config);
    inst->latency = (uint16_t)config->units[from->unit].latency;
    inst->initiation = (uint16_t)config->units[from->unit].initiation;
    inst->imm = from->imm;
    inst->pc = from->pc;
    bool constant = config->options.hearth_const_cache && from->space == TRACE_SPACE_CONSTANT;
    inst->prepared =
        constant || inst->pipe == PIPE_MEM || config->options.hearth_war_scoreboard != 0;
    inst->accesses = from->access != TRACE_ACCESS_NONE && from->space != TRACE_SPACE_CONSTANT &&
                     inst->pipe == PIPE_MEM;
    if (constant)
        inst->latency = (uint16_t)config->options.hearth_const_latency;
    if (inst->latency == 0)
        inst->latency = 1;
    if (inst->initiation == 0)
        inst->initiation = 1;
    struct trace_inst with = with_result(from, opcode);
    set_registers(inst, config->options.hearth_results_behind_predicates ? &with : from,
                  config->options.hearth_rz_dependence);
}

/* What INST reads of constant memory, by its CODE, which may be NULL. An operand with an index
 * reads an array among the parameters, as an LDC does (inst_has_constant_place()). */
static void set_constant(struct inst *inst, const struct trace_code *code,
                         const struct sim_config *config)
{
    bool load = inst->space == TRACE_SPACE_CONSTANT, reg;
    uint32_t bank, offset;
    if (!config->options.hearth_const_cache || code == NULL ||
        !trace_code_constant(*code, &bank, &offset, &reg))
        return;
    inst->constant_at = bank << 16 | offset;
    if (load)
        inst->constant = reg ? INST_CONSTANT_INDEXED : INST_CONSTANT_LOAD;
    else if (!reg || bank == 0)
        inst->constant = INST_CONSTANT_OPERAND;
}

/* Joins FROM of KERNEL with the configuration, its code, and what MODEL reads of that. */
static void join(struct inst *inst, const struct trace_kernel *kernel,
                 const struct trace_inst *from, const struct core_model *model,
                 const struct sim_config *config)
{
    const struct trace_function *function = trace_kernel_function(kernel);
    const struct core_code code = {
        .config = config,
        .from = from,
        .opcode = trace_kernel_opcode(kernel, from),
        .code = function != NULL ? trace_function_code(function, from->pc) : NULL,
        .binary_version = trace_kernel_header(kernel)->binary_version,
    };
    make_inst(inst, from, code.opcode, config);
    inst->code = code.code;
    inst->between = inst->accesses ? trace_kernel_between(kernel, from->pc) : NULL;
    set_constant(inst, code.code, config);
    if (model->describe != NULL)
        model->describe(inst, &code);
}

static void note_refused(struct inst_table *table, const char *opcode,
                         const struct sim_config *config)
{
    if (config->options.hearth_wgmma_rate != 0 && table->refused == NULL &&
        missing_sparse(opcode))
        table->refused = opcode;
}

bool inst_table_update(struct inst_table *table, const struct trace_kernel *kernel,
                       const struct sim_config *config)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
    if (count > INST_CHUNK * INST_CHUNKS)
        return false;
    if (table->chunks == NULL &&
        (table->chunks = malloc(INST_CHUNKS * sizeof *table->chunks)) == NULL)
        return false;
    const struct core_model *model =
        table->count < count ? core_model_find(config->options.hearth_core) : NULL;
    for (; table->count < count; table->count++) {
        struct inst **chunk = &table->chunks[table->count / INST_CHUNK];
        if (table->count % INST_CHUNK == 0 &&
            (*chunk = malloc(INST_CHUNK * sizeof **chunk)) == NULL)
            return false;
        struct inst *inst = &(*chunk)[table->count % INST_CHUNK];
        join(inst, kernel, &insts[table->count], model, config);
        note_refused(table, trace_kernel_opcode(kernel, &insts[table->count]), config);
        table->reduces |= inst->reduces;
    }
    return true;
}

void inst_table_finish(struct inst_table *table)
{
    for (uint32_t c = 0; c * INST_CHUNK < table->count; c++)
        free(table->chunks[c]);
    free(table->chunks);
    memset(table, 0, sizeof *table);
}
