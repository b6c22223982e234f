#include "tools/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void digest_text(char digest[DIGEST_TEXT], const char *text, size_t size)
{
    snprintf(digest, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64(text, size, 0));
}

/* A file in memory whose text becomes a digest. */
struct draft {
    FILE *out;
    char *text;
    size_t size;
};

static bool draft_finish(struct draft *draft, char digest[DIGEST_TEXT])
{
    bool good = fclose(draft->out) == 0;
    if (good)
        digest_text(digest, draft->text, draft->size);
    free(draft->text);
    return good;
}

int identity_init(struct identity *identity, const char *workload, const char *listed,
                  const struct plan *plan, const bool *skip, const struct sim_config *config,
                  struct error *err)
{
    *identity = (struct identity){.version = HEARTH_VERSION};
    snprintf(identity->workload, sizeof identity->workload, "%s", workload);
    struct draft draft = {0};
    bool good = (draft.out = open_memstream(&draft.text, &draft.size)) != NULL;
    if (good) {
        sim_config_print(config, draft.out);
        good = draft_finish(&draft, identity->config);
    }
    draft = (struct draft){0};
    good = good && (draft.out = open_memstream(&draft.text, &draft.size)) != NULL;
    if (good) {
        plan_write(plan, skip, listed, draft.out);
        good = draft_finish(&draft, identity->plan);
    }
    return good ? 0 : error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return NULL;
    return fopen(path, "rb");
}

static bool digest_file(const char *folder, const char *name, char digest[DIGEST_TEXT])
{
    char piece[4096];
    struct draft draft = {0};
    FILE *in = open_in(folder, name);
    bool good = in != NULL && (draft.out = open_memstream(&draft.text, &draft.size)) != NULL;
    if (good) {
        for (size_t got; (got = fread(piece, 1, sizeof piece, in)) > 0;)
            fwrite(piece, 1, got, draft.out);
        good = draft_finish(&draft, digest) && !ferror(in);
    }
    if (in != NULL)
        fclose(in);
    return good;
}

/* The value of "intervals" in run.json, a line of its own. */
static uint64_t intervals_of(FILE *run)
{
    char line[256];
    uint64_t intervals = 0;
    while (fgets(line, sizeof line, run) != NULL)
        if (sscanf(line, " \"intervals\": %" SCNu64, &intervals) == 1)
            break;
    return intervals;
}

bool identity_of_results(struct identity *identity, const char *path, bool *partial)
{
    *identity = (struct identity){0};
    FILE *run = open_in(path, "run.json"); /* there when all others are */
    FILE *stats = run != NULL ? open_in(path, "stats.txt") : NULL;
    int flag = 0;
    bool good = stats != NULL && fscanf(stats,
                                        "version %31s # of hearth\nworkload_digest %16s # of "
                                        "names and sizes of the traces\npartial %1d",
                                        identity->version, identity->workload, &flag) == 3;
    *partial = flag != 0;
    if (good)
        identity->intervals = intervals_of(run);
    if (stats != NULL)
        fclose(stats);
    if (run != NULL)
        fclose(run);
    return good && digest_file(path, "config.out", identity->config) &&
           digest_file(path, "plan.out", identity->plan);
}

const char *identity_differs(const struct identity *a, const struct identity *b)
{
    return strcmp(a->version, b->version) != 0     ? "version"
           : strcmp(a->workload, b->workload) != 0 ? "workload"
           : strcmp(a->config, b->config) != 0     ? "configuration"
           : a->intervals != b->intervals          ? "length of intervals"
           : strcmp(a->plan, b->plan) != 0         ? "plan"
                                                   : NULL;
}
