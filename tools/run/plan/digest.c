#define _GNU_SOURCE /* fopencookie */
#include "tools/run/plan/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Adds the launches and copies of WORKLOAD. Returns false without memory. */
static bool add_commands(XXH64_state_t *state, const struct trace_workload *workload)
{
    const char *last = NULL; /* a list may name the same file a million times */
    uint64_t size = 0;
    for (size_t i = 0; i < workload->count; i++) {
        const struct trace_command *command = &workload->commands[i];
        if (command->kind == TRACE_NOTE)
            continue;
        add_number(state, (uint64_t)command->kind);
        if (command->kind != TRACE_KERNEL) {
            add_number(state, command->copy.address);
            add_number(state, command->copy.bytes);
            continue;
        }
        if (command->kernel.listed != NULL)
            size = command->kernel.packed;
        else if (command->text != last && !trace_workload_size(workload, command->text, &size))
            return false;
        last = command->text;
        add_number(state, size);
        XXH64_update(state, command->text, strlen(command->text) + 1);
    }
    return true;
}

int digest_workload(const struct trace_workload *workload, char text[DIGEST_TEXT],
                    struct error *err)
{
    XXH64_state_t *state = XXH64_createState();
    if (state == NULL)
        return error_no_memory(err);
    XXH64_reset(state, 0);
    bool good = add_commands(state, workload);
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64_digest(state));
    XXH64_freeState(state);
    return good ? 0 : error_no_memory(err);
}

/* ---- texts ---- */

static ssize_t take_text(void *data, const char *text, size_t size)
{
    XXH64_update(data, text, size);
    return (ssize_t)size;
}

bool digest_text_begin(struct digest_text *digest)
{
    *digest = (struct digest_text){.state = XXH64_createState()};
    if (digest->state != NULL) {
        XXH64_reset(digest->state, 0);
        digest->out =
            fopencookie(digest->state, "w", (cookie_io_functions_t){.write = take_text});
    }
    if (digest->out != NULL)
        return true;
    XXH64_freeState(digest->state);
    return false;
}

bool digest_text_end(struct digest_text *digest, char text[DIGEST_TEXT])
{
    bool good = fclose(digest->out) == 0;
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64_digest(digest->state));
    XXH64_freeState(digest->state);
    return good;
}

/* ---- files ---- */

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
