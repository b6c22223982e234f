#define _GNU_SOURCE /* getline */
#include "tools/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "tools/journal_line.h"

#define LONGEST 4096 /* bytes of a path */
#define HEADER  "hearth-journal 1"

/* ---- writing ---- */

static void digest_program(char digest[DIGEST_TEXT])
{
    unsigned char piece[1 << 16];
    XXH64_state_t *state = XXH64_createState();
    FILE *in = fopen("/proc/self/exe", "rb");
    XXH64_hash_t sum = 0;
    if (state != NULL && in != NULL && XXH64_reset(state, 0) == XXH_OK) {
        for (size_t got; (got = fread(piece, 1, sizeof piece, in)) > 0;)
            XXH64_update(state, piece, got);
        sum = XXH64_digest(state);
    }
    if (in != NULL)
        fclose(in);
    XXH64_freeState(state);
    snprintf(digest, DIGEST_TEXT, "%016" PRIx64, (uint64_t)sum);
}

static void init(struct journal *journal, const char *folder, double interval)
{
    *journal = (struct journal){.folder = folder, .interval = interval};
    digest_program(journal->program);
    pthread_mutex_init(&journal->mutex, NULL);
}

static bool name_in(const struct journal *journal, char path[LONGEST], const char *name)
{
    return snprintf(path, LONGEST, "%s/%s", journal->folder, name) < LONGEST;
}

static FILE *open_in(const struct journal *journal, const char *name, const char *mode)
{
    char path[LONGEST];
    return name_in(journal, path, name) ? fopen(path, mode) : NULL;
}

/* Gives up: what is in the file stays good up to its last whole line. */
static void give_up(struct journal *journal)
{
    if (journal->file != NULL)
        fclose(journal->file);
    journal->file = NULL;
}

static void describe(const struct identity *identity, char *text, size_t size)
{
    snprintf(text, size, HEADER " %s %s %s %s", identity->version, identity->workload,
             identity->config, identity->plan);
}

static void write_head(struct journal *journal, const struct identity *identity)
{
    char text[256];
    describe(identity, text, sizeof text);
    journal_line_write(journal->file, text);
    if (fflush(journal->file) != 0)
        give_up(journal);
}

void journal_create(struct journal *journal, const char *folder, double interval,
                    const struct identity *identity)
{
    init(journal, folder, interval);
    journal->file = open_in(journal, JOURNAL_FILE, "w");
    if (journal->file != NULL)
        write_head(journal, identity);
}

void journal_finish(struct journal *journal)
{
    if (journal->folder == NULL)
        return;
    give_up(journal);
    pthread_mutex_destroy(&journal->mutex);
    *journal = (struct journal){0};
}

void journal_add(struct journal *journal, const struct row *row, size_t item)
{
    pthread_mutex_lock(&journal->mutex);
    /* One write() of all: flushed, it outlives the process. */
    if (journal->file != NULL &&
        (!journal_line_write_row(journal->file, row, item) || fflush(journal->file) != 0))
        give_up(journal);
    journal->rows += journal->file != NULL;
    pthread_mutex_unlock(&journal->mutex);
}

/* ---- reading ---- */

static struct segment *segment_of(struct segments *segments, size_t item)
{
    for (size_t low = 0, high = segments->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        struct segment *segment = &segments->items[middle];
        if (item < segment->begin)
            high = middle;
        else if (item >= segment->end)
            low = middle + 1;
        else
            return segment;
    }
    return NULL;
}

struct reading {
    struct journal *journal;
    const struct plan *plan;
    const bool *skip;
    struct segments *segments;
    struct notes notes; /* on the row to come */
    struct error *err;
};

/* False at a row that this plan cannot have. One that is there already is
 * passed over. */
static bool take_row(struct reading *reading, const struct journal_line *line)
{
    struct segment *segment = segment_of(reading->segments, line->item);
    const struct plan_item *item = segment != NULL ? &reading->plan->items[line->item] : NULL;
    if (item == NULL || item->kind != PLAN_LAUNCH || reading->skip[line->item])
        return false;
    if (line->item < segment->done)
        return true;
    struct row *row = rows_add(&segment->rows, &line->header, segment->label, reading->err);
    if (row == NULL)
        return false;
    row->launch = line->launch;
    row->segments = segment->number;
    row->role = item->launch.role;
    row->mode = item->launch.mode;
    row->scale = item->launch.scale;
    row->result = line->result;
    row->resumed = true;
    row->notes = reading->notes;
    reading->notes = (struct notes){0};
    segment->done = line->item + 1;
    return true;
}

static bool take_line(struct reading *reading, char *text)
{
    struct journal_line line;
    if (!journal_line_read(&line, text))
        return false;
    if (line.kind == JOURNAL_NOTE) {
        notes_add(&reading->notes, line.text, line.count);
        return true;
    }
    bool taken = take_row(reading, &line);
    notes_finish(&reading->notes);
    reading->journal->rows += taken;
    return taken;
}

/* Segments of which no launch is left are done to their end. */
static void pass_ends(const struct reading *reading)
{
    for (size_t s = 0; s < reading->segments->count; s++) {
        struct segment *segment = &reading->segments->items[s];
        size_t item = segment->done;
        while (item < segment->end &&
               (reading->skip[item] || reading->plan->items[item].kind != PLAN_LAUNCH))
            item++;
        if (item == segment->end && segment->rows.count > 0)
            segment->done = item;
    }
}

/* Whether TEXT is the first line of a journal of IDENTITY. */
static int check_identity(const struct journal *journal, const char *text,
                          const struct identity *identity, struct error *err)
{
    struct identity found = {0};
    if (sscanf(text, HEADER " %31s %16s %16s %16s", found.version, found.workload, found.config,
               found.plan) != 4)
        return error_set(err, ERROR_USAGE, journal->folder, 0, 0,
                         "the interrupted run is of another version");
    const char *what = identity_differs(&found, identity);
    if (what == NULL)
        return 0;
    return error_set(err, ERROR_USAGE, journal->folder, 0, 0,
                     "the interrupted run is of another %s; run without --resume to drop it",
                     what);
}

/* Reads all whole lines; the file then ends with the last of them. */
static int read_lines(struct reading *reading, const struct identity *identity)
{
    struct journal *journal = reading->journal;
    char *line = NULL;
    size_t room = 0;
    long good = 0;
    int result = 0;
    for (ssize_t length; result == 0 && (length = getline(&line, &room, journal->file)) > 0;) {
        if (!journal_line_check(line))
            break;
        if (good == 0)
            result = check_identity(journal, line, identity, reading->err);
        else if (!take_line(reading, line))
            break;
        good += (long)length;
    }
    notes_finish(&reading->notes);
    free(line);
    if (result < 0)
        return -1;
    if (fseek(journal->file, good, SEEK_SET) != 0 ||
        ftruncate(fileno(journal->file), good) != 0)
        give_up(journal);
    else if (good == 0)
        write_head(journal, identity);
    return 0;
}

int journal_resume(struct journal *journal, const char *folder, double interval,
                   const struct identity *identity, const struct plan *plan, const bool *skip,
                   struct segments *segments, struct error *err)
{
    struct reading reading = {
        .journal = journal, .plan = plan, .skip = skip, .segments = segments, .err = err};
    init(journal, folder, interval);
    journal->file = open_in(journal, JOURNAL_FILE, "r+");
    if (journal->file == NULL)
        return error_set(err, ERROR_OUTPUT, folder, 0, 0, "%s", strerror(errno));
    if (read_lines(&reading, identity) < 0)
        return -1;
    pass_ends(&reading);
    return 0;
}
