/* An SM to and from the image of a checkpoint (checkpoint.c, and traces/base/serialize.h). */
#ifndef HEARTH_SIM_STATE_SERIALIZE_SM_H
#define HEARTH_SIM_STATE_SERIALIZE_SM_H

#include "sim/core/sm.h"
#include "traces/base/serialize.h"

/* SM is idle, between two launches; the image fails if it is not. */
void sm_serialize(struct sm *sm, struct serializer *image);

#endif
