/* States of simulators beside a journal. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/journal/journal.h"
#include "tools/run/journal/journal_line.h"

#define LONGEST 4096 /* bytes of a path */
#define HEADER  "hearth-state 1"

static bool name_of(const struct journal *journal, const struct segment *segment,
                    const char *suffix, char path[LONGEST])
{
    return snprintf(path, LONGEST, "%s/state-%zu%s", journal->folder, segment->number, suffix) <
           LONGEST;
}

/* A state must not be there without the launches that led to it, whatever
 * happens to the machine. */
static bool sync_journal(struct journal *journal)
{
    pthread_mutex_lock(&journal->mutex);
    bool good = journal->file != NULL && fdatasync(fileno(journal->file)) == 0;
    pthread_mutex_unlock(&journal->mutex);
    return good;
}

static bool write_state(const struct journal *journal, const struct segment *segment,
                        size_t done, struct sim *sim, const char *path)
{
    char text[128];
    FILE *out = fopen(path, "wb");
    if (out == NULL)
        return false;
    snprintf(text, sizeof text, HEADER " %s %zu %zu %zu", journal->program, segment->number,
             done, segment->rows.count);
    journal_line_write(out, text);
    bool good = sim_state_save(sim, out, path, NULL) == 0 && fsync(fileno(out)) == 0;
    return fclose(out) == 0 && good;
}

void journal_save_state(struct journal *journal, const struct segment *segment, size_t done,
                        struct sim *sim)
{
    char draft[LONGEST], path[LONGEST];
    if (!name_of(journal, segment, ".part", draft) || !name_of(journal, segment, "", path))
        return;
    if (!write_state(journal, segment, done, sim, draft) || !sync_journal(journal) ||
        rename(draft, path) < 0)
        unlink(draft); /* the one before it still serves */
}

void journal_drop_state(struct journal *journal, const struct segment *segment)
{
    char path[LONGEST];
    if (name_of(journal, segment, "", path))
        unlink(path);
}

/* Loads the state in IN; false if it does not fit what the journal holds. */
static bool read_state(const struct journal *journal, const struct segment *segment, FILE *in,
                       struct sim *sim, size_t *done, size_t *rows)
{
    char line[160], program[DIGEST_TEXT];
    size_t number;
    return fgets(line, sizeof line, in) != NULL && journal_line_check(line) &&
           sscanf(line, HEADER " %16s %zu %zu %zu", program, &number, done, rows) == 4 &&
           strcmp(program, journal->program) == 0 && number == segment->number &&
           *done >= segment->begin && *done <= segment->done && *rows <= segment->rows.count &&
           sim_state_load(sim, in, journal->folder, NULL) == 0;
}

void journal_load_state(struct journal *journal, struct segment *segment, struct sim *sim)
{
    char path[LONGEST];
    size_t done, rows;
    FILE *in = name_of(journal, segment, "", path) ? fopen(path, "rb") : NULL;
    if (in == NULL || !read_state(journal, segment, in, sim, &done, &rows)) {
        sim_reset(sim);
        done = segment->begin;
        rows = 0;
    }
    if (in != NULL)
        fclose(in);
    while (segment->rows.count > rows)
        rows_drop(&segment->rows);
    segment->done = done;
}
