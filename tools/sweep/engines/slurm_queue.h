/* What is asked of Slurm, by its own commands: sbatch, squeue and scontrol. */
#ifndef HEARTH_TOOLS_SWEEP_ENGINES_SLURM_QUEUE_H
#define HEARTH_TOOLS_SWEEP_ENGINES_SLURM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"

/* The most tasks that a job array may have. Returns 0, or -1 with ERR filled if Slurm does not
 * answer. */
int slurm_queue_array_size(size_t *size, struct error *err);

/* Submits the script at PATH; *NUMBER is that of its job. Returns 0, or -1 with ERR filled:
 * what sbatch says. */
int slurm_queue_submit(const char *path, uint64_t *number, struct error *err);

enum slurm_queue_answer {
    SLURM_QUEUE_NONE,   /* none of the jobs waits or runs */
    SLURM_QUEUE_SOME,   /* one does */
    SLURM_QUEUE_SILENT, /* Slurm does not answer: it may be starting again */
};
/* What is in the queue of the COUNT jobs NUMBERS of this user. */
enum slurm_queue_answer slurm_queue_has(const uint64_t *numbers, size_t count);

#endif
