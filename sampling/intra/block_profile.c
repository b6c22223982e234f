#include "sampling/intra/block_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block_profile {
    char *path;
    FILE *file;
    struct profile_stream *stream;
    struct profile_block_row row; /* the next one */
    bool there;                   /* there is one */
    uint64_t launch;              /* that was asked for */
};

static int read_row(struct block_profile *profile, struct error *err)
{
    int rc = profile_blocks_next(profile->stream, &profile->row, err);
    profile->there = rc == 1;
    return rc < 0 ? -1 : 0;
}

/* Begins with the first row. */
static int restart(struct block_profile *profile, struct error *err)
{
    profile_stream_close(profile->stream);
    rewind(profile->file);
    profile->stream = profile_blocks_open(profile->file, profile->path, err);
    return profile->stream != NULL ? read_row(profile, err) : -1;
}

struct block_profile *block_profile_open(const char *path, struct error *err)
{
    struct block_profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL || (profile->path = strdup(path)) == NULL) {
        free(profile);
        error_no_memory(err);
        return NULL;
    }
    profile->file = fopen(path, "r");
    if (profile->file == NULL)
        error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    if (profile->file != NULL && restart(profile, err) == 0)
        return profile;
    block_profile_close(profile);
    return NULL;
}

void block_profile_close(struct block_profile *profile)
{
    if (profile == NULL)
        return;
    profile_stream_close(profile->stream);
    if (profile->file != NULL)
        fclose(profile->file);
    free(profile->path);
    free(profile);
}

const char *block_profile_path(const struct block_profile *profile)
{
    return profile->path;
}

int block_profile_seek(struct block_profile *profile, uint64_t launch, struct error *err)
{
    if ((!profile->there || profile->row.launch > launch || profile->launch == launch) &&
        restart(profile, err) != 0)
        return -1;
    profile->launch = launch;
    while (profile->there && profile->row.launch < launch)
        if (read_row(profile, err) != 0)
            return -1;
    if (profile->there && profile->row.launch == launch)
        return 0;
    return error_set(err, ERROR_TRACE, profile->path, 0, 0, "there is no launch %" PRIu64,
                     launch);
}

int block_profile_next(struct block_profile *profile, struct profile_block_row *row,
                       struct error *err)
{
    if (!profile->there || profile->row.launch != profile->launch)
        return 0;
    *row = profile->row;
    return read_row(profile, err) == 0 ? 1 : -1;
}
