#include "tools/run/plan/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* Numbers are hashed as bytes in a fixed order, so that all machines agree. */
static void add_number(XXH64_state_t *state, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    XXH64_update(state, bytes, sizeof bytes);
}

static void add_command(XXH64_state_t *state, const struct trace_command *command)
{
    if (command->kind == TRACE_NOTE)
        return;
    add_number(state, (uint64_t)command->kind);
    if (command->kind != TRACE_KERNEL) {
        add_number(state, command->address);
        add_number(state, command->bytes);
        return;
    }
    struct stat status;
    uint64_t size = UINT64_MAX;
    if (command->listed != NULL)
        size = command->packed;
    else if (stat(command->path, &status) == 0)
        size = (uint64_t)status.st_size;
    add_number(state, size);
    XXH64_update(state, command->text, strlen(command->text) + 1);
}

int digest_workload(const struct trace_workload *workload, char text[DIGEST_TEXT],
                    struct error *err)
{
    XXH64_state_t *state = XXH64_createState();
    if (state == NULL)
        return error_no_memory(err);
    XXH64_reset(state, 0);
    for (size_t i = 0; i < workload->count; i++)
        add_command(state, &workload->commands[i]);
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64_digest(state));
    XXH64_freeState(state);
    return 0;
}

bool digest_file(const char *path, char text[DIGEST_TEXT])
{
    unsigned char piece[1 << 16];
    XXH64_state_t *state = XXH64_createState();
    FILE *in = fopen(path, "rb");
    bool good = state != NULL && in != NULL;
    if (good) {
        XXH64_reset(state, 0);
        for (size_t got; (got = fread(piece, 1, sizeof piece, in)) > 0;)
            XXH64_update(state, piece, got);
        good = !ferror(in);
        snprintf(text, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64_digest(state));
    }
    if (in != NULL)
        fclose(in);
    XXH64_freeState(state);
    return good;
}
