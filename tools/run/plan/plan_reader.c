#include "tools/run/plan/plan_reader.h"

#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"
#include "traces/base/files/paths.h"
#include "traces/base/number.h"
#include "traces/base/ranges.h"
#include "warmup/warmup.h"

static const char *keep(struct plan_reader *reader, const char *text)
{
    return plan_keep(reader->plan, text, reader->err);
}

static int wrong(struct plan_reader *reader, const struct plan_line *line, const char *key,
                 const char *expected)
{
    const char *value = plan_line_get(line, key);
    int column = 0;
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->pairs[i].key, key) == 0)
            column = line->pairs[i].column;
    if (value == NULL)
        return error_set(reader->err, ERROR_USAGE, line->file, line->number, 0,
                         "!%s: needs %s=, %s", line->word, key, expected);
    return error_set(reader->err, ERROR_USAGE, line->file, line->number, column,
                     "!%s: %s=%s: expected %s", line->word, key, value, expected);
}

/* Finds the value of KEY in the NULL-terminated NAMES. Returns DEFAULT if the key is absent,
 * -1 with the reader's error filled if the value is not among NAMES. */
static int choose(struct plan_reader *reader, const struct plan_line *line, const char *key,
                  const char *const *names, int fallback, const char *expected)
{
    const char *value = plan_line_get(line, key);
    if (value == NULL && fallback >= 0)
        return fallback;
    for (int i = 0; value != NULL && names[i] != NULL; i++)
        if (strcmp(names[i], value) == 0)
            return i;
    return wrong(reader, line, key, expected);
}

static int read_segment(struct plan_reader *reader, const struct plan_line *line)
{
    const char *name = plan_line_get(line, "name");
    if (name == NULL || name[0] == '\0')
        return wrong(reader, line, "name", "a name");
    struct plan_item *item = plan_add(reader->plan, PLAN_SEGMENT, line->number, reader->err);
    if (item == NULL)
        return -1;
    item->segment.text = keep(reader, name);
    return item->segment.text == NULL ? -1 : 0;
}

static int read_flush(struct plan_reader *reader, const struct plan_line *line)
{
    static const char *const dirty[] = {"write", "drop", NULL};
    int level = choose(reader, line, "level", plan_level_names + 1, -1, "l1, l2 or all");
    int drop = choose(reader, line, "dirty", dirty, 0, "write or drop");
    if (level < 0 || drop < 0)
        return -1;
    struct plan_item *item = plan_add(reader->plan, PLAN_FLUSH, line->number, reader->err);
    if (item == NULL)
        return -1;
    item->flush.levels = (unsigned)level + 1; /* l1 = bit 0, l2 = bit 1, all = both */
    item->flush.drop = drop == 1;
    return 0;
}

/* A relative name of a state is relative to the plan's folder; the file need not exist yet. */
static const char *keep_file(struct plan_reader *reader, const char *name)
{
    char *folder = name[0] == '/' ? NULL : plan_own_folder(reader->plan->path);
    if (folder == NULL)
        return keep(reader, name);
    char *path = paths_join(folder, name);
    if (path == NULL)
        error_no_memory(reader->err);
    const char *kept = keep(reader, path);
    free(folder);
    free(path);
    return kept;
}

static int read_file(struct plan_reader *reader, const struct plan_line *line,
                     enum plan_kind kind)
{
    const char *name = plan_line_get(line, "file");
    if (name == NULL || name[0] == '\0')
        return wrong(reader, line, "file", "a file name");
    struct plan_item *item = plan_add(reader->plan, kind, line->number, reader->err);
    if (item == NULL)
        return -1;
    item->text = keep_file(reader, name);
    return item->text == NULL ? -1 : 0;
}

static int read_restore(struct plan_reader *reader, const struct plan_line *line)
{
    return read_file(reader, line, PLAN_RESTORE);
}

static int read_save(struct plan_reader *reader, const struct plan_line *line)
{
    return read_file(reader, line, PLAN_SAVE);
}

/* Reads the decimal number of KEY, up to MOST, if the key is there. */
static int read_decimal(struct plan_reader *reader, const struct plan_line *line,
                        const char *key, double most, const char *expected, double *number)
{
    const char *value = plan_line_get(line, key);
    return value == NULL || number_decimal(value, 0, most, number)
               ? 0
               : wrong(reader, line, key, expected);
}

