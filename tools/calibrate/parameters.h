/* What became of each rule. */
#ifndef HEARTH_TOOLS_CALIBRATE_PARAMETERS_H
#define HEARTH_TOOLS_CALIBRATE_PARAMETERS_H

#include "tools/calibrate/fit.h"
#include "tools/calibrate/trials.h"

enum parameter_end {
    PARAMETER_MISSING,   /* rows are missing, or have no cycles */
    PARAMETER_SET,       /* the rows say this value */
    PARAMETER_AT_LIMIT,  /* no value reaches the measured cycles; this one is nearest */
    PARAMETER_NO_EFFECT, /* the model does not have this mechanism here */
};

struct parameter {
    const struct calibrate_rule *rule;
    enum parameter_end end;
    char before[32], after[32]; /* values, as text */
    const char *column;         /* that the measured cycles come from; NULL: none */
    double measured, simulated; /* cycles, with the final value; NaN: none */
    double step;                /* cycles that a step of the value changes */
};

/* Works out all rules: ITEMS has room for calibrate_rule_count. The settings of TRIALS are
 * those of the card, then the new ones. TELL (NULL: nobody) is called before each rule. Returns
 * 0, or -1 with ERR filled, or the exit code after a signal. */
int parameters_find(struct parameter *items, struct trials *trials,
                    void (*tell)(const struct calibrate_rule *rule), struct error *err);

#endif
