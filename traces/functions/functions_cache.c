#include "traces/functions/functions_cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/base/files/paths.h"

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

int functions_load_folder(const void *folder, struct functions *functions, struct error *err)
{
    struct source source;
    char *path = paths_join(folder, FUNCTIONS_FILE);
    if (path == NULL)
        return error_no_memory_for(err, ERROR_TRACE, folder);
    char *other = source_other_name(path);
    int rc = 0;
    if (access(path, F_OK) == 0 || other != NULL) {
        rc = source_open_listed(&source, path, err);
        if (rc == 0) {
            rc = functions_read(functions, &source, true, err);
            source_finish(&source);
        }
    }
    free(other);
    free(path);
    return rc;
}