/* Reads the group, which has sizes above 0. */
static int read_group(struct plan_reader *reader, const struct plan_line *line,
                      struct plan_step *step)
{
    static const char sized[] = "a number above 0, up to 1e15, with group=";
    const char *group = plan_line_get(line, "group");
    if (group != NULL && !number_whole(group, 1, UINT32_MAX, &step->group))
        return wrong(reader, line, "group", "a whole number from 1 to 4294967295");
    if (read_decimal(reader, line, "size", 1e15, sized, &step->size) < 0)
        return -1;
    if ((step->group != 0) == (step->size > 0))
        return 0;
    return wrong(reader, line, "size", sized);
}

static int read_numbers(struct plan_reader *reader, const struct plan_line *line,
                        struct plan_step *step)
{
    static const char expected[] = "a number from 0 to 1e15";
    static const char percentage[] = "a percentage from 0 to below 100";
    if (read_decimal(reader, line, "scale", 1e15, expected, &step->scale) < 0 ||
        read_decimal(reader, line, "prime", 100, percentage, &step->prime_percent) < 0 ||
        read_decimal(reader, line, "spread", 1e15, expected, &step->spread_number) < 0)
        return -1;
    if (step->prime_percent >= 100)
        return wrong(reader, line, "prime", percentage);
    return read_group(reader, line, step);
}

static int check_stands(struct plan_reader *reader, const struct plan_line *line)
{
    const char *value = plan_line_get(line, "stands");
    if (value == NULL)
        return 0;
    struct ranges ranges;
    int result = ranges_init(&ranges, value, "stands", line->file, line->number, reader->err);
    if (result == 0 && ranges_overlap(&ranges))
        result = wrong(reader, line, "stands", "each launch once");
    ranges_finish(&ranges);
    return result;
}

/* Keys that only one of the roles may have. */
static int check_step_keys(struct plan_reader *reader, const struct plan_line *line, bool warm)
{
    static const char *const measure[] = {"scale", "stratum", "stands", "spread",
                                          "prime", "intra",   "group",  "size"};
    for (size_t i = 0; warm && i < sizeof measure / sizeof measure[0]; i++)
        if (plan_line_get(line, measure[i]) != NULL)
            return wrong(reader, line, measure[i], "no such key with role=warm");
    if (!warm && plan_line_get(line, "kind") != NULL)
        return wrong(reader, line, "kind", "no such key with role=measure");
    return 0;
}

/* Keeps STEP, whose numbers are read, with its texts. */
static int keep_step(struct plan_reader *reader, const struct plan_line *line,
                     struct plan_step *step)
{
    step->stratum = keep(reader, plan_line_get(line, "stratum"));
    step->stands = keep(reader, plan_line_get(line, "stands"));
    step->spread = keep(reader, plan_line_get(line, "spread"));
    step->prime = keep(reader, plan_line_get(line, "prime"));
    step->intra = keep(reader, plan_line_get(line, "intra"));
    if (reader->err->kind != ERROR_NONE)
        return -1;
    reader->step.step = plan_add_step(reader->plan, step, reader->err);
    return reader->step.step != NULL ? 0 : -1;
}

static int read_step(struct plan_reader *reader, const struct plan_line *line)
{
    if (reader->stepped)
        return error_set(reader->err, ERROR_USAGE, line->file, line->number, 0,
                         "!step: the one in line %ld still waits for its kernel line",
                         reader->step_line);
    int role = choose(reader, line, "role", plan_role_names, -1, "measure or warm");
    if (role < 0 || check_step_keys(reader, line, role == PLAN_WARM) < 0)
        return -1;
    int mode = choose(reader, line, "kind", plan_mode_names,
                      role == PLAN_WARM ? -1 : PLAN_DETAILED, "detailed, memory or functional");
    struct plan_step step = plan_step_none;
    if (mode < 0 || read_numbers(reader, line, &step) < 0 || check_stands(reader, line) < 0)
        return -1;
    reader->step = (struct plan_launch){
        .step = &plan_step_none, .role = (enum plan_role)role, .mode = (enum plan_mode)mode};
    if (role == PLAN_MEASURE && keep_step(reader, line, &step) < 0)
        return -1;
    reader->stepped = true;
    reader->step_line = line->number;
    return 0;
}

static int once(struct plan_reader *reader, const struct plan_line *line, bool *seen)
{
    if (*seen)
        return error_set(reader->err, ERROR_USAGE, line->file, line->number, 0,
                         "!%s: may stand once in a plan", line->word);
    *seen = true;
    return 0;
}

static int read_workload(struct plan_reader *reader, const struct plan_line *line)
{
    const char *digest = plan_line_get(line, "digest");
    if (once(reader, line, &reader->seen_workload) < 0)
        return -1;
    if (digest != NULL && (reader->plan->digest = strdup(digest)) == NULL)
        return error_no_memory(reader->err);
    return 0; /* find_workload() has read its path */
}

