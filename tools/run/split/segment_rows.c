#include "tools/run/split/segment_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/journal/journal_rows.h"
#include "tools/run/split/segment_digests.h"
#include "traces/base/files/paths.h"
#include "traces/base/map.h"
#include "traces/base/ranges.h"

#define HEADER  "hearth-segments 1"
#define HEAD    192 /* room for the first line */
#define NOWHERE (MAP_NONE - 1)

/* ---- choosing ---- */

int segment_rows_choose(struct input *input, const char *list, struct error *err)
{
    const struct plan *plan = input->plan;
    struct ranges ranges;
    uint64_t number = 0, chosen = 0;
    bool saves = false;
    if (ranges_init(&ranges, list, "--segments", NULL, 0, err) != 0)
        return -1;
    for (size_t i = 0; i < plan->count; i++) {
        number += i == 0 || plan->items[i].kind == PLAN_SEGMENT;
        bool in = ranges_contain(&ranges, number);
        chosen += in;
        saves |= plan->items[i].kind == PLAN_SAVE;
        input->skip[i] |= !in;
    }
    ranges_finish(&ranges);
    input->part = true;
    if (saves)
        return error_set(err, ERROR_USAGE, plan->path, 0, 0,
                         "--segments: the plan saves states that other segments need; make "
                         "them with hearth warm --now");
    return chosen > 0 ? 0
                      : error_set(err, ERROR_USAGE, plan->path, 0, 0,
                                  "--segments %s: the plan has %" PRIu64, list, number);
}

/* ---- writing ---- */

static void describe(const struct identity *identity, char text[HEAD])
{
    snprintf(text, HEAD, HEADER " %s %s %s %" PRIu64, identity->version, identity->workload,
             identity->config, identity->intervals);
}

static bool write_segment(const struct segment *segment, const struct journal_run *run,
                          FILE *out)
{
    char text[64], digest[DIGEST_TEXT];
    bool good = segment_digest_make(run->plan, segment->begin, digest) != SIZE_MAX;
    size_t item = segment->begin;
    struct rows_pass pass = {.rows = &segment->rows};
    if (!good)
        return false;
    snprintf(text, sizeof text, "segment %s", digest);
    journal_line_write(out, text);
    for (const struct row *row; good && (row = rows_next(&pass)) != NULL; item++) {
        while (run->plan->items[item].kind != PLAN_LAUNCH)
            item++;
        good = journal_line_write_row(out, row, item - segment->begin);
    }
    rows_leave(&pass);
    return good;
}

int segment_rows_write(const struct segments *segments, const struct journal_run *run,
                       FILE *out, struct error *err)
{
    char text[HEAD];
    bool good = true;
    describe(run->identity, text);
    journal_line_write(out, text);
    for (size_t s = 0; s < segments->count && good; s++)
        good = write_segment(&segments->items[s], run, out);
    snprintf(text, sizeof text, "end %zu", segments->count);
    journal_line_write(out, text);
    return good ? 0 : error_no_memory(err);
}

/* ---- reading ---- */

struct joining {
    struct segments *segments;
    struct journal_rows rows;
    struct map places;       /* by digest: the first segment without rows, or NOWHERE */
    uint32_t *others;        /* of each segment: the next one with the same digest */
    struct segment *segment; /* of the next rows; NULL: the plan has none without rows */
    size_t count;            /* segments of the file */
    bool ended;
    char head[HEAD];
};

static uint64_t key_of(const char *digest)
{
    return strtoull(digest, NULL, 16);
}

