/* A segment while it is carried out: what the files that do so share. */
#ifndef HEARTH_TOOLS_RUN_RUNNING_H
#define HEARTH_TOOLS_RUN_RUNNING_H

#include "tools/run/execute.h"
#include "tools/run/prime.h"

struct running {
    struct execution *execution;
    struct segment *segment;
    struct sim *sim;
    struct progress_launch progress; /* of the launch that runs */
    struct prime prime;              /* likewise; empty unless a part is not measured */
    bool primes;
    double saved; /* when its state was last kept, or it began */
};

/* Adds the row of a launch that is about to run; NULL with the segment's error. */
struct row *running_add_row(struct running *running, const struct plan_launch *launch,
                            const struct trace_header *header);
/* Whether a signal, a limit or an earlier segment's end asks to stop; the
 * segment then says which, but for the last of these: it has no reason of its
 * own. NOW as for limits_reached(). */
bool running_must_stop(const struct running *running, const struct sim_progress *now);
/* Notes of the reader on a trace that was read to its end. */
void running_take_notes(struct notes *notes, const struct trace_kernel *kernel);
/* Writes down a launch that has ended, ITEM of the plan. */
void running_add_to_journal(const struct running *running, const struct row *row, size_t item);
/* Keeps the simulator's state in front of item DONE, now and then. */
void running_save_state(struct running *running, size_t done);
/* How many warps a launch has; 0: unknown. */
uint64_t running_warps(const struct running *running, const struct plan_launch *launch);

/* Whether ITEM is a launch that others can overlap: one with time. */
bool running_overlaps(const struct plan_item *item);

/* Carries out the segment's launches from its first undone item on, up to an item that does
 * not overlap, those of different streams at once (sim_run_overlapped()). True when all of them
 * were simulated to their end. Rows are in the order of the plan; of those that were stopped,
 * only launches with none unfinished in front of them are kept. */
bool running_overlap(struct running *running);

#endif
