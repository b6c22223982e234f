#include "sim/config/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/config/reader.h"
#include "traces/base/spelling.h"
#include "traces/base/visible.h"

#define MAX_DEPTH 16        /* nested files */
#define MAX_FILES 256       /* in total */
#define MAX_SIZE  (4 << 20) /* bytes in a file */

/* A file that is being read, and the file that included it. */
struct load_level {
    const struct load_level *outer;
    const char *name;
    unsigned depth;
    bool on_disk;
    dev_t device; /* with the inode, this identifies the file under any name */
    ino_t inode;
};

static int load_nested(struct load *load, const struct load_level *outer,
                       const struct config_reader *at, const char *name);
static int load_level(struct load *load, const struct load_level *outer,
                      const struct config_reader *at, const char *source, const char *path);

void load_finish(struct load *load)
{
    for (size_t i = 0; i < load->name_count; i++)
        free(load->names[i]);
    free(load->names);
}

/* A copy of NAME that LOAD owns. NULL without memory. */
static const char *keep_name(struct load *load, const char *name)
{
    char **names = realloc(load->names, (load->name_count + 1) * sizeof *names);
    char *copy = strdup(name);
    if (names != NULL)
        load->names = names;
    if (names == NULL || copy == NULL) {
        free(copy);
        build_no_memory(load->build);
        return NULL;
    }
    load->names[load->name_count++] = copy;
    return copy;
}

static int unknown_option(const struct load *load, const struct build_place *place,
                          const char *name)
{
    char room[VISIBLE_SHORT];
    const struct sim_option_info *near = sim_option_nearest(name);
    if (near == NULL)
        return error_set(load->build->err, ERROR_USAGE, place->file, place->line, place->column,
                         "there is no option -%s", visible_short(name, room));
    return error_set(load->build->err, ERROR_USAGE, place->file, place->line, place->column,
                     "there is no option -%s; did you mean -%s?", visible_short(name, room),
                     near->name);
}

/* "-name", not "-5" and not a quoted text. */
static bool is_option(const struct config_reader *reader)
{
    const char *t = reader->token;
    return !reader->quoted && t[0] == '-' &&
           ((t[1] >= 'a' && t[1] <= 'z') || (t[1] >= 'A' && t[1] <= 'Z') || t[1] == '_');
}

/* Reads the value of the option NAME, which is at PLACE. */
static int read_value(struct load *load, struct config_reader *reader, const char *name,
                      const struct build_place *place)
{
    char room[VISIBLE_SHORT];
    int got = reader_next(reader, load->build->err);
    if (got < 0)
        return -1;
    if (got == 0 || is_option(reader))
        return error_set(load->build->err, ERROR_USAGE, place->file, place->line, place->column,
                         "-%s: expected a value; got %s", name,
                         got == 0 ? "the end" : visible_short(reader->token, room));
    return 0;
}

static int read_option(struct load *load, struct config_reader *reader,
                       const struct load_level *level)
{
    char room[VISIBLE_SHORT];
    struct build_place place = {reader->file, reader->token_line, reader->token_column};
    if (!is_option(reader))
        return error_set(load->build->err, ERROR_USAGE, place.file, place.line, place.column,
                         "expected an option (-name); got '%s'",
                         visible_short(reader->token, room));
    if (strcmp(reader->token, "-config") == 0)
        return read_value(load, reader, "config", &place) < 0
                   ? -1
                   : load_nested(load, level, reader, reader->token);
    const struct sim_option_info *option = sim_option_find(reader->token + 1);
    if (option == NULL)
        return unknown_option(load, &place, reader->token + 1);
    if (read_value(load, reader, option->name, &place) < 0)
        return -1;
    place.line = reader->token_line;
    place.column = reader->token_column;
    return build_set(load->build, option, reader->token, place);
}

