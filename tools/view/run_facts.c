#include "tools/view/run_facts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "traces/base/files/paths.h"

/* Reads the JSON text that begins at *AT, a quotation mark, and moves *AT behind it. The result
 * is to be freed; NULL if memory is short or there is none. */
static char *read_text(const char **at)
{
    const char *from = *at;
    if (*from != '"')
        return NULL;
    char *text = malloc(strlen(from) + 1), *to = text;
    if (text == NULL)
        return NULL;
    for (from++; *from != '\0' && *from != '"'; from++) {
        unsigned code;
        if (*from != '\\') {
            *to++ = *from;
        } else if (from[1] == 'u' && sscanf(from + 2, "%4x", &code) == 1) {
            *to++ = code < 128 ? (char)code : '?';
            from += 5;
        } else if (from[1] != '\0') {
            from++;
            *to++ = *from == 'n' || *from == 't' ? ' ' : *from;
        }
    }
    *to = '\0';
    *at = *from == '"' ? from + 1 : from;
    return text;
}

/* Appends WORD to *TEXT after BETWEEN. False if memory is short. */
static bool append(char **text, const char *between, const char *word)
{
    size_t length = *text != NULL ? strlen(*text) : 0;
    char *longer = realloc(*text, length + strlen(between) + strlen(word) + 1);
    if (longer == NULL)
        return false;
    longer[length] = '\0';
    if (length > 0)
        strcat(longer, between);
    strcat(longer, word);
    *text = longer;
    return true;
}

/* The value of the option that WORD is, or that stood BEFORE it; NULL: of another one. */
static const char *value_of(const char *word, const char *before, const char *letter,
                            const char *name)
{
    size_t length = strlen(name);
    if (strcmp(before, letter) == 0 || strcmp(before, name) == 0)
        return word;
    if (strncmp(word, name, length) == 0 && word[length] == '=')
        return word + length + 1;
    return NULL;
}

static bool read_command(struct run_facts *facts, const char *at)
{
    char *word, *before = NULL;
    bool good = append(&facts->command, "", "hearth");
    for (at += strcspn(at, "\""); good && (word = read_text(&at)) != NULL;
         at += strcspn(at, "\"")) {
        const char *config = value_of(word, before != NULL ? before : "", "-c", "--config");
        const char *set = value_of(word, before != NULL ? before : "", "--set", "--set");
        good = append(&facts->command, " ", word) &&
               (config == NULL || append(&facts->configurations, ", ", config)) &&
               (set == NULL || append(&facts->settings, " ", set));
        free(before);
        before = word;
    }
    free(before);
    return good;
}

/* Takes a line of run.json. */
static bool read_line(struct run_facts *facts, const char *line)
{
    const struct {
        const char *key;
        char **text;
    } texts[] = {{"version", &facts->version},
                 {"workload", &facts->workload},
                 {"host", &facts->host},
                 {"date", &facts->date},
                 {"stop_reason", &facts->stop_reason}};
    char key[32];
    int used = 0;
    if (sscanf(line, " \"%31[a-z_]\": %n", key, &used) != 1 || used == 0)
        return true;
    const char *value = line + used;
    if (strcmp(key, "command") == 0)
        return facts->command != NULL || read_command(facts, value);
    if (strcmp(key, "wall_seconds") == 0)
        facts->wall_seconds = strtod(value, NULL);
    if (strcmp(key, "partial") == 0)
        facts->partial = strncmp(value, "true", 4) == 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0 && *texts[i].text == NULL && *value == '"' &&
            (*texts[i].text = read_text(&value)) == NULL)
            return false;
    return true;
}

static bool read_run(struct run_facts *facts, const char *folder)
{
    FILE *in = paths_open(folder, "run.json", "r");
    if (in == NULL && errno == ENOMEM)
        return false;
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    while (good && in != NULL && getline(&line, &room, in) >= 0)
        good = read_line(facts, line);
    good &= in == NULL || feof(in) != 0; /* a line may have found no memory */
    free(line);
    if (in != NULL)
        fclose(in);
    facts->bare = in == NULL;
    return good;
}

/* Takes a line of stats.txt. False if memory is short. */
static bool read_statistic(struct run_facts *facts, const char *line)
{
    char version[32];
    int partial;
    if (sscanf(line, "version %31s", version) == 1 && facts->version == NULL)
        return (facts->version = strdup(version)) != NULL;
    if (sscanf(line, "partial %d", &partial) == 1)
        facts->partial |= partial != 0;
    else if (sscanf(line, "workload_digest %16s", facts->digest) != 1 &&
             sscanf(line, "extrapolated.cycles %lf", &facts->whole_cycles) != 1)
        sscanf(line, "extrapolated.cycles.error %lf", &facts->whole_cycles_error);
    return true;
}

static bool read_statistics(struct run_facts *facts, const char *folder)
{
    FILE *in = paths_open(folder, "stats.txt", "r");
    char line[512];
    bool good = in != NULL || errno != ENOMEM;
    while (good && in != NULL && fgets(line, sizeof line, in) != NULL)
        good = read_statistic(facts, line);
    if (in != NULL)
        fclose(in);
    return good;
}

/* When kernels.csv was written. False if memory is short. */
static bool read_file_date(struct run_facts *facts, const char *folder)
{
    struct stat status;
    struct tm day;
    char text[64];
    FILE *in = paths_open(folder, "kernels.csv", "r");
    if (in == NULL && errno == ENOMEM)
        return false;
    bool known = in != NULL && fstat(fileno(in), &status) == 0 &&
                 gmtime_r(&status.st_mtime, &day) != NULL &&
                 strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day) > 0;
    if (in != NULL)
        fclose(in);
    return !known || (facts->date = strdup(text)) != NULL;
}

bool run_facts_read(struct run_facts *facts, const char *folder)
{
    *facts =
        (struct run_facts){.wall_seconds = NAN, .whole_cycles = NAN, .whole_cycles_error = NAN};
    if (!read_run(facts, folder) || !read_statistics(facts, folder) ||
        (facts->bare && !read_file_date(facts, folder)))
        return false;
    char **const texts[] = {&facts->version,        &facts->command, &facts->workload,
                            &facts->host,           &facts->date,    &facts->stop_reason,
                            &facts->configurations, &facts->settings};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i] == NULL && (*texts[i] = strdup("")) == NULL)
            return false;
    return true;
}

void run_facts_finish(struct run_facts *facts)
{
    free(facts->version);
    free(facts->command);
    free(facts->workload);
    free(facts->host);
    free(facts->date);
    free(facts->stop_reason);
    free(facts->configurations);
    free(facts->settings);
}
