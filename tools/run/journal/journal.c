#define _GNU_SOURCE /* getline */
#include "tools/run/journal/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/journal/journal_line.h"
#include "traces/base/files/paths.h"

#define HEADER "hearth-journal 1"

/* ---- writing ---- */

static void init(struct journal *journal, const char *folder, double period)
{
    *journal = (struct journal){.folder = folder, .period = period};
    digest_file("/proc/self/exe", journal->program);
    pthread_mutex_init(&journal->mutex, NULL);
}

/* Stops writing: the file stays valid up to its last complete line. */
static void give_up(struct journal *journal)
{
    if (journal->file != NULL)
        fclose(journal->file);
    journal->file = NULL;
}

static void describe(const struct identity *identity, char *text, size_t size)
{
    const struct identity_moved *moved = &identity->moved;
    snprintf(text, size, HEADER " %s %s %s %s %" PRIu64 " %s %s %s", identity->version,
             identity->workload, identity->config, identity->plan, identity->intervals,
             moved->plan, moved->root, moved->here);
}

/* Updates the place in a journal that was moved, if the new first line is as long as the old
 * one, HEAD bytes. */
static void renew_head(struct journal *journal, const struct identity *identity, long head)
{
    char text[256];
    describe(identity, text, sizeof text);
    if ((long)strlen(text) + DIGEST_TEXT + 1 != head)
        return;
    rewind(journal->file);
    journal_line_write(journal->file, text);
    if (fflush(journal->file) != 0)
        give_up(journal);
}

static void write_head(struct journal *journal, const struct identity *identity)
{
    char text[256];
    describe(identity, text, sizeof text);
    journal_line_write(journal->file, text);
    if (fflush(journal->file) != 0)
        give_up(journal);
}

