#define _GNU_SOURCE /* asprintf */
#include "traces/base/files/path_guess.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/base/spelling.h"

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
}

/* ---- misspelt paths ---------------------------------------------------- */

/* The entry of FOLDER that NAME means; to be freed. A suffix need not be in NAME. */
static char *guess_entry(const char *folder, const char *name)
{
    struct dirent **entries;
    struct spelling_guess guess = spelling_guess(name);
    const char *best = NULL;
    const int count = scandir(folder[0] != '\0' ? folder : ".", &entries, visible, alphasort);
    for (int i = 0; i < count; i++) {
        const unsigned limit = guess.limit;
        char stem[sizeof entries[i]->d_name];
        strcpy(stem, entries[i]->d_name);
        spelling_consider(&guess, stem);
        stem[strcspn(stem, ".")] = '\0';
        if (strchr(name, '.') == NULL)
            spelling_consider(&guess, stem);
        if (guess.limit < limit)
            best = entries[i]->d_name;
    }
    char *found = best != NULL ? strdup(best) : NULL;
    free_entries(entries, count);
    return found;
}

/* PATH and PART; PATH is freed. */
static char *join(char *path, const char *part)
{
    char *longer;
    if (asprintf(&longer, "%s%s", path, part) < 0)
        longer = NULL;
    free(path);
    return longer;
}

/* PATH, which is freed, and PART, as it is or as it is probably meant; NULL: it means nothing
 * that exists. */
static char *append(char *path, const char *part, bool *guessed)
{
    char *whole, *entry = NULL;
    struct stat status;
    if (asprintf(&whole, "%s%s", path, part) < 0)
        whole = NULL;
    const bool missing = whole != NULL && stat(whole, &status) != 0;
    if (missing && errno == ENOENT)
        entry = guess_entry(path, part);
    free(whole);
    char *longer = NULL;
    if (!missing || entry != NULL)
        longer = join(path, missing ? entry : part);
    else
        free(path);
    *guessed |= missing;
    free(entry);
    return longer;
}

char *path_guess_hint(const char *path)
{
    bool guessed = false;
    char *made = strdup(""), *copy = strdup(path);
    for (char *at = copy; made != NULL && at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "/"), slashes = strspn(at + length, "/");
        at[length] = '\0';
        if (length > 0)
            made = append(made, at, &guessed);
        if (made != NULL && slashes > 0)
            made = join(made, "/");
        at += length + slashes;
    }
    char *hint = NULL;
    if (made != NULL && guessed && asprintf(&hint, "; did you mean %s?", made) < 0)
        hint = NULL;
    free(copy);
    free(made);
    return hint;
}

int path_guess_fail(const char *file, const char *path, const char *otherwise,
                    struct error *err)
{
    const int why = errno;
    char *hint = why == ENOENT && path != NULL ? path_guess_hint(path) : NULL;
    error_set(err, ERROR_TRACE, file, 0, 0, "%s%s%s%s%s",
              otherwise == NULL ? "cannot open: " : "", strerror(why),
              otherwise != NULL ? ": " : "", otherwise != NULL ? otherwise : "",
              hint != NULL ? hint : "");
    free(hint);
    return -1;
}

/* ---- files below a folder ---------------------------------------------- */

#define DEEPEST   3
#define MOST_SEEN 10000 /* entries that are looked at */
#define SHOWN     3

struct path_search {
    bool (*wanted)(const char *name);
    char *found[SHOWN];
    int count, seen;
};

/* Takes the wanted files that are DEPTH folders below FOLDER. */
static void look(struct path_search *search, const char *folder, int depth)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, visible, alphasort);
    for (int i = 0; i < count && search->count <= SHOWN && search->seen < MOST_SEEN; i++) {
        char *path;
        struct stat status;
        if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0)
            break;
        search->seen++;
        const bool there = lstat(path, &status) == 0;
        if (there && depth > 0 && S_ISDIR(status.st_mode))
            look(search, path, depth - 1);
        if (there && depth == 0 && S_ISREG(status.st_mode) &&
            search->wanted(entries[i]->d_name)) {
            if (search->count++ < SHOWN) {
                search->found[search->count - 1] = path;
                continue;
            }
        }
        free(path);
    }
    free_entries(entries, count);
}

char *path_guess_below(const char *folder, bool (*wanted)(const char *name))
{
    struct path_search search = {.wanted = wanted};
    char *text = NULL;
    const size_t length = strlen(folder);
    char *start =
        strndup(folder, length > 1 && folder[length - 1] == '/' ? length - 1 : length);
    for (int depth = 0; start != NULL && depth <= DEEPEST; depth++)
        look(&search, start, depth);
    const char *const *found = (const char *const *)search.found;
    const char *others = search.count > SHOWN ? " and others" : "";
    const char *last = search.count == 2 ? " and " : ", ";
    if (search.count > 0 &&
        asprintf(&text, "%s%s%s%s%s%s", found[0], search.count > 1 ? last : "",
                 search.count > 1 ? found[1] : "", search.count > 2 ? ", " : "",
                 search.count > 2 ? found[2] : "", others) < 0)
        text = NULL;
    for (int i = 0; i < SHOWN; i++)
        free(search.found[i]);
    free(start);
    return text;
}
