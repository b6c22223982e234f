// The kernels of nvbit_app.
#ifndef HEARTH_TESTS_TRACER_NVBIT_NVBIT_KERNELS_H
#define HEARTH_TESTS_TRACER_NVBIT_NVBIT_KERNELS_H

#include "tracer/stub/driver.h"

// Some of everything, in a loop of two turns. In odd blocks every other thread leaves at once.
void make_walker(CUfunc_st &func, const char *name);
// EXITs with predicate operands.
void make_leaver(CUfunc_st &func, const char *name);

// Barriers whose numbers and threads are in registers.
void make_meeter(CUfunc_st &func, const char *name);

// Copies to shared memory, loads of constants by an index, barriers in memory.
void make_copier(CUfunc_st &func, const char *name);

// The lanes of MASK that execute STEP, and leave where it is an EXIT.
uint32_t mask_of(const CUfunc_st &func, const Step &step);

#endif
