#define _GNU_SOURCE /* asprintf */
#include "traces/annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/functions/candidates.h"
#include "traces/functions/encodings.h"
#include "traces/traces.h"

struct trace_annotation {
    struct candidates candidates;
    uint8_t **used; /* of each candidate: a byte for each instruction, not 0 if it was executed;
                       NULL: no launch has it */
    const char *const *files; /* until trace_annotate() returns */
    struct trace_annotation_row *rows;
    size_t row_count;
    struct map by_name;                    /* to `rows` */
    const struct trace_function **fitting; /* of each launch */
    bool *hides_stores;                    /* of each launch */
    size_t launch_count;
};

static int no_memory(const struct trace_workload *workload, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, workload->path);
}

/* ---- names ------------------------------------------------------------- */

/* The key in `by_name` that is that of NAME, or free. */
static uint64_t name_key(const struct trace_annotation *annotation, const char *name)
{
    uint64_t key = XXH3_64bits(name, strlen(name));
    for (uint32_t i; (i = map_get(&annotation->by_name, key)) != MAP_NONE; key++)
        if (strcmp(annotation->rows[i].name, name) == 0)
            break;
    return key;
}

static bool is_wanted(const void *data, const char *name)
{
    const struct trace_annotation *annotation = data;
    return map_get(&annotation->by_name, name_key(annotation, name)) != MAP_NONE;
}

/* The row of NAME, a new one if needed; NULL when memory ran out. */
static struct trace_annotation_row *find_row(struct trace_annotation *annotation,
                                             const char *name)
{
    uint64_t key = name_key(annotation, name);
    size_t n = annotation->row_count;
    uint32_t i = map_get(&annotation->by_name, key);
    if (i != MAP_NONE)
        return &annotation->rows[i];
    char *copy = strdup(name);
    if (copy == NULL || !array_room(&annotation->rows, n, sizeof *annotation->rows) ||
        !map_set(&annotation->by_name, key, (uint32_t)n)) {
        free(copy);
        return NULL;
    }
    annotation->rows[n] = (struct trace_annotation_row){.name = copy};
    return &annotation->rows[annotation->row_count++];
}

/* Makes the rows. */
static int read_names(struct trace_annotation *annotation,
                      const struct trace_workload *workload, struct error *err)
{
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[i].text, NULL, err);
        if (kernel == NULL)
            return -1;
        struct trace_annotation_row *row =
            find_row(annotation, trace_kernel_header(kernel)->name);
        trace_kernel_close(kernel);
        if (row == NULL)
            return no_memory(workload, err);
        row->launches++;
        annotation->launch_count++;
    }
    return 0;
}

/* ---- what a launch executed -------------------------------------------- */

struct executed {
    struct trace_kernel *kernel;
    const char *launch;
    bool *used; /* of each instruction of the kernel */
    uint32_t count;
};

/* Makes room for the instructions that the kernel has by now. */
static bool fit_used(struct executed *executed, uint32_t count)
{
    if (count <= executed->count)
        return true;
    bool *more = realloc(executed->used, count);
    if (more == NULL)
        return false;
    memset(more + executed->count, 0, count - executed->count);
    executed->used = more;
    executed->count = count;
    return true;
}

static int read_block(struct executed *executed, struct trace_block *block, struct error *err)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct trace_warp *warp = &block->warps[w];
        int rc;
        do {
            for (const struct trace_record *r = warp->at; r < warp->end; r++)
                executed->used[r->inst] = true;
            warp->at = warp->end;
            rc = trace_warp_fill(warp, err);
        } while (rc == 1);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int read_launch(struct executed *executed, struct error *err)
{
    struct trace_block *block;
    int rc;
    while ((rc = trace_kernel_next_block(executed->kernel, &block, err)) == 1) {
        uint32_t count;
        trace_kernel_insts(executed->kernel, &count);
        rc = fit_used(executed, count)
                 ? read_block(executed, block, err)
                 : error_no_memory_for(err, ERROR_TRACE, executed->launch);
        trace_block_release(block);
        if (rc != 0)
            return -1;
    }
    return rc;
}

/* ---- functions that fit ------------------------------------------------ */

