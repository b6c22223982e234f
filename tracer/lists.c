/* Lines of the list between launches: copies and comments. */
#include <stdlib.h>
#include <string.h>

#include "tracer/tracer_state.h"

/* The launch of CONTEXT after which lines of the list are written; NULL: they are written now.
 */
static struct traced_launch *last_open(const struct tracer *tracer, uint32_t context)
{
    struct traced_launch *last = tracer->contexts[context].first;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last;
}

/* Where lines of CONTEXT's list go; NULL if nowhere. */
static struct trace_sink *list_of(const struct tracer *tracer, uint32_t context)
{
    bool wanted = !tracer->failed && tracer->selection.active;
    return wanted ? tracer->contexts[context].output.main : NULL;
}

/* Where a copy of CONTEXT goes before any launch: into its list, SINK, if that is wanted, and
 * to the states. */
static int copy_now(struct tracer *tracer, uint32_t context, struct trace_sink *sink,
                    const struct late_copy *copy, struct error *err)
{
    if (sink != NULL &&
        sink->ops->copy(sink, copy->to_host, copy->address, copy->bytes, err) != 0)
        return -1;
    if (!copy->to_host)
        output_copy(&tracer->contexts[context].output, copy->address, copy->bytes, false);
    return 0;
}

int tracer_copy(struct tracer *tracer, uint32_t context, bool to_host, uint64_t address,
                uint64_t bytes, struct error *err)
{
    if (tracer_check_context(tracer, context, err) != 0)
        return -1;
    struct trace_sink *sink = list_of(tracer, context);
    struct traced_launch *last = last_open(tracer, context);
    if (tracer->record != NULL)
        tracer_record_copy(tracer->record, context, to_host, address, bytes);
    if (tracer->failed || (sink == NULL && tracer->contexts[context].output.states == NULL))
        return 0;
    const struct late_copy copy = {
        .to_host = to_host, .listed = sink != NULL, .address = address, .bytes = bytes};
    return tracer_done(tracer, last == NULL ? copy_now(tracer, context, sink, &copy, err)
                                            : launch_add_copy(last, &copy, err));
}

/* The same of a line. */
static int note_now(struct tracer *tracer, uint32_t context, struct trace_sink *sink,
                    const char *text, const struct late_copy *note, struct error *err)
{
    if (sink != NULL && sink->ops->line(sink, text, err) != 0)
        return -1;
    if (note->on_device)
        output_copy(&tracer->contexts[context].output, note->address, note->bytes, true);
    return 0;
}

int tracer_note(struct tracer *tracer, uint32_t context, const char *text, struct error *err)
{
    if (tracer_check_context(tracer, context, err) != 0)
        return -1;
    if (strncmp(text, "# ", 2) != 0 || strpbrk(text, "\r\n") != NULL)
        return error_set(
            err, ERROR_TRACE, NULL, 0, 0,
            "a note is not a comment: it does not begin with \"# \", or has several lines");
    struct trace_sink *sink = list_of(tracer, context);
    struct traced_launch *last = last_open(tracer, context);
    if (tracer->record != NULL)
        tracer_record_note(tracer->record, context, text);
    struct late_copy note = {.listed = sink != NULL};
    note.on_device = tracer->contexts[context].output.states != NULL &&
                     trace_note_written(text, &note.address, &note.bytes);
    if (tracer->failed || (!note.listed && !note.on_device))
        return 0;
    if (last == NULL)
        return tracer_done(tracer, note_now(tracer, context, sink, text, &note, err));
    note.line = strdup(text);
    int rc = note.line != NULL ? launch_add_copy(last, &note, err)
                               : error_no_memory_for(err, ERROR_OUTPUT, NULL);
    if (rc != 0)
        free(note.line);
    return tracer_done(tracer, rc);
}
