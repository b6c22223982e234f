#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/engines/slurm_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/sweep/engines/sweep_engine.h"
#include "traces/base/draft.h"

int slurm_queue_array_size(size_t *size, struct error *err)
{
    char line[256];
    bool found = false;
    FILE *out = popen("scontrol show config 2>&1", "re");
    char first[256] = "";
    if (out == NULL)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "scontrol: %s", strerror(errno));
    while (fgets(line, sizeof line, out) != NULL) {
        if (first[0] == '\0')
            snprintf(first, sizeof first, "%.*s", (int)strcspn(line, "\n"), line);
        found |= sscanf(line, "MaxArraySize = %zu", size) == 1;
    }
    pclose(out);
    if (found && *size > 1)
        return 0;
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0,
                     found ? "Slurm has no job arrays (MaxArraySize)"
                           : "Slurm does not answer: scontrol show config: %s",
                     first);
}

/* "sbatch --parsable PATH", to be freed. */
static char *submit_command(const char *path)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return NULL;
    fputs("sbatch --parsable ", draft.out);
    sweep_engine_write_word(draft.out, path);
    fputs(" 2>&1", draft.out);
    return draft_end(&draft) ? draft.text : NULL;
}

int slurm_queue_submit(const char *path, uint64_t *number, struct error *err)
{
    char line[512] = "", said[512] = "";
    char *command = submit_command(path);
    if (command == NULL)
        return error_no_memory(err);
    FILE *out = popen(command, "re");
    free(command);
    bool found = false;
    while (out != NULL && fgets(line, sizeof line, out) != NULL) {
        found |= line[0] >= '0' && line[0] <= '9' && sscanf(line, "%" SCNu64, number) == 1;
        snprintf(said, sizeof said, "%.*s", (int)strcspn(line, "\n"), line);
    }
    if (out != NULL && pclose(out) == 0 && found)
        return 0;
    return error_set(err, ERROR_SIMULATION, path, 0, 0, "sbatch: %s", said);
}

enum slurm_queue_answer slurm_queue_has(const uint64_t *numbers, size_t count)
{
    char command[64], line[64];
    bool has = false;
    if (count == 0)
        return SLURM_QUEUE_NONE;
    snprintf(command, sizeof command, "squeue -h -o %%F -u %ld 2>&1", (long)getuid());
    FILE *out = popen(command, "re");
    while (out != NULL && fgets(line, sizeof line, out) != NULL) {
        uint64_t number = strtoull(line, NULL, 10);
        for (size_t i = 0; i < count; i++)
            has |= numbers[i] == number;
    }
    if (out == NULL || pclose(out) != 0)
        return SLURM_QUEUE_SILENT;
    return has ? SLURM_QUEUE_SOME : SLURM_QUEUE_NONE;
}