void journal_create(struct journal *journal, const char *folder, double period,
                    const struct identity *identity)
{
    init(journal, folder, period);
    journal->file = paths_open(journal->folder, JOURNAL_FILE, "w");
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
    /* One write() of the whole text: once flushed, it survives the process. */
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

struct journal_reading {
    struct journal *journal;
    const struct journal_run *run;
    struct segments *segments;
    struct notes notes; /* of the next row, as the next member */
    struct intervals intervals;
    struct stacks stacks;
    struct row_parts parts;
    long head;   /* bytes in the first line */
    bool failed; /* a row could not be stored */
    struct error *err;
};

static void drop_pending(struct journal_reading *reading)
{
    notes_finish(&reading->notes);
    intervals_finish(&reading->intervals);
    stacks_finish(&reading->stacks);
    row_parts_finish(&reading->parts);
}

/* Adds the row to SEGMENT, with the notes and intervals that preceded it. */
static bool add_row(struct journal_reading *reading, const struct journal_line *line,
                    struct segment *segment)
{
    const struct plan_launch *launch = &reading->run->plan->items[line->item].launch;
    char name[SEGMENT_NAME];
    const char *label = segments_label(segment, reading->run->plan, name);
    struct row new, *row = &new;
    struct intra_spec spec;
    struct error ignored = {0};
    if (rows_begin(&segment->rows, row, &line->header, label, reading->err) != 0)
        return false;
    row->launch = line->launch;
    row->segments = segment->number;
    row->role = launch->role;
    row->mode = launch->mode;
    row->scale = launch->step->scale;
    row->result = line->result;
    row->outcome = line->outcome;
    if (launch->step->intra != NULL)
        row->intra =
            intra_parse(&spec, launch->step->intra, &ignored) == 0 ? intra_name(&spec) : NULL;
    row->primed = line->primed;
    row->result.peaks = reading->run->peaks;
    row->resumed = true;
    row->notes = reading->notes;
    row->intervals = reading->intervals;
    row->stacks = reading->stacks;
    row->parts = reading->parts;
    if (rows_add(&segment->rows, row, reading->err) != 0)
        return false;
    segment->done = line->item + 1;
    return true;
}

/* Returns false for a row that this plan cannot have. A row that is already there is
 * ignored. */
static bool take_row(struct journal_reading *reading, const struct journal_line *line)
{
    struct segment *segment = segment_of(reading->segments, line->item);
    if (segment == NULL || reading->run->plan->items[line->item].kind != PLAN_LAUNCH ||
        reading->run->skip[line->item])
        return false;
    bool taken = line->item < segment->done || add_row(reading, line, segment);
    reading->failed = !taken;
    drop_pending(reading);
    reading->journal->rows += taken;
    return taken;
}

static bool take_interval(struct journal_reading *reading, const struct interval *interval)
{
    struct interval *item = intervals_new(&reading->intervals);
    if (item != NULL)
        *item = *interval;
    return item != NULL;
}

static bool take_line(struct journal_reading *reading, const struct journal_line *line)
{
    switch (line->kind) {
    case JOURNAL_NOTE:
        notes_add(&reading->notes, line->text, line->count);
        return true;
    case JOURNAL_INTERVAL:
        return take_interval(reading, &line->interval);
    case JOURNAL_STACK:
        return stacks_add(&reading->stacks, &line->stack);
    case JOURNAL_PART:
        return row_parts_add(&reading->parts, &line->part);
    case JOURNAL_ROW:
        return take_row(reading, line);
    }
    return false;
}

/* Segments without remaining launches are done. */
static void pass_ends(const struct journal_reading *reading)
{
    for (size_t s = 0; s < reading->segments->count; s++) {
        struct segment *segment = &reading->segments->items[s];
        size_t item = segment->done;
        while (item < segment->end && (reading->run->skip[item] ||
                                       reading->run->plan->items[item].kind != PLAN_LAUNCH))
            item++;
        if (item == segment->end && segment->rows.count > 0)
            segment->done = item;
    }
}

/* Whether TEXT is the first line of a journal of the same identity. */
static int check_identity(const struct journal *journal, const char *text,
                          const struct identity *identity, struct error *err)
{
    struct identity found = {0};
    struct identity_moved *moved = &found.moved;
    int read = sscanf(text, HEADER " %31s %16s %16s %16s %" SCNu64 " %16s %16s %16s",
                      found.version, found.workload, found.config, found.plan, &found.intervals,
                      moved->plan, moved->root, moved->here);
    if (read < 8)
        *moved = (struct identity_moved){0};
    if (read < 5)
        return error_set(err, ERROR_USAGE, journal->folder, 0, 0,
                         "the interrupted run was made by another version");
    const char *what = identity_differs(&found, identity);
    if (what == NULL)
        return 0;
    return error_set(err, ERROR_USAGE, journal->folder, 0, 0,
                     "the interrupted run has another %s; run without --resume to drop it",
                     what);
}

/* Reads up to the first line that is incomplete or invalid. Returns the end of the last row, 0
 * without a first line, or -1 with ERR filled. */
static long read_lines(struct journal_reading *reading)
{
    struct journal *journal = reading->journal;
    struct journal_line line;
    char *text = NULL;
    size_t room = 0;
    long at = 0, good = 0;
    errno = 0;
    for (ssize_t length; (length = getline(&text, &room, journal->file)) > 0;) {
        if (!journal_line_check(text))
            break;
        if (at == 0 &&
            check_identity(journal, text, reading->run->identity, reading->err) < 0) {
            good = -1;
            break;
        }
        if (at > 0 && (!journal_line_read(&line, text) || !take_line(reading, &line)))
            break;
        if (at == 0)
            reading->head = (long)length;
        at += (long)length;
        if (good == 0 || line.kind == JOURNAL_ROW)
            good = at;
    }
    drop_pending(reading);
    free(text);
    if (reading->failed)
        return -1;
    return errno == ENOMEM ? error_no_memory_for(reading->err, ERROR_OUTPUT, journal->folder)
                           : good;
}

int journal_resume(struct journal *journal, const char *folder, double period,
                   const struct journal_run *run, struct segments *segments, struct error *err)
{
    struct journal_reading reading = {
        .journal = journal, .run = run, .segments = segments, .err = err};
    init(journal, folder, period);
    journal->file = paths_open(journal->folder, JOURNAL_FILE, "r+");
    if (journal->file == NULL)
        return error_set(err, ERROR_OUTPUT, folder, 0, 0, "%s", strerror(errno));
    long good = read_lines(&reading);
    if (good < 0)
        return -1;
    if (good > 0)
        renew_head(journal, run->identity, reading.head);
    /* Further rows are written after the last one. */
    if (journal->file == NULL || fseek(journal->file, good, SEEK_SET) != 0 ||
        ftruncate(fileno(journal->file), good) != 0)
        give_up(journal);
    else if (good == 0)
        write_head(journal, run->identity);
    pass_ends(&reading);
    return 0;
}
