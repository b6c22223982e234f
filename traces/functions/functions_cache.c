#include "traces/functions/functions_cache.h"

#include <stdlib.h>

void functions_cache_init(struct functions_cache *cache)
{
    *cache = (struct functions_cache){0};
    pthread_mutex_init(&cache->lock, NULL);
}

void functions_cache_finish(struct functions_cache *cache)
{
    functions_finish(&cache->functions);
    pthread_mutex_destroy(&cache->lock);
}

struct functions_cache *functions_cache_create(void)
{
    struct functions_cache *cache = malloc(sizeof *cache);
    if (cache != NULL)
        functions_cache_init(cache);
    return cache;
}

void functions_cache_destroy(struct functions_cache *cache)
{
    if (cache == NULL)
        return;
    functions_cache_finish(cache);
    free(cache);
}

const struct functions *functions_cache_get(struct functions_cache *cache,
                                            int (*load)(const void *data,
                                                        struct functions *functions,
                                                        struct error *err),
                                            const void *data, struct error *err)
{
    pthread_mutex_lock(&cache->lock);
    if (!cache->read) {
        cache->read = load(data, &cache->functions, err) == 0;
        if (!cache->read)
            functions_finish(&cache->functions);
    }
    bool read = cache->read;
    pthread_mutex_unlock(&cache->lock);
    return read ? &cache->functions : NULL;
}
