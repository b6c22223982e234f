/* What SMs must know of a launch whose blocks they take. All share one and only read it. */
#ifndef HEARTH_SIM_CORE_LAUNCH_H
#define HEARTH_SIM_CORE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/core/coalesce.h"
#include "sim/core/code/code_place.h"
#include "sim/core/inst.h"
#include "traces/traces.h"

/* What a block takes of an SM. */
struct sm_needs {
    uint32_t warps, regs, shmem; /* registers of all its threads; bytes */
};

/* What an SM reports of a launch. */
struct sm_report {
    uint64_t ended;     /* blocks, timed ones included */
    uint64_t last_end;  /* cycle in which the last of them ended; 0: none has */
    uint64_t let_go;    /* blocks that have let the next launch begin, or ended, */
    uint64_t last_go;   /* and when the last of them did */
    struct error error; /* of a warp's instructions that could not be read */
};

struct tensor_maps;

struct sm_launch {
    const struct inst_table *insts;
    const struct trace_kernel *kernel;
    const struct trace_header *header; /* of it */
    struct sm_needs needs;             /* of a block */
    uint32_t blocks_max;               /* an SM at once */
    uint32_t l1_ways;                  /* that the launch's blocks leave */
    bool l1_on_fill;                   /* L1 takes lines when data come, not at the miss */
    struct local_layout local;         /* of local memory */
    struct code_place code;
    bool makes_barriers; /* in shared memory, by the machine code */
    uint32_t cluster;    /* blocks of a cluster; 1: none, or not known */
    const struct tensor_maps *maps;
    uint64_t waits_until; /* cycle from which warps that wait for the end of earlier launches
                           * (ACQBULK) go on; UINT64_MAX: that is not known yet. It changes
                           * between two runs of an SM only */
    uint64_t number;      /* of the launch since the simulator began, from 1 */
    uint32_t slot;        /* under which its events are counted; no other running launch's */
    struct sm_report *reports; /* of each SM; only that SM writes it */
};

#endif
