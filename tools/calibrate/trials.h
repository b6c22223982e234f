/* Trials: simulations of launches of the calibration trace with the values so far. */
#ifndef HEARTH_TOOLS_CALIBRATE_TRIALS_H
#define HEARTH_TOOLS_CALIBRATE_TRIALS_H

#include "tools/calibrate/measured_rows.h"
#include "tools/calibrate/rules.h"
#include "tools/calibrate/trial_memory.h"

/* The value of an option that a rule sets. */
struct trials_setting {
    const char *option;
    char text[256]; /* "OPTION=VALUE" */
};

struct trials {
    const char *card, *trace; /* the caller's: the configuration to start from; launches */
    const char *trace_name;   /* of the launches, in messages; likewise */
    const struct measured_rows *rows; /* the caller's: they name the launches */
    char *core;                       /* the core model of the configuration; owned */
    struct trials_setting *settings;  /* owned */
    size_t count;
    struct trial_memory *memory; /* the caller's: of what was simulated, for all copies */
};

/* Of each rule, the setting is the value that the card has. Returns 0, or -1 with ERR filled (a
 * card that cannot be read: ERROR_USAGE); trials_finish() either way. */
int trials_init(struct trials *trials, struct error *err);
void trials_finish(struct trials *trials);
/* Makes COPY, for another thread, which has settings of its own; all else is FROM's, which must
 * outlive it. Returns 0, or -1 without memory; trials_finish_copy() either way. */
int trials_copy(struct trials *copy, const struct trials *from, struct error *err);
void trials_finish_copy(struct trials *copy);

/* The value that RULE sets, as text in BUFFER. */
const char *trials_value(const struct trials *trials, const struct calibrate_rule *rule,
                         char *buffer, size_t size);
/* Sets it; VALUE is a number. */
void trials_set(struct trials *trials, const struct calibrate_rule *rule, double value);

/* Simulates the launches of RULE, unless that was done with these settings before. Stores the
 * cycles of `plus` less those of `minus` in *CYCLES. Returns 0, or -1 with ERR filled, the exit
 * code after a signal. */
int trials_run(struct trials *trials, const struct calibrate_rule *rule, double *cycles,
               struct error *err);

/* The configuration with all settings, which the caller destroys; NULL with ERR filled. */
struct sim_config *trials_config(const struct trials *trials, struct error *err);

#endif
