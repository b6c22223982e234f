/* Cubins, what compilers make of kernels: the functions in them. */
#ifndef HEARTH_TRACES_FUNCTIONS_CUBIN_H
#define HEARTH_TRACES_FUNCTIONS_CUBIN_H

#include "traces/base/error.h"
#include "traces/function.h"

/* Who gets the functions of a cubin. */
struct cubin_taker {
    bool (*wanted)(void *data, const char *name);
    /* Takes FUNCTION over, also on failure; VERSION is that of the GPU, 90 = sm_90. Returns
     * false when memory ran out. */
    bool (*take)(void *data, struct trace_function *function, uint32_t version);
    void *data;
};

/* Gives TAKER the functions that it wants of the cubin of SIZE bytes at DATA; NAME is for
 * messages. Returns 0 or -1. */
int cubin_read(const uint8_t *data, size_t size, const char *name,
               const struct cubin_taker *taker, struct error *err);

#endif
