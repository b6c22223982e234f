#include "tools/sweep/engines/sweep_engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/threads/host_cores.h"

#define ENGINES(X)                                                                             \
    X(local)                                                                                   \
    X(list)                                                                                    \
    X(slurm)

#define ENTRY(name) {#name, sweep_##name##_run},
static const struct sweep_engine engines[] = {ENGINES(ENTRY)};

#define NAME(name) #name,
const char *const sweep_engine_names[] = {ENGINES(NAME) NULL};

const struct sweep_engine *sweep_engine_find(const char *name)
{
    size_t i = 0;
    while (sweep_engine_names[i + 1] != NULL && strcmp(engines[i].name, name) != 0)
        i++;
    return &engines[i];
}

unsigned sweep_engine_processes(const struct sweep_request *request)
{
    unsigned cores = host_cores_usable() / request->threads;
    return request->processes > 0 ? request->processes : cores > 0 ? cores : 1;
}

void sweep_engine_write_word(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

char *sweep_engine_program(struct error *err)
{
    char *path = realpath("/proc/self/exe", NULL);
    if (path == NULL)
        error_set(err, ERROR_USAGE, "/proc/self/exe", 0, 0, "%s", strerror(errno));
    return path;
}
