/* Traces a synthetic workload with the tracer's options from the environment:
 *   feed NAME SCALE [SEED [RESIDENT [CONTEXTS [REPEATS]]]]
 * With FEED_SETS in the environment, its copies from the host become memsets; with FEED_OPEN
 * no launch ends before the workload does. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/tracer/feed.h"

static const char *get_variable(const char *name)
{
    return getenv(name);
}

int main(int argc, char **argv)
{
    struct tracer_options options;
    struct error err = {0};
    struct feed_options feed = {0};
    if (argc < 3)
        return ERROR_USAGE;
    feed.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    feed.resident = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
    feed.contexts = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
    feed.repeats = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 10) : 0;
    feed.sets = getenv("FEED_SETS") != NULL;
    feed.open = getenv("FEED_OPEN") != NULL;
    struct tracer *tracer = NULL;
    if (tracer_options_read(&options, get_variable, &err) == 0) {
        feed.memory = options.mode == TRACER_MEMORY;
        tracer = tracer_create(&options, "1.7.7.1", &err);
    }
    if (tracer != NULL && feed_run(tracer, argv[1], strtod(argv[2], NULL), &feed, &err) == 0)
        tracer_finish(tracer, &err);
    tracer_destroy(tracer);
    if (err.kind != ERROR_NONE)
        fprintf(stderr, "feed: %s\n", err.text);
    return (int)err.kind;
}
