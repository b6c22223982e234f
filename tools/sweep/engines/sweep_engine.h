/* Engines: where the jobs of a sweep are executed. A table (sweep_engine.c). */
#ifndef HEARTH_TOOLS_SWEEP_ENGINES_SWEEP_ENGINE_H
#define HEARTH_TOOLS_SWEEP_ENGINES_SWEEP_ENGINE_H

#include <stdio.h>

#include "tools/sweep/sweep.h"
#include "tools/sweep/sweep_todo.h"

struct sweep_engine {
    const char *name;
    /* Executes the jobs that are left in TODO, or hands them on, and updates TODO. Returns 0,
     * -1 with ERR filled, or the exit code after a signal. */
    int (*run)(const struct sweep_request *request, struct sweep_todo *todo, struct error *err);
};

/* The engine called NAME, which is in sweep_engine_names. */
const struct sweep_engine *sweep_engine_find(const char *name);

int sweep_local_run(const struct sweep_request *request, struct sweep_todo *todo,
                    struct error *err);
int sweep_list_run(const struct sweep_request *request, struct sweep_todo *todo,
                   struct error *err);

int sweep_slurm_run(const struct sweep_request *request, struct sweep_todo *todo,
                    struct error *err);

/* Jobs that run at a time on this machine. */
unsigned sweep_engine_processes(const struct sweep_request *request);

/* Writes TEXT as one word of a shell. */
void sweep_engine_write_word(FILE *out, const char *text);

/* The path of this program, to be freed. NULL with ERR filled. */
char *sweep_engine_program(struct error *err);

#endif
