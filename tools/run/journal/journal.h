/* The journal of a run, from which another process can resume it. It is in the temporary
 * folder of the results: the file "journal" has a line for each finished launch, and the file
 * "state-N" has the state of the simulator in segment N, saved from time to time.
 *
 * A line of the journal is text and ends with its digest; the first incomplete line ends the
 * journal:
 *
 *   hearth-journal 1 VERSION WORKLOAD CONFIGURATION PLAN INTERVALS   as in struct identity
 *   note ITEM COUNT TEXT                             on the trace of the next launch
 *   interval ITEM BEGIN END COUNT...                 of the next launch
 *   row ITEM LAUNCH STREAM GRID*3 BLOCK*3 START END GAP PRIMED CHANNELS BUSIEST COUNTER*N NAME
 *
 * ITEM counts the plan's items from 0. A launch that was simulated again after a state was
 * loaded is listed again, with the same numbers. A state is written only when its launches are
 * in the journal. */
#ifndef HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_H
#define HEARTH_TOOLS_RUN_JOURNAL_JOURNAL_H

#include <pthread.h>
#include <stdbool.h>

#include "sim/sim.h"
#include "tools/run/journal/identity.h"
#include "tools/run/segments.h"

#define JOURNAL_FILE "journal"

struct journal {
    const char *folder;        /* not owned */
    char program[DIGEST_TEXT]; /* digest of the program's file: only this program can load
                                  the states */
    double period;             /* seconds between two states of a segment */
    pthread_mutex_t mutex;     /* guards all members below */
    FILE *file;                /* NULL: cannot be written (any more) */
    size_t rows;               /* in the file */
};

/* What is executed. */
struct journal_run {
    const struct identity *identity;
    const struct plan *plan;
    const bool *skip;       /* its items to skip */
    struct sim_peaks peaks; /* of the configuration */
};

/* Creates an empty journal in FOLDER. If it cannot be written, that is no error: `file` is
 * NULL then, and the run cannot be resumed. */
void journal_create(struct journal *journal, const char *folder, double period,
                    const struct identity *identity);
/* Reads the journal of FOLDER into SEGMENTS (rows, and which items are done), and appends to
 * it from then on. ERROR_USAGE, with the difference, if it has another identity. Returns 0, or
 * -1 with ERR filled and nothing changed. */
int journal_resume(struct journal *journal, const char *folder, double period,
                   const struct journal_run *run, struct segments *segments, struct error *err);
/* Accepts a zeroed one. */
void journal_finish(struct journal *journal);

/* Writes the last row of SEGMENT, of item ITEM of the plan. */
void journal_add(struct journal *journal, const struct row *row, size_t item);

/* Saves the state of SIM, which is before item DONE of SEGMENT. */
void journal_save_state(struct journal *journal, const struct segment *segment, size_t done,
                        struct sim *sim);
/* Removes the state of SEGMENT, which is done. */
void journal_drop_state(struct journal *journal, const struct segment *segment);
/* Takes SEGMENT and SIM back to the last saved state and drops later rows. Without a state,
 * takes them back to the beginning of the segment. */
void journal_load_state(struct journal *journal, struct segment *segment, struct sim *sim);

#endif
