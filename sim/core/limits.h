/* What a core of this model holds at most. */
#ifndef HEARTH_SIM_CORE_LIMITS_H
#define HEARTH_SIM_CORE_LIMITS_H

#define SM_MAX_WARPS      64
#define SM_MAX_BLOCKS     64
#define SM_MAX_SCHEDULERS 8

#endif
