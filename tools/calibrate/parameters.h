/* What became of each rule. */
#ifndef HEARTH_TOOLS_CALIBRATE_PARAMETERS_H
#define HEARTH_TOOLS_CALIBRATE_PARAMETERS_H

#include "tools/calibrate/fit.h"
#include "tools/calibrate/trials.h"

enum parameter_end {
    PARAMETER_OTHER_CORE, /* the configuration's core model does not have this option */
    PARAMETER_MISSING,    /* rows are missing, or have no cycles */
    PARAMETER_SET,        /* the rows say this value */
    PARAMETER_AT_LIMIT,   /* no value reaches the measured cycles; this one is nearest */
    PARAMETER_NO_EFFECT,  /* the model does not have this mechanism here */
};

struct parameter {
    const struct calibrate_rule *rule;
    enum parameter_end end;
    char before[32], after[32]; /* values, as text */
    const char *column;         /* that the measured cycles come from; NULL: none */
    double measured, simulated; /* cycles, with the final value; NaN: none */
    double least, most;         /* of the measured cycles, in two runs */
    double step;                /* cycles that a step of the value changes; 0: unknown */
    char compared[32];          /* value that fits better than that of the card */
};

/* Works out the value of PARAMETER, whose `rule` is set, for the first time. The settings of
 * TRIALS get it. Returns 0, or -1 with ERR filled, or the exit code after a signal. */
int parameter_find(struct parameter *parameter, struct trials *trials, struct error *err);

/* Works it out again if it no longer fits, now that others have changed. */
int parameter_refine(struct parameter *parameter, struct trials *trials, struct error *err);

#endif
