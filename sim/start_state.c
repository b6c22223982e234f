/* The phase of the parts of the GPU that have no contents, when a launch starts. */
#include "sim/start_state.h"

#include "sim/simulator.h"

/* A number that looks like chance, the same for the same PHASE and PLACE. */
static uint32_t chance(uint32_t phase, uint32_t place)
{
    uint32_t mix = phase * 0x9E3779B9u ^ (place + 1) * 0x85EBCA6Bu;
    mix = (mix ^ mix >> 15) * 0x2C1B3C6Du;
    return mix ^ mix >> 13;
}

/* Leaves the banks of CHANNEL, which has nothing to do, as other work would have: about half of
 * them with a row open that this launch did not ask for. */
static void open_rows(struct dram *dram, uint32_t channel, uint32_t phase)
{
    for (uint32_t b = 0; b < dram->spec.timing.banks; b++) {
        uint32_t row = chance(phase, channel * 64 + b);
        dram_leave_row(dram, b, row & 1, row >> 8 & 0x3FFF);
    }
}

/* Refreshes are somewhere in their interval, the same in all channels. */
static void scatter_refresh(struct sim *sim, uint32_t phase)
{
    uint32_t interval = sim->engine.spec.dram.refresh_interval;
    if (interval == 0)
        return;
    uint32_t passed = chance(phase, sim->engine.spec.clusters + 1) % interval;
    for (uint32_t p = 0; p < sim->engine.spec.channels; p++) {
        struct partition *partition = &sim->engine.partitions[p];
        dram_restart_refresh(&partition->dram, partition->dram_clock.tick, passed);
    }
}

/* Other work leaves each output's turn with another input. */
static void scatter_turns(struct xbar *xbar, uint32_t phase)
{
    for (uint32_t o = 0; o < xbar->spec.outputs; o++)
        xbar_set_turn(xbar, o, chance(phase, o) % xbar->spec.nodes);
}

static uint32_t some_turn(const struct sim *sim, uint32_t phase)
{
    return chance(phase, sim->engine.spec.clusters) % sim->engine.spec.clusters;
}

/* PLACED: the block scheduler's position is known. */
static void scatter(struct sim *sim, uint32_t phase, bool placed)
{
    struct engine *engine = &sim->engine;
    if (!placed)
        sim->last_turn = some_turn(sim, phase);
    scatter_turns(&engine->request, phase);
    scatter_turns(&engine->reply, phase);
    for (uint32_t s = 0; s < engine->spec.sms; s++)
        sm_scatter(engine->sms[s], chance(phase, s));
    for (uint32_t p = 0; p < engine->spec.channels; p++)
        open_rows(&engine->partitions[p].dram, p, phase);
    scatter_refresh(sim, phase);
}

/* Advances, with memory at rest, to PHASE cycles after a cycle in which all clocks tick. These
 * cycles count for no launch. Sets anew which slice of each channel has the next turn at DRAM.
 */
static void go_to_phase(struct sim *sim, uint32_t phase)
{
    struct engine *engine = &sim->engine;
    sim_come_to_rest(sim);
    for (uint32_t p = 0; p < engine->spec.channels; p++) {
        struct partition *partition = &engine->partitions[p];
        partition_restart_clocks(partition, sim->now);
        partition_set_turn(partition, chance(phase, p) % partition->spec.slices);
    }
    xbar_restart(&engine->request, sim->now);
    xbar_restart(&engine->reply, sim->now);
    engine_begin_sweeps(engine, sim->now);
    sim->now += phase;
}

/* The phase of LAUNCH with -hearth_start_phase PHASE. */
static uint32_t phase_of(uint32_t phase, uint64_t launch)
{
    return phase + 64 * (uint32_t)launch;
}

void start_state_place(struct sim *sim, uint64_t launch)
{
    uint32_t phase = sim->config->options.hearth_start_phase;
    if (phase != 0)
        sim->last_turn = some_turn(sim, phase_of(phase, launch));
}

void start_state_take_turns(struct sim *sim, uint64_t launch)
{
    const struct sim_options *options = &sim->config->options;
    uint32_t phase = options->hearth_start_phase;
    bool untimed = sim->untimed && options->hearth_scatter_turns;
    sim->untimed = false;
    if (phase != 0)
        go_to_phase(sim, phase);
    if (phase != 0 || (untimed && !engine_busy(&sim->engine)))
        scatter(sim, phase_of(phase, launch), phase == 0 && sim_keeps_l1(sim));
}
