/* What a run writes down while it goes on, so that another process can resume
 * it: in the temporary folder of its results the file "journal" with a line
 * for each finished launch, and "state-N", now and then the simulator's state
 * in segment N.
 *
 * A line of the journal is text and ends with a digest of itself; the first
 * one that is not whole ends the journal:
 *
 *   hearth-journal 1 VERSION WORKLOAD CONFIGURATION PLAN INTERVALS   as in struct identity
 *   note ITEM COUNT TEXT                             on the trace of the launch that follows
 *   interval ITEM BEGIN END COUNT...                 of the launch that follows
 *   row ITEM LAUNCH STREAM GRID*3 BLOCK*3 START END GAP PRIMED CHANNELS BUSIEST COUNTER*N NAME
 *
 * ITEM counts the plan's from 0. A launch that was simulated again after a
 * state had been loaded is there again, with the same numbers. A state is
 * written only when the launches in it are in the journal. */
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
    char program[DIGEST_TEXT]; /* digest of the program's file: states fit no other one */
    double period;             /* seconds between two states of a segment */
    pthread_mutex_t mutex;     /* guards all below */
    FILE *file;                /* NULL: could not be written (any more) */
    size_t rows;               /* in it */
};

/* What is carried out. */
struct journal_run {
    const struct identity *identity;
    const struct plan *plan;
    const bool *skip;       /* items of it to leave out */
    struct sim_peaks peaks; /* of the configuration */
};

/* Begins an empty one in FOLDER. That it cannot be written is no error: `file`
 * is NULL then, and the run cannot be resumed. */
void journal_create(struct journal *journal, const char *folder, double period,
                    const struct identity *identity);
/* Reads that of FOLDER into SEGMENTS (rows, and which items are done), and goes
 * on with it. ERROR_USAGE, with what differs, when it is of another identity.
 * Returns 0, or -1 with ERR filled and nothing changed. */
int journal_resume(struct journal *journal, const char *folder, double period,
                   const struct journal_run *run, struct segments *segments, struct error *err);
/* Accepts a zeroed one. */
void journal_finish(struct journal *journal);

/* Writes down the last row of SEGMENT, of launch ITEM of the plan. */
void journal_add(struct journal *journal, const struct row *row, size_t item);

/* Keeps the state of SIM, which stands in front of item DONE of SEGMENT. */
void journal_save_state(struct journal *journal, const struct segment *segment, size_t done,
                        struct sim *sim);
/* It will not be needed: the segment is done. */
void journal_drop_state(struct journal *journal, const struct segment *segment);
/* Takes SEGMENT and SIM back to the last state that was kept: rows behind it
 * are dropped. Without one, to the beginning of the segment. */
void journal_load_state(struct journal *journal, struct segment *segment, struct sim *sim);

#endif
