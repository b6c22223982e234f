#include "tools/run/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"

const struct plan_step plan_step_none = {.scale = 1};

const char *const plan_role_names[] = {"measure", "warm", NULL};
const char *const plan_mode_names[] = {"detailed", "memory", "functional", NULL};
const char *const plan_level_names[] = {"none", "l1", "l2", "all", NULL};

bool plan_is_memory_trace(const char *name)
{
    const char *slash = strrchr(name, '/');
    return strncmp(slash == NULL ? name : slash + 1, "kernel-mem-", 11) == 0;
}

struct plan *plan_create(const char *path, bool written, struct error *err)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan != NULL)
        plan->path = strdup(path);
    if (plan == NULL || plan->path == NULL) {
        error_no_memory(err);
        plan_destroy(plan);
        return NULL;
    }
    plan->written = written;
    return plan;
}

/* Grows an array of ELEMENT bytes by one whenever COUNT reaches a power of two. */
static void *grow(void *items, size_t count, size_t element)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return items;
    return realloc(items, (count == 0 ? 1 : 2 * count) * element);
}

struct plan_item *plan_add(struct plan *plan, enum plan_kind kind, long line, struct error *err)
{
    if (plan->count >= PLAN_MOST || line > (long)PLAN_MOST) {
        error_set(err, ERROR_USAGE, plan->path, 0, 0, "more than %u lines or items", PLAN_MOST);
        return NULL;
    }
    struct plan_item *items = grow(plan->items, plan->count, sizeof *items);
    if (items == NULL) {
        error_no_memory(err);
        return NULL;
    }
    plan->items = items;
    struct plan_item *item = &items[plan->count++];
    *item = (struct plan_item){.kind = kind, .line = (uint32_t)line};
    return item;
}

struct plan_step *plan_add_step(struct plan *plan, const struct plan_step *from,
                                struct error *err)
{
    struct plan_step **steps = grow(plan->steps, plan->step_count, sizeof *steps);
    struct plan_step *step = steps != NULL ? malloc(sizeof *step) : NULL;
    if (steps != NULL)
        plan->steps = steps;
    if (step == NULL) {
        error_no_memory(err);
        return NULL;
    }
    *step = from != NULL ? *from : plan_step_none;
    return steps[plan->step_count++] = step;
}

int plan_add_copy(struct plan *plan, const struct trace_command *command, long line,
                  struct error *err)
{
    struct plan_item *item = plan_add(plan, PLAN_COPY, line, err);
    if (item == NULL)
        return -1;
    item->copy.address = command->copy.address;
    item->copy.bytes = command->copy.bytes;
    item->copy.to_host = command->kind == TRACE_COPY_DTOH;
    item->copy.on_device = command->kind == TRACE_COPY_DEVICE;
    return 0;
}

const char *plan_keep(struct plan *plan, const char *text, struct error *err)
{
    if (text == NULL)
        return NULL;
    const char *copy = texts_keep(&plan->texts, text, strlen(text));
    if (copy == NULL)
        error_no_memory(err);
    return copy;
}

int plan_add_remark(struct plan *plan, const char *line, struct error *err)
{
    char **remarks = grow(plan->remarks, plan->remark_count, sizeof *remarks);
    char *copy = remarks != NULL ? strdup(line) : NULL;
    if (remarks != NULL)
        plan->remarks = remarks;
    if (copy == NULL)
        return error_no_memory(err);
    remarks[plan->remark_count++] = copy;
    return 0;
}

void plan_drop_items(struct plan *plan)
{
    free(plan->items);
    plan->items = NULL;
    plan->count = 0;
}

void plan_destroy(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->remark_count; i++)
        free(plan->remarks[i]);
    for (size_t i = 0; i < plan->step_count; i++)
        free(plan->steps[i]);
    free(plan->remarks);
    free(plan->steps);
    texts_finish(&plan->texts);
    free(plan->items);
    trace_workload_destroy(plan->lines);
    free(plan->path);
    free(plan->workload);
    free(plan->digest);
    free(plan);
}

