/* Launches made by hand that a method samples inside: one SM, of which a launch can be known by
 * its full simulation. */
#ifndef HEARTH_TESTS_SAMPLING_INTRA_SAMPLED_H
#define HEARTH_TESTS_SAMPLING_INTRA_SAMPLED_H

#include "sampling/intra/intra.h"
#include "tests/sim/support.h"

struct sampled {
    struct sim_result full, result;
    struct intra_outcome outcome;
};

/* TEXT in full, and by METHOD. */
struct sampled sample_launch(const struct launch_text *text, const char *method);
/* By how much the cycles are wrong, relative. */
double sampled_error(const struct sampled *sampled);

/* The blocks of an SM at once, as test_config() has it. */
uint64_t launch_places(const struct launch_text *text);

/* Executes the launch with HOOKS. */
struct sim_result launch_hooked(const struct launch_text *text, const struct sim_hooks *hooks);

#endif
