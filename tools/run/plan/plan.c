#include "tools/run/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"

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
    struct plan_item *items = grow(plan->items, plan->count, sizeof *items);
    if (items == NULL) {
        error_no_memory(err);
        return NULL;
    }
    plan->items = items;
    struct plan_item *item = &items[plan->count++];
    *item = (struct plan_item){.kind = kind, .line = line};
    return item;
}

/* Adds a copy of TEXT to an array of COUNT strings. Returns it, or NULL with ERR filled. */
static const char *add_string(char ***array, size_t *count, const char *text, struct error *err)
{
    char **strings = grow(*array, *count, sizeof *strings);
    char *copy = strings != NULL ? strdup(text) : NULL;
    if (strings != NULL)
        *array = strings;
    if (copy == NULL)
        error_no_memory(err);
    else
        strings[(*count)++] = copy;
    return copy;
}

int plan_add_copy(struct plan *plan, const struct trace_command *command, long line,
                  struct error *err)
{
    struct plan_item *item = plan_add(plan, PLAN_COPY, line, err);
    if (item == NULL)
        return -1;
    item->copy.address = command->address;
    item->copy.bytes = command->bytes;
    item->copy.to_host = command->kind == TRACE_COPY_DTOH;
    return 0;
}

const char *plan_keep(struct plan *plan, const char *text, struct error *err)
{
    return text != NULL ? add_string(&plan->strings, &plan->string_count, text, err) : NULL;
}

int plan_add_remark(struct plan *plan, const char *line, struct error *err)
{
    return add_string(&plan->remarks, &plan->remark_count, line, err) != NULL ? 0 : -1;
}

void plan_destroy(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->remark_count; i++)
        free(plan->remarks[i]);
    for (size_t i = 0; i < plan->string_count; i++)
        free(plan->strings[i]);
    free(plan->remarks);
    free(plan->strings);
    free(plan->items);
    trace_workload_destroy(plan->lines);
    free(plan->path);
    free(plan->workload);
    free(plan->digest);
    free(plan);
}

static void write_step(const struct plan_launch *launch, FILE *out)
{
    if (launch->role == PLAN_WARM) {
        fprintf(out, "!step role=warm kind=%s\n", plan_mode_names[launch->mode]);
        return;
    }
    fprintf(out, "!step role=measure scale=%.17g", launch->scale);
    const struct {
        const char *key, *value;
    } pairs[] = {{"stratum", launch->stratum},
                 {"stands", launch->stands},
                 {"spread", launch->spread},
                 {"prime", launch->prime},
                 {"stop", launch->stop}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].value != NULL)
            plan_line_write_pair(out, pairs[i].key, pairs[i].value);
    putc('\n', out);
}

/* Whether a !step is needed, because the name does not say enough about the launch. */
static bool needs_step(const struct plan_launch *launch)
{
    return launch->role != PLAN_MEASURE || launch->scale != 1 || launch->stratum != NULL ||
           launch->stands != NULL || launch->spread != NULL || launch->prime != NULL ||
           launch->stop != NULL || plan_is_memory_trace(launch->name);
}

static void write_text(const char *word, const char *key, const char *value, FILE *out)
{
    fprintf(out, "!%s", word);
    plan_line_write_pair(out, key, value);
    putc('\n', out);
}

void plan_write_item(const struct plan_item *item, FILE *out)
{
    switch (item->kind) {
    case PLAN_COPY:
        fprintf(out, "Memcpy%s,0x%016llx,%llu\n", item->copy.to_host ? "DtoH" : "HtoD",
                (unsigned long long)item->copy.address, (unsigned long long)item->copy.bytes);
        break;
    case PLAN_SEGMENT:
        write_text("segment", "name", item->text, out);
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
