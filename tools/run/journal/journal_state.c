/* States of simulators next to a journal. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/journal/journal.h"
#include "tools/run/journal/journal_line.h"
#include "traces/base/files/output_file.h"

#define LONGEST 4096 /* bytes of a path */
#define HEADER  "hearth-state 1"

static bool name_of(const struct journal *journal, const struct segment *segment,
                    char path[LONGEST])
{
    return snprintf(path, LONGEST, "%s/state-%" PRIu32, journal->folder, segment->number) <
           LONGEST;
}

/* A state must not exist without the launches that led to it, even after the machine
 * crashes. */
static bool sync_journal(struct journal *journal)
{
    pthread_mutex_lock(&journal->mutex);
    bool good = journal->file != NULL && fdatasync(fileno(journal->file)) == 0;
    pthread_mutex_unlock(&journal->mutex);
    return good;
}

static bool write_state(const struct journal *journal, const struct segment *segment,
                        size_t done, struct sim *sim, struct output_file *output)
{
    char text[128];
    FILE *out = output->file;
    snprintf(text, sizeof text, HEADER " %s %" PRIu32 " %zu %zu", journal->program,
             segment->number, done, segment->rows.count);
    journal_line_write(out, text);
    return sim_state_save(sim, out, output->path, NULL) == 0 && fsync(fileno(out)) == 0 &&
           output_file_close(output, NULL) == 0;
}

void journal_save_state(struct journal *journal, const struct segment *segment, size_t done,
                        struct sim *sim)
{
    char path[LONGEST];
    struct output_file output = {0};
    if (!name_of(journal, segment, path) ||
        output_file_open(&output, path, NULL, true, NULL) != 0)
        return;
    if (write_state(journal, segment, done, sim, &output) && sync_journal(journal))
        output_file_commit(&output, NULL);
    output_file_finish(&output); /* after an error the previous state is still valid */
}

void journal_drop_state(struct journal *journal, const struct segment *segment)
{
    char path[LONGEST];
    if (name_of(journal, segment, path))
        unlink(path);
}

/* Loads the state in IN; returns false if it does not fit the journal. */
static bool read_state(const struct journal *journal, const struct segment *segment, FILE *in,
                       struct sim *sim, size_t *done, size_t *rows)
{
    char line[160], program[DIGEST_TEXT];
    uint32_t number;
    return fgets(line, sizeof line, in) != NULL && journal_line_check(line) &&
           sscanf(line, HEADER " %16s %" SCNu32 " %zu %zu", program, &number, done, rows) ==
               4 &&
           strcmp(program, journal->program) == 0 && number == segment->number &&
           *done >= segment->begin && *done <= segment->done && *rows <= segment->rows.count &&
           sim_state_load(sim, in, journal->folder, NULL) == 0;
}

void journal_load_state(struct journal *journal, struct segment *segment, struct sim *sim)
{
    char path[LONGEST];
    size_t done, rows;
    FILE *in = name_of(journal, segment, path) ? fopen(path, "rb") : NULL;
    if (in == NULL || !read_state(journal, segment, in, sim, &done, &rows)) {
        sim_reset(sim);
        done = segment->begin;
        rows = 0;
    }
    if (in != NULL)
        fclose(in);
    rows_cut(&segment->rows, rows);
    segment->done = (uint32_t)done;
}
