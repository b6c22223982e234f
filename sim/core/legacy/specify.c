/* What the model can be built as. */
#include "sim/core/legacy/legacy.h"

/* Registers of each pipeline stage, at LEAST; check_widths() has seen that there are not too
 * many. */
static uint8_t width(uint32_t least, uint32_t configured)
{
    return (uint8_t)(configured < least ? least : configured);
}

static int check_widths(const struct sim_config *config, struct error *err)
{
    const struct sim_options *options = &config->options;
    uint32_t units[] = {options->gpgpu_num_sp_units, options->gpgpu_num_dp_units,
                        options->gpgpu_num_int_units, options->gpgpu_num_sfu_units,
                        options->gpgpu_num_tensor_core_units};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i] > LEGACY_MAX_UNITS)
            return limits_too_many(err, "gpgpu_num_*_units", units[i], LEGACY_MAX_UNITS);
    for (uint32_t stage = 0; stage < SIM_STAGE_COUNT; stage++)
        if (config->pipeline_width[stage] > LEGACY_MAX_WIDTH)
            return limits_too_many(err, "gpgpu_pipeline_widths", config->pipeline_width[stage],
                                   LEGACY_MAX_WIDTH);
    for (uint32_t u = 0; u < SIM_SPECIAL_UNITS; u++) {
        const struct sim_special_unit *unit = &config->special[u];
        if (unit->count > LEGACY_MAX_WIDTH || unit->operand_width > LEGACY_MAX_WIDTH ||
            unit->issue_width > LEGACY_MAX_WIDTH)
            return error_set(
                err, ERROR_USAGE, NULL, 0, 0,
                "-specialized_unit_%u: this model has at most %d units and registers", u + 1,
                LEGACY_MAX_WIDTH);
    }
    return 0;
}

/* LEAST: a sub-core has one of its own of each. */
static void set_pipes(struct legacy_spec *own, const struct sim_config *config, uint32_t least)
{
    static const struct {
        enum pipe pipe;
        enum sim_pipeline_stage id, ex;
    } stages[] = {
        {PIPE_SP, SIM_STAGE_ID_SP, SIM_STAGE_EX_SP},
        {PIPE_DP, SIM_STAGE_ID_DP, SIM_STAGE_EX_DP},
        {PIPE_INT, SIM_STAGE_ID_INT, SIM_STAGE_EX_INT},
        {PIPE_SFU, SIM_STAGE_ID_SFU, SIM_STAGE_EX_SFU},
        {PIPE_MEM, SIM_STAGE_ID_MEM, SIM_STAGE_EX_MEM},
        {PIPE_TENSOR, SIM_STAGE_ID_TENSOR, SIM_STAGE_EX_TENSOR},
    };
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        own->id_oc[stages[i].pipe] = width(least, config->pipeline_width[stages[i].id]);
        own->oc_ex[stages[i].pipe] = width(least, config->pipeline_width[stages[i].ex]);
    }
    for (uint32_t s = 0; s < SIM_SPECIAL_UNITS; s++) {
        own->id_oc[PIPE_SPECIALIZED + s] = width(least, config->special[s].operand_width);
        own->oc_ex[PIPE_SPECIALIZED + s] = width(least, config->special[s].issue_width);
        own->units[PIPE_SPECIALIZED + s] = width(least, config->special[s].count);
    }
    const struct sim_options *options = &config->options;
    own->units[PIPE_SP] = width(least, options->gpgpu_num_sp_units);
    own->units[PIPE_DP] = width(least, options->gpgpu_num_dp_units);
    own->units[PIPE_INT] = width(least, options->gpgpu_num_int_units);
    own->units[PIPE_SFU] = width(least, options->gpgpu_num_sfu_units);
    own->units[PIPE_TENSOR] = width(least, options->gpgpu_num_tensor_core_units);
}

/* What follows from the numbers of collectors and banks. Sub-cores have equal shares of both.
 */
static void set_shares(struct legacy_spec *own, uint32_t schedulers)
{
    uint32_t sub_cores = own->sub_cores ? schedulers : 1;
    uint32_t collectors = own->collectors / sub_cores, banks = own->banks / sub_cores;
    uint64_t all = collectors >= 64 ? ~0ull : (1ull << collectors) - 1;
    /* A power of two, and few lines of the host's caches. */
    own->bank_queue = 1;
    while (own->bank_queue < collectors * TRACE_MAX_SRC)
        own->bank_queue *= 2;
    own->bank_queue--;
    own->bank_step = own->sub_cores ? banks : 0;
    for (uint32_t number = 0; number < LEGACY_BANK_NUMBERS; number++)
        own->bank[number] = (uint8_t)(number % banks);
    for (uint32_t s = 0; s < schedulers; s++)
        own->serving[s] = own->sub_cores ? all << (s * collectors) : all;
    /* Round robin from the one after the last; with sub-cores, from the next sub-core on. */
    for (uint32_t last = 0; last < own->collectors; last++) {
        uint32_t step = own->sub_cores ? collectors - last % collectors : 1;
        own->after_served[last] = (uint8_t)((last + step) % own->collectors);
    }
}