static int read_options(struct load *load, const struct load_level *level, const char *text,
                        size_t size)
{
    struct config_reader reader;
    struct error *err = load->build->err;
    int got;
    bool any = false;
    if (reader_init(&reader, level->name, text, size, err) < 0)
        return -1;
    while ((got = reader_next(&reader, err)) > 0) {
        any = true;
        if (read_option(load, &reader, level) < 0) {
            got = -1;
            break;
        }
    }
    reader_finish(&reader);
    if (!any)
        load->build->empty = level->name;
    return got;
}

/* The contents of FILE, which the caller frees. */
static char *read_all(struct load *load, FILE *file, const char *name, size_t *size)
{
    char *text = malloc(MAX_SIZE + 1);
    if (text == NULL) {
        build_no_memory(load->build);
        return NULL;
    }
    errno = 0;
    *size = fread(text, 1, MAX_SIZE + 1, file);
    if (ferror(file)) {
        error_set(load->build->err, ERROR_USAGE, name, 0, 0, "cannot be read: %s",
                  strerror(errno));
    } else if (*size > MAX_SIZE) {
        error_set(load->build->err, ERROR_USAGE, name, 0, 0,
                  "is longer than %d bytes: not an option file", MAX_SIZE);
    } else {
        return text;
    }
    free(text);
    return NULL;
}

static bool includes_itself(const struct load_level *level)
{
    for (const struct load_level *outer = level->outer; outer != NULL; outer = outer->outer)
        if (outer->on_disk && outer->device == level->device && outer->inode == level->inode)
            return true;
    return false;
}

static int read_open_file(struct load *load, struct load_level *level, FILE *file)
{
    struct stat status;
    size_t size;
    if (fstat(fileno(file), &status) == 0) {
        level->on_disk = S_ISREG(status.st_mode);
        level->device = status.st_dev;
        level->inode = status.st_ino;
    }
    if (level->on_disk && includes_itself(level))
        return error_set(load->build->err, ERROR_USAGE, level->name, 0, 0, "includes itself");
    char *text = read_all(load, file, level->name, &size);
    if (text == NULL)
        return -1;
    int result = read_options(load, level, text, size);
    free(text);
    return result;
}

static const struct sim_bundled_config *find_bundled(const char *name)
{
    const struct sim_bundled_config *bundled = sim_bundled_configs;
    while (bundled->name != NULL && strcasecmp(bundled->name, name) != 0)
        bundled++;
    return bundled->name != NULL ? bundled : NULL;
}

static int load_bundled(struct load *load, struct load_level *level,
                        const struct sim_bundled_config *bundled)
{
    bool before = load->build->bundled;
    load->build->bundled = true;
    int result = read_options(load, level, bundled->text, bundled->size);
    load->build->bundled = before;
    return result;
}

static int no_source(const struct load *load, const char *path)
{
    char hint[SPELLING_HINT];
    const char *reason = strerror(errno);
    struct spelling_guess guess = spelling_guess(path);
    for (const struct sim_bundled_config *b = sim_bundled_configs; b->name != NULL; b++)
        spelling_consider(&guess, b->name);
    return error_set(load->build->err, ERROR_USAGE, path, 0, 0,
                     "%s, and not a bundled configuration%s", reason,
                     guess.name != NULL ? spelling_hint(&guess, "", hint)
                                        : "; hearth config list shows these");
}

/* Loads what Accel-Sim keeps in the folder PATH: one file or both of them. */
static int load_folder(struct load *load, const struct load_level *level)
{
    static const char *const names[] = {"gpgpusim.config", "trace.config"};
    size_t found = 0, size = strlen(level->name) + sizeof "/gpgpusim.config";
    char *path = malloc(size);
    if (path == NULL)
        return build_no_memory(load->build);
    int result = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && result == 0; i++) {
        snprintf(path, size, "%s/%s", level->name, names[i]);
        if (access(path, F_OK) != 0)
            continue;
        found++;
        result = load_level(load, level, NULL, path, path);
    }
    free(path);
    return found > 0 ? result
                     : error_set(load->build->err, ERROR_USAGE, level->name, 0, 0,
                                 "a folder without %s and %s", names[0], names[1]);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Loads SOURCE at PATH; AT is where it is included, NULL for the caller. */
