/* The functions of a workload, read when they are first asked for. */
#ifndef HEARTH_TRACES_FUNCTIONS_FUNCTIONS_CACHE_H
#define HEARTH_TRACES_FUNCTIONS_FUNCTIONS_CACHE_H

#include <pthread.h>

#include "traces/functions/functions.h"

struct functions_cache {
    pthread_mutex_t lock; /* kernels of several threads share it */
    bool read;
    struct functions functions;
};

void functions_cache_init(struct functions_cache *cache);
void functions_cache_finish(struct functions_cache *cache);

/* NULL when memory ran out. */
struct functions_cache *functions_cache_create(void);
/* Accepts NULL. */
void functions_cache_destroy(struct functions_cache *cache);

/* The functions, which LOAD reads out of DATA at the first call. NULL on error. */
const struct functions *functions_cache_get(struct functions_cache *cache,
                                            int (*load)(const void *data,
                                                        struct functions *functions,
                                                        struct error *err),
                                            const void *data, struct error *err);

#endif