/* The first instruction of the launch that candidate I does not have, or NULL. */
static const struct trace_inst *find_misfit(const struct trace_annotation *annotation,
                                            const struct executed *executed, uint32_t i)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(executed->kernel, &count);
    for (uint32_t n = 0; n < executed->count; n++)
        if (executed->used[n] &&
            !candidates_fit(&annotation->candidates, i, &insts[n],
                            trace_kernel_opcode(executed->kernel, &insts[n])))
            return &insts[n];
    return NULL;
}

/* Says why candidate I does not fit. NULL when memory ran out. */
static char *explain(const struct trace_annotation *annotation, const struct executed *executed,
                     uint32_t i, const struct trace_inst *misfit)
{
    const struct candidates *candidates = &annotation->candidates;
    const char *file = annotation->files[candidates->items[i].file];
    const char *name = candidates_name(candidates, i, misfit->pc), *launch = executed->launch;
    const char *traced = trace_kernel_opcode(executed->kernel, misfit);
    const struct trace_code *code =
        trace_function_code(candidates->functions.items[i], misfit->pc);
    char *text;
    int n;
    if (code == NULL)
        n = asprintf(&text, "%s: PC 0x%x is %s in the trace, beyond the code in %s", launch,
                     misfit->pc, traced, file);
    else if (encodings_fit_register(code->low, misfit))
        n = asprintf(&text, "%s: PC 0x%x is %s in the trace, %s in %s", launch, misfit->pc,
                     traced, name, file);
    else
        n = asprintf(&text, "%s: PC 0x%x, %s, writes R%u in the trace, R%u in %s", launch,
                     misfit->pc, traced, misfit->dst[0], encodings_register(code->low), file);
    return n < 0 ? NULL : text;
}

/* The first function for the launch that fits, or MAP_NONE; then *WHY says why none does. NULL
 * there: memory ran out. */
static uint32_t choose(const struct trace_annotation *annotation,
                       const struct executed *executed, char **why)
{
    const struct candidates *candidates = &annotation->candidates;
    const struct trace_header *header = trace_kernel_header(executed->kernel);
    uint32_t i = functions_first(&candidates->functions, header->name);
    *why = strdup(i == MAP_NONE ? "no file has a function of this name"
                                : "the files have this function for other GPUs only");
    bool explained = false;
    for (; i != MAP_NONE && *why != NULL; i = candidates->functions.next[i]) {
        uint32_t version = candidates->items[i].version;
        if (version != 0 && header->binary_version != 0 && version != header->binary_version)
            continue;
        const struct trace_inst *misfit = find_misfit(annotation, executed, i);
        if (misfit == NULL)
            return i;
        if (!explained) {
            free(*why);
            *why = explain(annotation, executed, i, misfit);
        }
        explained = true;
    }
    return MAP_NONE;
}

/* Notes what the launch executed of candidate I. Returns false when memory ran out. */
static bool note_used(struct trace_annotation *annotation, struct trace_annotation_row *row,
                      const struct executed *executed, uint32_t i)
{
    const struct candidate *item = &annotation->candidates.items[i];
    const struct trace_function *function = annotation->candidates.functions.items[i];
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(executed->kernel, &count);
    if (annotation->used[i] == NULL) {
        annotation->used[i] = calloc(function->count, 1);
        row->functions++;
    }
    if (annotation->used[i] == NULL)
        return false;
    for (uint32_t n = 0; n < executed->count; n++) {
        uint8_t *used = &annotation->used[i][insts[n].pc / TRACE_CODE_BYTES];
        if (!executed->used[n] || *used)
            continue;
        *used = 1;
        row->insts++;
        const struct trace_code *code = trace_function_code(function, insts[n].pc);
        row->unnamed +=
            item->opcodes == NULL && encodings_name(item->version, code->low) == NULL;
    }
    return true;
}

