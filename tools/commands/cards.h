/* The bundled configurations, one line each. */
#ifndef HEARTH_TOOLS_COMMANDS_CARDS_H
#define HEARTH_TOOLS_COMMANDS_CARDS_H

#include <stdio.h>

#include "traces/base/error.h"

/* Writes for each: name, SMs, clocks, L2, memory bandwidth, how it compares with the hardware,
 * and the card. */
int cards_list(FILE *out, struct error *err);

#endif
