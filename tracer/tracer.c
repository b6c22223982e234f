#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/folders.h"
#include "tracer/tracer_state.h"

int tracer_done(struct tracer *tracer, int rc)
{
    tracer->failed = tracer->failed || rc != 0;
    return rc;
}

static int open_record(struct tracer *tracer, struct error *err)
{
    const char *path = tracer->options->record;
    if (path == NULL)
        return 0;
    tracer->record = tracer->options->multi_process ? folders_open_next(path, err)
                                                    : folders_open_alone(path, err);
    return tracer->record != NULL ? 0 : -1;
}

/* States need all accesses of all launches before. */
static int choose_states(struct tracer *tracer, struct error *err)
{
    const struct tracer_options *options = tracer->options;
    if (options->states == NULL)
        return 0;
    if (options->mode == TRACER_PROFILE || options->instr_begin != 0 ||
        options->instr_end != UINT32_MAX)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "TRACE_STATES needs all memory accesses: it cannot be used with "
                         "TRACE_MODE=profile, "
                         "INSTR_BEGIN or INSTR_END");
    return state_configs_init(&tracer->state_configs, options->states, err);
}

struct tracer *tracer_create(const struct tracer_options *options, const char *nvbit,
                             struct error *err)
{
    struct tracer *tracer = calloc(1, sizeof *tracer);
    if (tracer == NULL) {
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    tracer->options = options;
    tracer->lock = -1;
    tracer->nvbit = strdup(nvbit);
    if (pool_init(&tracer->pool, (size_t)options->budget << 20) != 0 || tracer->nvbit == NULL)
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
    else if (selection_init(&tracer->selection, options, err) == 0 &&
             choose_states(tracer, err) == 0 && open_record(tracer, err) == 0)
        return tracer;
    tracer_destroy(tracer);
    return NULL;
}

void tracer_destroy(struct tracer *tracer)
{
    if (tracer == NULL)
        return;
    for (uint32_t c = 0; c < tracer->context_count; c++) {
        struct tracer_gpu_context *context = &tracer->contexts[c];
        for (struct traced_launch *next, *l = context->first; l != NULL; l = next) {
            next = l->next;
            launch_destroy(l);
        }
        output_finish(&context->output);
    }
    free(tracer->contexts);
    selection_finish(&tracer->selection);
    state_configs_finish(&tracer->state_configs);
    trace_code_file_destroy(tracer->code_file);
    sass_finish(&tracer->code);
    traced_code_finish(&tracer->functions);
    pool_finish(&tracer->pool);
    if (tracer->record != NULL)
        fclose(tracer->record);
    if (tracer->lock >= 0)
        close(tracer->lock);
    numbers_finish(&tracer->numbers);
    free(tracer->nvbit);
    free(tracer->folder);
    free(tracer);
}

/* ---- folders and contexts ---------------------------------------------- */

/* Makes the folder and locks it for this process. */
static int enter_folder(struct tracer *tracer, struct error *err)
{
    if (tracer->lock >= 0)
        return 0;
    if (folders_make(&tracer->folder, tracer->options, err) != 0)
        return -1;
    tracer->lock = folders_lock(tracer->folder, err);
    if (tracer->lock < 0)
        return -1;
    if (tracer->options->format == TRACER_TEXT && tracer->options->mode != TRACER_PROFILE &&
        (tracer->code_file = trace_code_file_create(tracer->folder, err)) == NULL)
        return -1;
    return 0;
}

void tracer_before_fork(struct tracer *tracer)
{
    if (tracer->record != NULL)
        fflush(tracer->record);
}

void tracer_in_child(struct tracer *tracer)
{
    if (tracer->lock >= 0)
        close(tracer->lock);
}

int tracer_context(struct tracer *tracer, uint64_t handle, struct error *err)
{
    char infix[32] = "";
    for (uint32_t c = 0; c < tracer->context_count; c++)
        if (tracer->contexts[c].handle == handle)
            return (int)c;
    if (tracer->record != NULL)
        tracer_record_context(tracer->record, handle);
    struct tracer_gpu_context *more =
        reallocarray(tracer->contexts, tracer->context_count + 1, sizeof *more);
    if (more == NULL)
        return tracer_done(tracer, error_no_memory_for(err, ERROR_OUTPUT, NULL));
    tracer->contexts = more;
    struct tracer_gpu_context *context = &more[tracer->context_count];
    *context = (struct tracer_gpu_context){.handle = handle};
    if (tracer->context_count++ > 0)
        snprintf(infix, sizeof infix, "_ctx_0x%" PRIx64, handle);
    if (tracer->failed)
        return (int)tracer->context_count - 1;
    if (tracer_done(tracer, enter_folder(tracer, err)) != 0 ||
        tracer_done(tracer,
                    output_init(&context->output, tracer->options, &tracer->code, tracer->nvbit,
                                tracer->folder, infix, tracer->code_file, err)) != 0)
        return -1;
    if (tracer->options->states != NULL) {
        context->output.states =
            tracer_states_create(&tracer->state_configs, tracer->folder, infix, err);
        if (tracer_done(tracer, context->output.states != NULL ? 0 : -1) != 0)
            return -1;
    }
    return (int)tracer->context_count - 1;
}

int tracer_check_context(const struct tracer *tracer, uint32_t context, struct error *err)
{
    return context < tracer->context_count
               ? 0
               : error_set(err, ERROR_TRACE, NULL, 0, 0, "context %u is not known", context);
}

/* ---- code and launches ------------------------------------------------- */

uint32_t tracer_add_inst(struct tracer *tracer, const struct tracer_inst *inst,
                         struct error *err)
{
    if (tracer->record != NULL)
        tracer_record_inst(tracer->record, inst);
    return sass_add(&tracer->code, inst, err);
}

/* The open launch NUMBER; NULL if there is none. */
struct traced_launch *tracer_find(struct tracer *tracer, uint32_t number)
{
    if (tracer->found != NULL && tracer->found->number == number)
        return tracer->found;
    for (uint32_t c = 0; c < tracer->context_count; c++)
        for (struct traced_launch *l = tracer->contexts[c].first; l != NULL; l = l->next)
            if (l->number == number && !l->ended)
                return tracer->found = l;
    return NULL;
}

static unsigned wanted_of(const struct tracer *tracer, unsigned files)
{
    if (files == SELECT_NONE)
        return TRACER_WANT_NOTHING;
    if (tracer->options->mode == TRACER_PROFILE)
        return TRACER_WANT_COUNTS;
    return files & SELECT_FULL ? TRACER_WANT_INSTS : TRACER_WANT_ACCESSES;
}

static void append(struct tracer_gpu_context *context, struct traced_launch *launch)
{
    struct traced_launch **last = &context->first;
    while (*last != NULL)
        last = &(*last)->next;
    *last = launch;
}

int tracer_begin_launch(struct tracer *tracer, const struct tracer_launch *launch,
                        uint32_t *number, unsigned *wanted, struct error *err)
{
    *number = 0;
    *wanted = TRACER_WANT_NOTHING;
    if (tracer_check_context(tracer, launch->context, err) != 0)
        return -1;
    struct tracer_gpu_context *context = &tracer->contexts[launch->context];
    uint64_t id = ++context->launches;
    if (tracer->record != NULL)
        tracer_record_begin(tracer->record, launch);
    if (!numbers_take(&tracer->numbers))
        return tracer_done(tracer, error_no_memory_for(err, ERROR_OUTPUT, NULL));
    unsigned files = selection_of(&tracer->selection, id, launch->name);
    tracer->over = tracer->over || (tracer->selection.last != 0 && id > tracer->selection.last);
    if (files == SELECT_NONE || tracer->failed)
        return 0;
    struct traced_launch *made = launch_create(launch, id, tracer->options, &tracer->pool, err);
    if (made == NULL)
        return -1;
    made->number = *number = numbers_want(&tracer->numbers);
    made->files = tracer->options->mode == TRACER_PROFILE ? SELECT_NONE : files;
    *wanted = wanted_of(tracer, files);
    append(context, made);
    return 0;
}

/* ---- records ----------------------------------------------------------- */

/* Takes the record at DATA. Returns its size, 0 if that is invalid. */
static size_t take(struct tracer *tracer, const uint8_t *data, size_t size, int *rc,
                   struct error *err)
{
    struct tracer_record record;
    uint64_t words[TRACER_RECORD_WORDS];
    if (size < sizeof record)
        return 0;
    memcpy(&record, data, sizeof record);
    if (record.size < sizeof record || record.size > TRACER_RECORD_MOST ||
        record.size % 8 != 0 || record.size > size)
        return 0;
    memcpy(words, data + sizeof record, record.size - sizeof record);
    if (record.kind == TRACER_RECORD_MARK ||
        numbers_are_ignored(&tracer->numbers, record.launch))
        return record.size;
    struct traced_launch *launch = tracer_find(tracer, record.launch);
    if (launch == NULL || record.kind != TRACER_RECORD_INST || launch->files == SELECT_NONE)
        *rc = error_set(err, ERROR_TRACE, NULL, 0, 0,
                        "a record of kind %u belongs to launch %u, which is not being traced",
                        record.kind, record.launch);
    else if (launch_add(launch, &tracer->code, &record, words, err) != 0)
        *rc = tracer_done(tracer, -1);
    return record.size;
}

/* Writes the blocks that can be. */
static int write_ready(struct tracer *tracer, struct error *err)
{
    int rc = 0;
    for (uint32_t c = 0; rc == 0 && c < tracer->context_count; c++) {
        struct tracer_gpu_context *context = &tracer->contexts[c];
        if (context->first != NULL && context->first->files != SELECT_NONE)
            rc = launch_write(context->first, &context->output, err);
    }
    return tracer_done(tracer, rc);
}

int tracer_records(struct tracer *tracer, const void *data, size_t size, struct error *err)
{
    const uint8_t *at = data;
    int rc = 0;
    if (tracer->record != NULL)
        tracer_record_records(tracer->record, data, size);
    while (size > 0 && !tracer->failed) {
        size_t n = take(tracer, at, size, &rc, err);
        if (n == 0)
            return error_set(err, ERROR_TRACE, NULL, 0, 0,
                             "%zu bytes are not valid records; they are left out", size);
        at += n;
        size -= n;
    }
    if (!tracer->failed && write_ready(tracer, err) != 0)
        return -1;
    return rc;
}

int tracer_counted(struct tracer *tracer, uint32_t number, const struct tracer_counts *counts,
                   struct error *err)
{
    struct traced_launch *launch = tracer_find(tracer, number);
    if (tracer->record != NULL)
        tracer_record_counts(tracer->record, number, counts);
    if (tracer->failed || numbers_are_ignored(&tracer->numbers, number))
        return 0;
    if (launch == NULL || tracer->options->mode != TRACER_PROFILE)
        return error_set(err, ERROR_TRACE, NULL, 0, 0, "launch %u counts nothing", number);
    launch->counts = *counts;
    return 0;
}