/* Collectors that serve every unit; those of single units are put together
 * with them. */
static int set_collectors(struct legacy_spec *own, const struct sim_options *options,
                          uint32_t schedulers, struct error *err)
{
    own->collectors = options->gpgpu_operand_collector_num_units_gen;
    own->in_ports = options->gpgpu_operand_collector_num_in_ports_gen;
    own->out_ports = options->gpgpu_operand_collector_num_out_ports_gen;
    if (options->gpgpu_enable_specialized_operand_collector) {
        own->collectors += options->gpgpu_operand_collector_num_units_sp +
                           options->gpgpu_operand_collector_num_units_dp +
                           options->gpgpu_operand_collector_num_units_sfu +
                           options->gpgpu_operand_collector_num_units_int +
                           options->gpgpu_operand_collector_num_units_tensor_core +
                           options->gpgpu_operand_collector_num_units_mem;
        own->in_ports += options->gpgpu_operand_collector_num_in_ports_sp +
                         options->gpgpu_operand_collector_num_in_ports_mem;
        own->out_ports += options->gpgpu_operand_collector_num_out_ports_sp +
                          options->gpgpu_operand_collector_num_out_ports_mem;
    }
    own->collect_steps = options->gpgpu_reg_file_port_throughput;
    own->banks = options->gpgpu_num_reg_banks;
    if (own->collectors > LEGACY_MAX_COLLECTORS)
        return limits_too_many(err, "gpgpu_operand_collector_num_units_*", own->collectors,
                               LEGACY_MAX_COLLECTORS);
    if (own->out_ports > LEGACY_MAX_COLLECTORS)
        return limits_too_many(err, "gpgpu_operand_collector_num_out_ports_*", own->out_ports,
                               LEGACY_MAX_COLLECTORS);
    if (own->banks > LEGACY_MAX_BANKS)
        return limits_too_many(err, "gpgpu_num_reg_banks", own->banks, LEGACY_MAX_BANKS);
    if (own->collectors == 0 || own->in_ports == 0 || own->out_ports == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "no operand collectors, or no ports to them: "
                         "-gpgpu_operand_collector_num_units_gen and its ports are 0");
    if (own->sub_cores && (own->banks % schedulers || own->collectors % schedulers))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_sub_core_model 1: %u register banks and %u operand collectors "
                         "cannot be shared evenly by %u schedulers",
                         own->banks, own->collectors, schedulers);
    set_shares(own, schedulers);
    return 0;
}

/* A result of LDC must fit on the wheel. */
static int check_constants(const struct code_spec *code, struct error *err)
{
    uint64_t miss = (uint64_t)code->l1_latency + code->gcc_latency + code->miss_latency;
    if (code->constants && miss > LEGACY_CONSTANT_WAIT)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-hearth_const_cache 1: a miss takes %llu cycles; this model has at "
                         "most %u (hearth_icache_l1_latency, hearth_gcc_latency, "
                         "hearth_icache_miss_latency)",
                         (unsigned long long)miss, LEGACY_CONSTANT_WAIT);
    return 0;
}

int legacy_specify(const struct sm_spec *spec, void *data, struct error *err)
{
    const struct sim_config *config = spec->config;
    const struct sim_options *options = &config->options;
    struct legacy_spec *own = data;
    own->issue_max = options->gpgpu_max_insn_issue_per_warp;
    own->readers_max = options->hearth_war_scoreboard;
    own->different_units = options->gpgpu_dual_issue_diff_exec_units;
    own->sub_cores = options->gpgpu_sub_core_model;
    own->fetches = options->gpgpu_inst_fetch_throughput;
    own->result_buses = config->pipeline_width[SIM_STAGE_WRITE_BACK];
    own->invalidate_at_membar = options->gpgpu_flush_l1_cache && config->l1d.enabled;
    for (int unit = 0; unit < TRACE_UNIT_COUNT; unit++)
        if (config->units[unit].latency > LEGACY_WHEEL - 8)
            return limits_too_many(err, "trace_opcode_latency_initiation_*",
                                   config->units[unit].latency, LEGACY_WHEEL - 8);
    if (check_widths(config, err) != 0 || check_constants(&spec->code, err) != 0)
        return -1;
    set_pipes(own, config, own->sub_cores ? spec->schedulers : 1);
    return set_collectors(own, options, spec->schedulers, err);
}
