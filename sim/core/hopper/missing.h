/* Instructions of which the models leave something out: those that take their issue slot and
 * unit only, and those that are refused. */
#ifndef HEARTH_SIM_CORE_HOPPER_MISSING_H
#define HEARTH_SIM_CORE_HOPPER_MISSING_H

#include <stdbool.h>

/* What is left out of the dotted OPCODE; NULL: nothing that is known. UNSEEN: the trace does
 * not say what some copies of the launch move. IN_TURN: launches begin one after the other, as
 * the trace does not say which are programmatic, or the model does not overlap them. */
const char *missing_part(const char *opcode, bool unseen, bool in_turn);

/* Whether OPCODE is a product of a group of warps with a sparse operand, for whose time there
 * is no source: a core that models products refuses it. */
bool missing_sparse(const char *opcode);

#endif
