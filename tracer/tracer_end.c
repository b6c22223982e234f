/* The ends of launches, of regions, and of the tracer. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tracer/output/tables.h"
#include "tracer/tracer_state.h"

/* Completes LAUNCH, the first of CONTEXT. */
static int complete(struct traced_launch *launch, struct tracer_gpu_context *context,
                    struct error *err)
{
    if (launch->files == SELECT_NONE)
        return tables_profile(&context->output, &launch->header, &launch->counts, err);
    return launch_write(launch, &context->output, err);
}

/* Writes launches in order up to the first that has not ended. An output error takes
 * precedence over reports of damaged launches. */
static int write_ended(struct tracer *tracer, struct tracer_gpu_context *context,
                       struct error *err)
{
    struct traced_launch *launch;
    int rc = 0;
    while (!tracer->failed && (launch = context->first) != NULL && launch->ended) {
        if (tracer_done(tracer, complete(launch, context, err)) != 0)
            return -1;
        context->first = launch->next;
        struct tracer_states *states = context->output.states;
        if (launch_report(launch, tracer->options, err) != 0 ||
            (states != NULL && tracer_states_report(states, err) != 0))
            rc = -1;
        launch_destroy(launch);
    }
    return rc;
}

/* Takes launch NUMBER, which ends. Returns 1, 0 if nothing of it is wanted, or -1 with ERR. */
static int take_ending(struct tracer *tracer, uint32_t number, struct traced_launch **launch,
                       struct error *err)
{
    if (tracer->failed || numbers_are_ignored(&tracer->numbers, number))
        return 0;
    *launch = tracer_find(tracer, number);
    tracer->found = NULL; /* it will be freed */
    return *launch != NULL ? 1
                           : error_set(err, ERROR_TRACE, NULL, 0, 0,
                                       "launch %u is not being traced", number);
}

int tracer_end_launch(struct tracer *tracer, uint32_t number, struct error *err)
{
    struct traced_launch *launch;
    if (tracer->record != NULL)
        tracer_record_end(tracer->record, number);
    int taken = take_ending(tracer, number, &launch, err);
    if (taken <= 0)
        return taken;
    launch->ended = true;
    return write_ended(tracer, &tracer->contexts[launch->context], err);
}

/* Takes LAUNCH, of which nothing has been written, out of its context. */
static void take_out(struct tracer_gpu_context *context, struct traced_launch *launch)
{
    struct traced_launch **at = &context->first;
    while (*at != launch)
        at = &(*at)->next;
    *at = launch->next;
    launch_destroy(launch);
}

int tracer_drop_launch(struct tracer *tracer, uint32_t number, struct error *err)
{
    struct traced_launch *launch;
    if (tracer->record != NULL)
        tracer_record_drop(tracer->record, number);
    int taken = take_ending(tracer, number, &launch, err);
    if (taken <= 0)
        return taken;
    struct tracer_gpu_context *context = &tracer->contexts[launch->context];
    launch->dropped = true;
    /* What has begun in the output, or holds copies, stays as an empty one. */
    if (launch->writing || launch->copy_count > 0)
        launch->ended = true;
    else
        take_out(context, launch);
    return write_ended(tracer, context, err);
}

void tracer_region(struct tracer *tracer, bool active)
{
    if (tracer->record != NULL)
        tracer_record_region(tracer->record, active);
    if (!tracer->options->active_from_start)
        tracer->selection.active = active;
}

bool tracer_is_over(const struct tracer *tracer)
{
    return tracer->options->terminate && tracer->over;
}

/* The first launch of CONTEXT never ended. */
static int report_open(const struct tracer_gpu_context *context, struct error *err)
{
    return error_set(err, ERROR_TRACE, NULL, 0, 0, "launch %" PRIu64 ", %s, did not end",
                     context->first->header.id, context->first->header.name);
}

/* An error in it does not touch the traces. */
static int close_record(struct tracer *tracer, struct error *err)
{
    FILE *record = tracer->record;
    tracer->record = NULL;
    if (record == NULL || fclose(record) == 0)
        return 0;
    return error_set(err, ERROR_OUTPUT, tracer->options->record, 0, 0, "%s", strerror(errno));
}

int tracer_finish(struct tracer *tracer, struct error *err)
{
    int rc = close_record(tracer, err);
    for (uint32_t c = 0; !tracer->failed && c < tracer->context_count; c++) {
        struct tracer_gpu_context *context = &tracer->contexts[c];
        if (context->first != NULL)
            rc = report_open(context, err);
        else if (output_end(&context->output, err) != 0)
            rc = tracer_done(tracer, -1);
    }
    return rc;
}
