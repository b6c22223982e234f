/* The bundled configurations, a line each. */
#ifndef HEARTH_TOOLS_COMMANDS_CARDS_H
#define HEARTH_TOOLS_COMMANDS_CARDS_H

#include <stdio.h>

#include "traces/base/error.h"

/* Writes name, SMs, clocks, L2, memory bandwidth, what is known of how it compares
 * with the hardware, and the card, of each. */
int cards_list(FILE *out, struct error *err);

#endif
