#define _GNU_SOURCE /* getline */
#include "tools/run/journal/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/journal/journal_line.h"
#include "tools/run/journal/journal_rows.h"
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

struct journal_reading {
    struct journal *journal;
    struct journal_rows rows;
    long head; /* bytes in the first line */
};

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
    return error_set(
        err, ERROR_USAGE, journal->folder, 0, 0,
        "the interrupted run has another %s: name another folder, or remove this one", what);
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
            check_identity(journal, text, reading->rows.run->identity, reading->rows.err) < 0) {
            good = -1;
            break;
        }
        if (at > 0 &&
            (!journal_line_read(&line, text) || !journal_rows_take(&reading->rows, &line)))
            break;
        if (at == 0)
            reading->head = (long)length;
        at += (long)length;
        if (good == 0 || line.kind == JOURNAL_ROW)
            good = at;
    }
    bool short_memory = errno == ENOMEM;
    free(text);
    journal->rows = reading->rows.rows;
    journal_rows_end(&reading->rows);
    if (reading->rows.failed)
        return -1;
    return short_memory ? error_no_memory_for(reading->rows.err, ERROR_OUTPUT, journal->folder)
                        : good;
}

int journal_resume(struct journal *journal, const char *folder, double period,
                   const struct journal_run *run, struct segments *segments, struct error *err)
{
    struct journal_reading reading = {.journal = journal,
                                      .rows = {.run = run, .segments = segments, .err = err}};
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
    return 0;
}