static int read_total(struct plan_reader *reader, const struct plan_line *line)
{
    if (once(reader, line, &reader->seen_total) < 0)
        return -1;
    for (size_t i = 0; i < line->count; i++) {
        uint64_t number;
        if (number_count(line->pairs[i].value, UINT64_MAX, &number) == NUMBER_WRONG)
            return wrong(reader, line, line->pairs[i].key, "a whole number");
    }
    return 0;
}

static int check_confidence(struct plan_reader *reader, const struct plan_line *line)
{
    const char *value = plan_line_get(line, "confidence");
    double number;
    if (value == NULL || (number_decimal(value, 0, 1, &number) && number > 0 && number < 1))
        return 0;
    return wrong(reader, line, "confidence", "a number above 0 and below 1");
}

/* Checks what extrapolation uses; only the method knows the other keys. */
static int check_method(struct plan_reader *reader, const struct plan_line *line)
{
    static const char *const scales[] = {"insts", "launches", "times", NULL};
    static const char *const draws[] = {"random", "rule", NULL};
    return choose(reader, line, "scale", scales, 0, "insts, launches or times") < 0 ||
                   choose(reader, line, "draw", draws, 0, "random or rule") < 0
               ? -1
               : check_confidence(reader, line);
}

static int read_method(struct plan_reader *reader, const struct plan_line *line)
{
    if (once(reader, line, &reader->seen_method) < 0)
        return -1;
    if (plan_line_get(line, "name") == NULL)
        return wrong(reader, line, "name", "a method's name");
    return check_method(reader, line);
}

static int read_warm(struct plan_reader *reader, const struct plan_line *line)
{
    const char *policy = plan_line_get(line, "policy");
    if (once(reader, line, &reader->seen_warm) < 0)
        return -1;
    if (policy == NULL || policy[0] == '\0')
        return wrong(reader, line, "policy", "a policy's name");
    struct warmup ignored;
    struct error err = {0};
    if (warmup_parse(&ignored, policy, &err) != 0)
        return error_set(reader->err, ERROR_USAGE, line->file, line->number, 0, "!warm: %s",
                         err.text);
    reader->plan->warm = keep(reader, policy);
    return reader->plan->warm == NULL ? -1 : 0;
}

/* The words of a plan; with an empty list of keys, any key is allowed. */
static const struct word {
    const char *name;
    int (*read)(struct plan_reader *reader, const struct plan_line *line);
    const char *keys[11];
    bool remark; /* kept as text, for writing the plan */
} words[] = {
    {"workload", read_workload, {"path", "digest"}, false},
    {"total", read_total, {"launches", "warp_insts", "thread_insts"}, true},
    {"method", read_method, {NULL}, true},
    {"warm", read_warm, {"policy"}, true},
    {"segment", read_segment, {"name"}, false},
    {"flush", read_flush, {"level", "dirty"}, false},
    {"restore", read_restore, {"file"}, false},
    {"save", read_save, {"file"}, false},
    {"step",
     read_step,
     {"role", "kind", "scale", "stratum", "stands", "spread", "prime", "intra", "group",
      "size"},
     false},
};

static int check_keys(struct plan_reader *reader, const struct word *word,
                      const struct plan_line *line)
{
    for (size_t i = 0; word->keys[0] != NULL && i < line->count; i++) {
        size_t k = 0;
        while (word->keys[k] != NULL && strcmp(word->keys[k], line->pairs[i].key) != 0)
            k++;
        if (word->keys[k] == NULL)
            return error_set(reader->err, ERROR_USAGE, line->file, line->number,
                             line->pairs[i].column, "!%s has no key \"%s\"", word->name,
                             line->pairs[i].key);
    }
    return 0;
}

int plan_reader_word(struct plan_reader *reader, const char *text, long number)
{
    struct plan_line line;
    if (plan_line_init(&line, text, reader->plan->path, number, reader->err) < 0)
        return -1;
    int result = -1;
    size_t i = 0, count = sizeof words / sizeof words[0];
    while (i < count && strcmp(words[i].name, line.word) != 0)
        i++;
    if (i == count)
        error_set(reader->err, ERROR_USAGE, line.file, number, 2, "unknown word \"!%s\"",
                  line.word);
    else if (check_keys(reader, &words[i], &line) == 0)
        result = words[i].read(reader, &line);
    if (result == 0 && words[i].remark)
        result = plan_add_remark(reader->plan, text, reader->err);
    plan_line_finish(&line);
    return result;
}
