/* Values that follow from counters, made from the table derived.def. */
#ifndef HEARTH_SIM_STATS_DERIVED_H
#define HEARTH_SIM_STATS_DERIVED_H

#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/stats/counters.h"

/* What the model of a configuration can do at most. */
struct sim_peaks {
    uint32_t sms;
    uint32_t schedulers; /* of all SMs */
    uint32_t warps;      /* that an SM can hold */
    double core_hz;
    double l1_bytes;   /* of the banks of all L1, a core cycle; 0 without L1 */
    double l2_bytes;   /* of all slices' data ports, a core cycle; 0 without L2 */
    double dram_bytes; /* of all channels' data pins, a core cycle */
};

struct sim_peaks sim_peaks_of(const struct sim_config *config);

enum sim_derived_index {
#define DERIVED(name, unit, description, nsight, numerator, denominator) SIM_DERIVED_##name,
#include "sim/stats/derived.def"
#undef DERIVED
    SIM_DERIVED_COUNT
};

/* One line of the table, for outputs. */
struct sim_derived {
    const char *name, *unit, *description;
    const char *nsight; /* as in struct sim_counter */
    double (*get)(const struct sim_counters *counters, uint64_t cycles, uint64_t gap,
                  const struct sim_peaks *peaks);
    /* PARTS gets numerator and denominator: those of several launches are their sums. */
    void (*parts)(const struct sim_counters *counters, uint64_t cycles, uint64_t gap,
                  const struct sim_peaks *peaks, double parts[2]);
};

extern const struct sim_derived sim_derived_table[SIM_DERIVED_COUNT];

#endif
