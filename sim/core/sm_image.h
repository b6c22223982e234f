/* An SM to and from an image, see sim/image.h. */
#ifndef HEARTH_SIM_CORE_SM_IMAGE_H
#define HEARTH_SIM_CORE_SM_IMAGE_H

#include "sim/core/sm.h"
#include "sim/image.h"

/* SM is idle, between two launches; the image fails if it is not. */
void sm_image(struct sm *sm, struct image *image);

#endif