static void write_step(const struct plan_launch *launch, FILE *out)
{
    const struct plan_step *step = launch->step;
    if (launch->role == PLAN_WARM) {
        fprintf(out, "!step role=warm kind=%s\n", plan_mode_names[launch->mode]);
        return;
    }
    fprintf(out, "!step role=measure scale=%.17g", step->scale);
    const struct {
        const char *key, *value;
    } pairs[] = {{"stratum", step->stratum},
                 {"stands", step->stands},
                 {"spread", step->spread},
                 {"prime", step->prime},
                 {"intra", step->intra}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].value != NULL)
            plan_line_write_pair(out, pairs[i].key, pairs[i].value);
    if (step->group != 0)
        fprintf(out, " group=%" PRIu64 " size=%.17g", step->group, step->size);
    putc('\n', out);
}

/* Whether a !step is needed, because the name does not say enough about the launch. */
static bool needs_step(const struct plan_launch *launch)
{
    const struct plan_step *step = launch->step;
    return launch->role != PLAN_MEASURE || step->scale != 1 || step->stratum != NULL ||
           step->stands != NULL || step->spread != NULL || step->prime != NULL ||
           step->intra != NULL || step->group != 0 || plan_is_memory_trace(launch->name);
}

static void write_text(const char *word, const char *key, const char *value, FILE *out)
{
    fprintf(out, "!%s", word);
    plan_line_write_pair(out, key, value);
    putc('\n', out);
}

const char *plan_segment_name(const struct plan_item *item, char room[PLAN_SEGMENT_NUMBER])
{
    if (item->segment.number == 0)
        return item->segment.text;
    snprintf(room, PLAN_SEGMENT_NUMBER, "%s-%" PRIu32, item->segment.text,
             item->segment.number);
    return room;
}

/* A list of Accel-Sim has no line for what is written on the device. */
static void write_copy(const struct plan_item *item, FILE *out)
{
    unsigned long long address = item->copy.address, bytes = item->copy.bytes;
    if (item->copy.on_device)
        fprintf(out, "# written 0x%016llx %llu\n", address, bytes);
    else
        fprintf(out, "Memcpy%s,0x%016llx,%llu\n", item->copy.to_host ? "DtoH" : "HtoD", address,
                bytes);
}

void plan_write_item(const struct plan_item *item, FILE *out)
{
    char room[PLAN_SEGMENT_NUMBER];
    switch (item->kind) {
    case PLAN_COPY:
        write_copy(item, out);
        break;
    case PLAN_SEGMENT:
        write_text("segment", "name", plan_segment_name(item, room), out);
        break;
    case PLAN_FLUSH:
        fprintf(out, "!flush level=%s dirty=%s\n", plan_level_names[item->flush.levels],
                item->flush.drop ? "drop" : "write");
        break;
    case PLAN_RESTORE:
        write_text("restore", "file", item->text, out);
        break;
    case PLAN_SAVE:
        write_text("save", "file", item->text, out);
        break;
    case PLAN_LAUNCH:
        if (needs_step(&item->launch))
            write_step(&item->launch, out);
        fprintf(out, "%s\n", item->launch.name);
        break;
    }
}

static void write_workload(const char *path, const char *digest, FILE *out)
{
    fputs("!workload", out);
    plan_line_write_pair(out, "path", path);
    if (digest != NULL)
        plan_line_write_pair(out, "digest", digest);
    putc('\n', out);
}

void plan_write(const struct plan *plan, const bool *skip, const char *digest, FILE *out)
{
    fputs(PLAN_FIRST_LINE "\n", out);
    if (plan->workload != NULL)
        write_workload(plan->workload, digest, out);
    for (size_t i = 0; i < plan->remark_count; i++)
        fprintf(out, "%s\n", plan->remarks[i]);
    for (size_t i = 0; i < plan->count; i++)
        if (skip == NULL || !skip[i])
            plan_write_item(&plan->items[i], out);
}