/* Whether the launch executes stores whose addresses no trace has. */
static bool hides_stores(const struct executed *executed)
{
    uint32_t count;
    const struct trace_inst *insts = trace_kernel_insts(executed->kernel, &count);
    for (uint32_t n = 0; n < executed->count; n++) {
        if (!executed->used[n])
            continue;
        switch (trace_async_form(trace_kernel_opcode(executed->kernel, &insts[n])).kind) {
        case TRACE_ASYNC_TENSOR_STORE:
        case TRACE_ASYNC_TENSOR_REDUCE:
        case TRACE_ASYNC_BLOCK_STORE:
        case TRACE_ASYNC_BLOCK_REDUCE:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* Finds the function of the launch that was read. */
static int annotate_launch(struct trace_annotation *annotation, const struct executed *executed,
                           size_t position, struct error *err)
{
    struct trace_annotation_row *row =
        find_row(annotation, trace_kernel_header(executed->kernel)->name);
    char *why = NULL;
    annotation->hides_stores[position] = hides_stores(executed);
    uint32_t i = row != NULL ? choose(annotation, executed, &why) : MAP_NONE;
    if (i == MAP_NONE && row != NULL && why != NULL) {
        if (row->wrong == NULL)
            row->wrong = why;
        else
            free(why);
        return 0;
    }
    free(why);
    if (i == MAP_NONE || !note_used(annotation, row, executed, i))
        return error_no_memory_for(err, ERROR_TRACE, executed->launch);
    row->with_code++;
    annotation->fitting[position] = annotation->candidates.functions.items[i];
    return 0;
}

static int annotate_launches(struct trace_annotation *annotation,
                             const struct trace_workload *workload, struct error *err)
{
    const struct trace_kernel_options options = {.rows = true};
    size_t position = 0;
    int rc = 0;
    for (size_t i = 0; i < workload->count && rc == 0; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind != TRACE_KERNEL)
            continue;
        struct executed executed = {
            .kernel = trace_workload_kernel(workload, command->text, &options, err),
            .launch = command->text};
        rc = executed.kernel != NULL ? read_launch(&executed, err) : -1;
        if (rc == 0)
            rc = annotate_launch(annotation, &executed, position++, err);
        trace_kernel_close(executed.kernel);
        free(executed.used);
    }
    return rc;
}

/* ---- all --------------------------------------------------------------- */

static int annotate(struct trace_annotation *annotation, const struct trace_workload *workload,
                    size_t count, struct error *err)
{
    struct candidates *candidates = &annotation->candidates;
    if (read_names(annotation, workload, err) != 0)
        return -1;
    candidates->wanted = is_wanted;
    candidates->data = annotation;
    for (size_t i = 0; i < count; i++) {
        candidates->file = (uint32_t)i;
        if (candidates_read(candidates, annotation->files[i], err) != 0)
            return -1;
    }
    annotation->used = calloc(candidates->functions.count + 1, sizeof *annotation->used);
    annotation->fitting = calloc(annotation->launch_count + 1, sizeof(void *));
    annotation->hides_stores = calloc(annotation->launch_count + 1, sizeof(bool));
    if (annotation->used == NULL || annotation->fitting == NULL ||
        annotation->hides_stores == NULL)
        return no_memory(workload, err);
    return annotate_launches(annotation, workload, err);
}

struct trace_annotation *trace_annotate(const struct trace_workload *workload,
                                        const char *const *files, size_t count,
                                        struct error *err)
{
    struct trace_annotation *annotation = calloc(1, sizeof *annotation);
    if (annotation == NULL) {
        no_memory(workload, err);
        return NULL;
    }
    annotation->files = files;
    if (annotate(annotation, workload, count, err) == 0)
        return annotation;
    trace_annotation_destroy(annotation);
    return NULL;
}

void trace_annotation_destroy(struct trace_annotation *annotation)
{
    if (annotation == NULL)
        return;
    for (uint32_t i = 0; annotation->used != NULL && i < annotation->candidates.functions.count;
         i++)
        free(annotation->used[i]);
    for (size_t i = 0; i < annotation->row_count; i++) {
        free((char *)annotation->rows[i].name);
        free((char *)annotation->rows[i].wrong);
    }
    candidates_finish(&annotation->candidates);
    map_finish(&annotation->by_name);
    free(annotation->used);
    free(annotation->rows);
    free(annotation->fitting);
    free(annotation->hides_stores);
    free(annotation);
}

const struct trace_annotation_row *
trace_annotation_rows(const struct trace_annotation *annotation, size_t *count)
{
    *count = annotation->row_count;
    return annotation->rows;
}

const struct trace_function *
trace_annotation_function(const struct trace_annotation *annotation, size_t position)
{
    return annotation->fitting[position - 1];
}

bool trace_annotation_hides_stores(const struct trace_annotation *annotation, size_t position)
{
    return annotation->hides_stores[position - 1];
}
