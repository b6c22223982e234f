#include "tools/run/journal/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/base/files/paths.h"

static void digest_path(char digest[DIGEST_TEXT], const char *path)
{
    snprintf(digest, DIGEST_TEXT, "%016" PRIx64, (uint64_t)XXH64(path, strlen(path), 0));
}

/* Writes the items of PLAN, with names relative to FOLDER, the folder of the results. */
static bool write_steps(const struct plan *plan, const bool *skip, const char *folder,
                        FILE *out)
{
    for (size_t i = 0; i < plan->remark_count; i++)
        fprintf(out, "%s\n", plan->remarks[i]);
    for (size_t i = 0; i < plan->count; i++) {
        struct plan_item item = plan->items[i];
        char *file = NULL;
        if (skip != NULL && skip[i])
            continue;
        if (item.kind == PLAN_RESTORE || item.kind == PLAN_SAVE) {
            char *path = paths_absolute(item.text);
            item.text = file = path != NULL ? paths_relative(folder, path) : NULL;
            free(path);
            if (file == NULL)
                return false;
        }
        plan_write_item(&item, out);
        free(file);
    }
    return true;
}

static bool digest_steps(struct identity_moved *moved, const struct plan *plan,
                         const bool *skip, const char *folder)
{
    struct digest_text digest;
    if (!digest_text_begin(&digest))
        return false;
    bool written = write_steps(plan, skip, folder, digest.out);
    return digest_text_end(&digest, moved->plan) && written;
}

static bool digest_moved(struct identity_moved *moved, const struct plan *plan,
                         const bool *skip, const char *results)
{
    char *folder = paths_absolute(results);
    char *root = paths_absolute(plan->workload != NULL ? plan->workload : "");
    char *here = folder != NULL && root != NULL ? paths_relative(folder, root) : NULL;
    bool good = here != NULL && digest_steps(moved, plan, skip, folder);
    if (good) {
        digest_path(moved->root, root);
        digest_path(moved->here, here);
    }
    free(folder);
    free(root);
    free(here);
    return good;
}

int identity_init(struct identity *identity, const char *workload, const char *listed,
                  const struct plan *plan, const bool *skip, const struct sim_config *config,
                  const char *folder, struct error *err)
{
    *identity = (struct identity){.version = HEARTH_VERSION};
    snprintf(identity->workload, sizeof identity->workload, "%s", workload);
    struct digest_text digest;
    bool good = digest_text_begin(&digest);
    if (good) {
        sim_config_print(config, digest.out);
        good = digest_text_end(&digest, identity->config);
    }
    good = good && digest_text_begin(&digest);
    if (good) {
        plan_write(plan, skip, listed, digest.out);
        good = digest_text_end(&digest, identity->plan);
    }
    good = good && digest_moved(&identity->moved, plan, skip, folder);
    return good ? 0 : error_no_memory(err);
}

static bool digest_in(const char *folder, const char *name, char digest[DIGEST_TEXT])
{
    char *path = paths_join(folder, name);
    bool good = path != NULL && digest_file(path, digest);
    free(path);
    return good;
}

/* Reads the line of run.json with "moved", if LINE is that line; *AT is where its value
 * begins. */
static bool read_moved(struct identity_moved *moved, const char *line, int *at)
{
    return sscanf(line, " \"moved\": \"%n%16s %16s %16s", at, moved->plan, moved->root,
                  moved->here) == 3;
}

/* Reads the values of "intervals" and "moved" in run.json, which have lines of their own. */
static void read_run(struct identity *identity, FILE *run)
{
    char line[256];
    int ignored;
    while (fgets(line, sizeof line, run) != NULL)
        if (!read_moved(&identity->moved, line, &ignored))
            sscanf(line, " \"intervals\": %" SCNu64, &identity->intervals);
}

/* Reads the first lines of stats.txt in the folder PATH. */
static bool read_stats(struct identity *identity, const char *path, bool *partial)
{
    FILE *stats = paths_open(path, "stats.txt", "rb");
    int flag = 0;
    bool good = stats != NULL && fscanf(stats,
                                        "version %31s # of hearth\nworkload_digest %16s # of "
                                        "names and sizes of the traces\npartial %1d",
                                        identity->version, identity->workload, &flag) == 3;
    *partial = flag != 0;
    if (stats != NULL)
        fclose(stats);
    return good;
}

bool identity_has_other_workload(const struct identity *identity, const char *path)
{
    struct identity found = {0};
    bool partial;
    return read_stats(&found, path, &partial) &&
           strcmp(found.workload, identity->workload) != 0;
}

bool identity_of_results(struct identity *identity, const char *path, bool *partial)
{
    *identity = (struct identity){0};
    FILE *run = paths_open(path, "run.json", "rb"); /* written last, when all other files
                                                       exist */
    bool good = run != NULL && read_stats(identity, path, partial);
    if (good)
        read_run(identity, run);
    if (run != NULL)
        fclose(run);
    return good && digest_in(path, "config.out", identity->config) &&
           digest_in(path, "plan.out", identity->plan);
}

static bool is_same_place(const struct identity_moved *a, const struct identity_moved *b)
{
    return strcmp(a->plan, b->plan) == 0 && strcmp(a->root, b->root) == 0 &&
           strcmp(a->here, b->here) == 0;
}

/* All digests have the same length, so those in the file can be overwritten. */
void identity_settle(const struct identity *identity, const char *path)
{
    char line[256];
    int at;
    struct identity_moved found;
    const struct identity_moved *now = &identity->moved;
    FILE *run = paths_open(path, "run.json", "r+b");
    for (long begin = 0; run != NULL && fgets(line, sizeof line, run) != NULL;
         begin = ftell(run)) {
        if (!read_moved(&found, line, &at))
            continue;
        if (!is_same_place(&found, now) && fseek(run, begin + at, SEEK_SET) == 0)
            fprintf(run, "%s %s %s", now->plan, now->root, now->here);
        break;
    }
    if (run != NULL)
        fclose(run);
}

static bool is_moved(const struct identity_moved *a, const struct identity_moved *b)
{
    return a->here[0] != '\0' && strcmp(a->plan, b->plan) == 0 &&
           (strcmp(a->root, b->root) == 0 || strcmp(a->here, b->here) == 0);
}

const char *identity_differs(const struct identity *a, const struct identity *b)
{
    return strcmp(a->version, b->version) != 0     ? "version"
           : strcmp(a->workload, b->workload) != 0 ? "workload"
           : strcmp(a->config, b->config) != 0     ? "configuration"
           : a->intervals != b->intervals          ? "length of intervals"
           : strcmp(a->plan, b->plan) != 0 && !is_moved(&a->moved, &b->moved) ? "plan"
                                                                              : NULL;
}