/* Finds the segments without rows, from the last one on. */
static int find_places(struct joining *joining, struct error *err)
{
    struct segment_digests digests;
    size_t count = joining->segments->count;
    int result = segment_digests_init(&digests, joining->rows.run->plan, err);
    joining->others = calloc(count + 1, sizeof *joining->others);
    if (result == 0 && joining->others == NULL)
        result = error_no_memory(err);
    for (size_t s = digests.count; s-- > 0 && result == 0;) {
        uint64_t key = key_of(digests.items[s].text);
        uint32_t next = map_get(&joining->places, key);
        joining->others[s] = next != MAP_NONE ? next : NOWHERE;
        if (joining->segments->items[s].rows.count == 0 &&
            !map_set(&joining->places, key, (uint32_t)s))
            result = error_no_memory(err);
    }
    segment_digests_finish(&digests);
    return result;
}

/* The next rows are those of the first segment with this digest that has none. */
static void take_segment(struct joining *joining, const char *digest)
{
    uint64_t key = key_of(digest);
    uint32_t place = map_get(&joining->places, key);
    joining->segment = NULL;
    joining->count++;
    if (place >= NOWHERE)
        return;
    joining->segment = &joining->segments->items[place];
    map_set(&joining->places, key, joining->others[place]); /* the key is there: no memory */
}

/* Takes a line after the first one. Returns false for one that cannot be there. */
static bool take_line(struct joining *joining, char *text)
{
    struct journal_line line;
    if (strncmp(text, "segment ", 8) == 0) {
        take_segment(joining, text + 8);
        return true;
    }
    if (strncmp(text, "end ", 4) == 0)
        return joining->ended = strtoull(text + 4, NULL, 10) == joining->count;
    if (!journal_line_read(&line, text))
        return false;
    if (joining->segment == NULL)
        return true;
    line.item += joining->segment->begin;
    return line.item < segment_end(joining->segment) &&
           journal_rows_take(&joining->rows, &line);
}

static bool read_lines(struct joining *joining, FILE *in)
{
    char *text = NULL;
    size_t room = 0;
    bool good = true, first = true;
    joining->segment = NULL;
    joining->count = 0;
    joining->ended = false;
    for (; good && !joining->ended && getline(&text, &room, in) > 0; first = false)
        good = journal_line_check(text) &&
               (first ? strcmp(text, joining->head) == 0 : take_line(joining, text));
    free(text);
    return good && joining->ended;
}

static int read_folder(struct joining *joining, const char *folder, struct error *err)
{
    FILE *in = paths_open(folder, SEGMENT_ROWS, "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, folder, 0, 0, SEGMENT_ROWS ": %s", strerror(errno));
    errno = 0;
    bool good = read_lines(joining, in);
    bool short_of_memory = errno == ENOMEM;
    fclose(in);
    if (short_of_memory)
        return error_no_memory_for(err, ERROR_USAGE, folder);
    return good || joining->rows.failed
               ? -(int)joining->rows.failed
               : error_set(err, ERROR_USAGE, folder, 0, 0,
                           SEGMENT_ROWS " is damaged, or of another version, workload or "
                                        "configuration");
}

static int read_list(struct joining *joining, const char *path, struct error *err)
{
    char *line = NULL;
    size_t room = 0;
    FILE *list = fopen(path, "r");
    int result = list != NULL ? find_places(joining, err)
                              : error_set(err, ERROR_USAGE, path, 0, 0, "%s", strerror(errno));
    while (result == 0 && getline(&line, &room, list) > 0) {
        line[strcspn(line, "\n")] = '\0';
        result = read_folder(joining, line, err);
    }
    if (result == 0 && !feof(list)) /* also if memory ran out */
        result = error_set(err, ERROR_USAGE, path, 0, 0, "%s", strerror(errno));
    journal_rows_end(&joining->rows);
    if (list != NULL)
        fclose(list);
    free(line);
    return result;
}

int segment_rows_read(struct segments *segments, const struct journal_run *run,
                      const char *list, struct error *err)
{
    struct joining joining = {.segments = segments,
                              .rows = {.run = run, .segments = segments, .err = err}};
    describe(run->identity, joining.head);
    int result = read_list(&joining, list, err);
    map_finish(&joining.places);
    free(joining.others);
    return result;
}
