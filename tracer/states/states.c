#define _GNU_SOURCE /* asprintf */
#include "tracer/states/states.h"

#include <inttypes.h>
#include <stdlib.h>

struct tracer_states {
    struct state_worker *worker;
    char *folder;            /* of the states of the first configuration */
    struct trace_sink *sink; /* of the launch that is being written; NULL: none */
    char *path;              /* of it */
    uint64_t id;
    bool failed, told;
    struct error error;
};

struct tracer_states *tracer_states_create(const struct state_configs *configs,
                                           const char *folder, const char *infix,
                                           struct error *err)
{
    struct tracer_states *states = calloc(1, sizeof *states);
    if (states == NULL || asprintf(&states->folder, "%s/states%s", folder, infix) < 0) {
        free(states);
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    states->worker = state_worker_create(configs, states->folder, err);
    if (states->worker != NULL)
        return states;
    tracer_states_destroy(states);
    return NULL;
}

/* Forgets the file of the launch in hand, which is not complete. */
static void drop_sink(struct tracer_states *states)
{
    trace_sink_destroy(states->sink);
    free(states->path);
    states->sink = NULL;
    states->path = NULL;
}

void tracer_states_destroy(struct tracer_states *states)
{
    if (states == NULL)
        return;
    drop_sink(states);
    state_worker_destroy(states->worker);
    free(states->folder);
    free(states);
}

void tracer_states_fail(struct tracer_states *states, struct error *err)
{
    if (!states->failed)
        states->error = *err;
    states->failed = true;
    *err = (struct error){0};
    drop_sink(states);
}

/* Whether there are no states any more. */
static bool is_over(struct tracer_states *states)
{
    struct error err = {0};
    if (!states->failed && state_worker_failed(states->worker, &err))
        tracer_states_fail(states, &err);
    return states->failed;
}

static struct trace_sink *open_sink(struct tracer_states *states,
                                    const struct trace_header *header, struct error *err)
{
    const struct trace_writer_options quick = {.level = 1, .replace = true};
    if (asprintf(&states->path, "%s/launch-%" PRIu64 ".packed", states->folder, header->id) <
        0) {
        states->path = NULL;
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    states->id = header->id;
    states->sink = trace_packed_sink_create(states->path, "for states", &quick, err);
    const struct trace_sink_ops *ops = states->sink != NULL ? states->sink->ops : NULL;
    if (ops != NULL && ops->begin(states->sink, "NVBit", err) == 0 &&
        ops->begin_launch(states->sink, header, NULL, true, err) == 0)
        return states->sink;
    return NULL;
}

struct trace_sink *tracer_states_begin(struct tracer_states *states,
                                       const struct trace_header *header)
{
    struct error err = {0};
    if (is_over(states))
        return NULL;
    struct trace_sink *sink = open_sink(states, header, &err);
    if (sink == NULL)
        tracer_states_fail(states, &err);
    return sink;
}

void tracer_states_end_launch(struct tracer_states *states, bool save, bool execute)
{
    struct error err = {0};
    if (states->sink == NULL)
        return;
    const struct trace_sink_ops *ops = states->sink->ops;
    const struct state_launch launch = {states->path, states->id, save, execute};
    if (ops->end_launch(states->sink, &err) != 0 || ops->end(states->sink, &err) != 0) {
        tracer_states_fail(states, &err);
        return;
    }
    states->path = NULL;
    drop_sink(states);
    if (state_worker_launch(states->worker, &launch, &err) != 0)
        tracer_states_fail(states, &err);
}

void tracer_states_copy(struct tracer_states *states, uint64_t address, uint64_t bytes,
                        bool on_device)
{
    struct error err = {0};
    if (!is_over(states) &&
        state_worker_copy(states->worker, address, bytes, on_device, &err) != 0)
        tracer_states_fail(states, &err);
}

void tracer_states_wait(struct tracer_states *states)
{
    state_worker_wait(states->worker);
}

int tracer_states_report(struct tracer_states *states, struct error *err)
{
    if (!is_over(states) || states->told)
        return 0;
    states->told = true;
    return error_set(err, ERROR_TRACE, NULL, 0, 0, "there are no further states: %s",
                     states->error.text);
}
