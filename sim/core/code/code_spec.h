/* What the caches of instructions and constants are: fixed by the configuration. */
#ifndef HEARTH_SIM_CORE_CODE_CODE_SPEC_H
#define HEARTH_SIM_CORE_CODE_CODE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#define CODE_MAX_STREAM    64
#define CODE_MAX_SUB_CORES 8

struct code_spec {
    bool fetches, constants; /* what is modelled: instructions, constants; neither: no caches */
    uint32_t line;           /* bytes, power of two; that of all levels but `loads` */
    uint32_t sub_cores;      /* each has an L0 */
    uint32_t l0_sets, l0_ways; /* of one L0; sets of all levels: power of two */
    uint32_t stream;           /* lines of a stream buffer; 0: none */
    uint32_t l1_sets, l1_ways;
    uint32_t
        l1_latency; /* core cycles from a miss in L0 to the line, if L1 has it; at least 1 */
    uint32_t l1_requests;        /* a cycle, at least 1 */
    uint32_t gcc_sets, gcc_ways; /* gcc_ways 0: there is none */
    uint32_t gcc_latency;        /* more than a hit in L1 takes */
    uint32_t l0_latency;         /* of a hit in an L0 behind a jump; 0: it takes no time */
    uint32_t l0_recent;          /* but for that many lines, the last ones */
    uint32_t l0_requests;  /* lines that an L0 and its stream have on their way; 0: no limit */
    uint32_t l0_interval;  /* cycles from a line that an L0 gets to the next; 0: no limit */
    uint32_t gcc_interval; /* the same of lines that L1 gets from behind it */
    uint32_t ahead;        /* bytes of a function's begin that launches bring to the GCC */
    uint32_t ahead_interval; /* from one line of that to the next, if the GCC lacks it */
    uint32_t miss_latency;   /* of a miss in the last of these, more than a hit there takes */
    uint32_t load_latency;   /* yet more, in the first launch of a function */
    uint32_t l2_latency; /* not 0: instead of both, L2 is asked, and a line comes so many cycles
                          * after its answer */
    uint32_t
        cold_latency; /* from the begin of a launch to its first line, if the place is cold */
    uint32_t cold_interval;  /* from one line that such a launch brings to the next */
    uint32_t cold_constants; /* from the begin of such a launch to its parameters */
    uint32_t late_constants; /* the same if only they come from DRAM */
    uint32_t far_constants; /* more than either, to SMs that are near to the other half of L2 */
    uint32_t cold_fetch;    /* more that constant_fetch takes in such a launch */
    uint32_t gcc_stream;    /* lines that the GCC asks L2 for ahead */
    uint32_t near_latency;  /* as l1_latency, for constants */
    uint32_t param_latency; /* the same, for parameters */
    uint32_t constant_interval; /* of the GCC, between lines of parameters; 0: no limit */
    uint32_t constant_latency;  /* yet more than miss_latency, for constants */
    uint32_t
        constant_fetch; /* bytes that an LDC's miss in L1 brings there; 0: a line, as above */
    uint32_t constant_fetch_latency;             /* what that takes more than a hit in L1 */
    uint32_t loads_sets, loads_ways, loads_line; /* of the cache for LDC; 0: there is none */
    uint32_t
        loads_ahead; /* bytes of bank 0, from the second line on, that launches bring there */
    uint32_t operands_ways; /* of a sub-core's cache of constant operands: one set */
};

#endif
