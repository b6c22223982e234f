/* Any bytes are a profile or an error with a place; what was read is written
 * and read again without a change. */
#define _GNU_SOURCE /* fmemopen */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "traces/traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct profile *read_bytes(const void *data, size_t size, struct error *err)
{
    FILE *in = fmemopen((void *)data, size, "rb");
    if (in == NULL)
        abort();
    struct profile *profile = profile_read(in, "p.csv", err);
    fclose(in);
    if ((profile == NULL) != (err->kind == ERROR_TRACE))
        abort();
    if (profile == NULL && strncmp(err->text, "p.csv:", 6) != 0)
        abort();
    return profile;
}

static char *write_text(const struct profile *profile)
{
    struct error err = {0};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL || profile_write(profile, out, NULL, &err) != 0)
        abort();
    fclose(out);
    return text;
}

static void check_rows(const struct profile *profile)
{
    if (profile->count == 0)
        abort();
    for (size_t i = 0; i < profile->count; i++) {
        const struct profile_row *row = &profile->rows[i];
        if (row->kernel >= profile->kernel_count || !profile_knows(row, PROFILE_LAUNCH) ||
            !profile_knows(row, PROFILE_KERNEL))
            abort();
        for (unsigned c = 0; c < PROFILE_COLUMNS; c++)
            if (profile_number(row, (enum profile_column)c) < 0)
                abort();
    }
}

static void check_profile(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct profile *profile = read_bytes(data, size, &err);
    if (profile == NULL)
        return;
    check_rows(profile);
    char *text = write_text(profile);
    struct profile *again = read_bytes(text, strlen(text), &err);
    if (again == NULL)
        abort();
    char *same = write_text(again);
    if (strcmp(text, same) != 0)
        abort();
    free(same);
    free(text);
    profile_destroy(again);
    profile_destroy(profile);
}

static void check_companion(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct profile_bbv_row row;
    FILE *in = fmemopen((void *)data, size, "rb");
    if (in == NULL)
        abort();
    struct profile_stream *stream = profile_bbv_open(in, "b.csv", &err);
    int rc = stream == NULL ? -1 : 1;
    while (rc == 1)
        rc = profile_bbv_next(stream, &row, &err);
    if ((rc < 0) != (err.kind == ERROR_TRACE))
        abort();
    profile_stream_close(stream);
    fclose(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_profile(data, size);
    check_companion(data, size);
    return 0;
}
