#include "traces/text/source_pipe.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct source_pipe {
    char *name;
    struct source source; /* unless `taken` */
    atomic_flag taken;
};

struct source_pipe *source_pipe_create(struct source *source, struct error *err)
{
    struct source_pipe *pipe = calloc(1, sizeof *pipe);
    if (pipe == NULL || (pipe->name = strdup(source->name)) == NULL) {
        error_no_memory_for(err, ERROR_TRACE, source->name);
        source_finish(source);
        free(pipe);
        return NULL;
    }
    pipe->source = *source;
    return pipe;
}

void source_pipe_destroy(struct source_pipe *pipe)
{
    if (pipe == NULL)
        return;
    source_finish(&pipe->source);
    free(pipe->name);
    free(pipe);
}

int source_pipe_take(struct source_pipe *pipe, struct source *source, struct error *err)
{
    if (atomic_flag_test_and_set(&pipe->taken))
        return error_set(err, ERROR_TRACE, pipe->name, 0, 0,
                         "a pipe can be read only once: write the trace to a file");
    *source = pipe->source;
    pipe->source = (struct source){0};
    return 0;
}

void source_pipe_give_back(struct source_pipe *pipe, struct source *source)
{
    if (!source_rewind(source))
        return;
    pipe->source = *source;
    *source = (struct source){0};
    atomic_flag_clear(&pipe->taken);
}