static int load_level(struct load *load, const struct load_level *outer,
                      const struct config_reader *at, const char *source, const char *path)
{
    struct load_level level = {.outer = outer, .depth = outer != NULL ? outer->depth + 1 : 0};
    const struct sim_bundled_config *bundled = find_bundled(source);
    level.name = keep_name(load, bundled != NULL ? source : path);
    if (level.name == NULL)
        return -1;
    if (bundled != NULL)
        return load_bundled(load, &level, bundled);
    if (is_folder(path))
        return load_folder(load, &level);
    FILE *file = fopen(path, "rb");
    if (file == NULL && at != NULL)
        return error_set(load->build->err, ERROR_USAGE, at->file, at->token_line,
                         at->token_column, "-config: %s: %s", path, strerror(errno));
    if (file == NULL)
        return no_source(load, path);
    int result = read_open_file(load, &level, file);
    fclose(file);
    return result;
}

/* "-config NAME" in a file: relative to that file's folder. */
static int load_nested(struct load *load, const struct load_level *outer,
                       const struct config_reader *at, const char *name)
{
    const char *slash = strrchr(outer->name, '/');
    int folder = slash == NULL || name[0] == '/' ? 0 : (int)(slash - outer->name) + 1;
    if (outer->depth + 1 > MAX_DEPTH || load->name_count >= MAX_FILES)
        return error_set(load->build->err, ERROR_USAGE, at->file, at->token_line,
                         at->token_column,
                         "-config: expected at most %d files inside each other, %d in all",
                         MAX_DEPTH, MAX_FILES);
    size_t size = (size_t)folder + strlen(name) + 1;
    char *path = malloc(size);
    if (path == NULL)
        return build_no_memory(load->build);
    snprintf(path, size, "%.*s%s", folder, outer->name, name);
    int result = load_level(load, outer, at, name, path);
    free(path);
    return result;
}

int load_source(struct load *load, const char *source)
{
    return load_level(load, NULL, NULL, source, source);
}

int load_text(struct load *load, const char *name, const char *text, size_t size)
{
    struct load_level level = {.name = keep_name(load, name)};
    return level.name == NULL ? -1 : read_options(load, &level, text, size);
}

/* Changes blanks as quotes in a file do: one between words, none around them. */
static void join_words(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != ' ')
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

/* What an option file could not express. */
static const char *unprintable(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '"' || *c == '#' || (unsigned char)*c < ' ' || *c == 0x7f)
            return c;
    return NULL;
}

static int set_named(struct load *load, const char *label, char *name)
{
    char *equals = strchr(name, '=');
    struct build_place place = {.file = label, .column = 1};
    if (equals == NULL)
        return error_set(load->build->err, ERROR_USAGE, label, 0, 0, "expected NAME=VALUE");
    *equals = '\0';
    const struct sim_option_info *option = sim_option_find(name);
    if (option == NULL)
        return unknown_option(load, &place, name);
    place.column = (int)(equals - name) + 2;
    const char *bad = unprintable(equals + 1);
    if (bad != NULL)
        return error_set(load->build->err, ERROR_USAGE, label, 0, 0,
                         "-%s: a value holds no quotes, '#' or control characters",
                         option->name);
    join_words(equals + 1);
    return build_set(load->build, option, equals + 1, place);
}

int load_set(struct load *load, const char *set)
{
    size_t size = strlen(set) + sizeof "--set ";
    char *text = malloc(size);
    if (text == NULL)
        return build_no_memory(load->build);
    snprintf(text, size, "--set %s", set);
    char room[VISIBLE_SHORT];
    const char *label = keep_name(load, visible_short(text, room));
    char *given = text + strlen("--set ");
    given += given[0] == '-'; /* as files write names */
    int result = label == NULL ? -1 : set_named(load, label, given);
    free(text);
    return result;
}
