/* An SM to and from the image of a checkpoint (checkpoint.c, and traces/base/serialize.h). */
#ifndef HEARTH_SIM_STATE_SERIALIZE_SM_H
#define HEARTH_SIM_STATE_SERIALIZE_SM_H

#include "sim/core/sm.h"
#include "traces/base/serialize.h"

/* SM must be idle, between two launches; otherwise the image fails. */
void sm_serialize(struct sm *sm, struct serializer *image);

#endif
