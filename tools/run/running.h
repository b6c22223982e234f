/* Private to tools/run: a segment while it is executed. */
#ifndef HEARTH_TOOLS_RUN_RUNNING_H
#define HEARTH_TOOLS_RUN_RUNNING_H

#include "sampling/intra/intra.h"
#include "tools/run/execute.h"
#include "tools/run/prime.h"

struct running {
    struct execution *execution;
    struct segment *segment;
    struct row_segment label; /* of the segment */
    struct error error;       /* that ends it */
    struct sim *sim;
    struct progress_launch progress; /* of the running launch */
    struct row *row;                 /* likewise */
    struct prime prime;              /* likewise; empty unless a part is not measured */
    bool primes;
    struct intra *intra; /* of the running launch: samples inside it; NULL: nothing does */
    struct intra_spec intra_spec;  /* likewise */
    struct sim_hooks inside;       /* likewise: its hooks */
    struct intra_history *history; /* what methods know of earlier launches; NULL: not yet.
                                    * Owned */
    struct block_profile *profile; /* of execution->intra_profile; NULL: not yet. Owned */
    uint64_t shift; /* by which rows are later than the simulator's clock, as launches were
                     * projected; modulo 2^64 */
    struct trace_kernel *next; /* the launch after the running one, opened ahead, or NULL: */
    size_t next_item;          /* that item of the plan */
    double saved;              /* when its state was last saved, or it began */
    double saving; /* seconds that this took: what is simulated until the next time takes as
                      long */
};

/* Begins ROW for a launch that is about to run. Returns false with `error` filled. */
bool running_begin_row(struct running *running, const struct plan_launch *launch,
                       const struct trace_header *header, struct row *row);
/* Whether the segment must stop because of a signal, a limit, or the end of an earlier
 * segment. The reason is stored in the segment, except in the last case, in which it has no
 * reason of its own. NOW as for run_limits_reached(). */
bool running_must_stop(const struct running *running, const struct sim_progress *now);
/* Opens the trace of LAUNCH for its mode; otherwise OPTIONS count. NULL with `error`
 * filled. */
struct trace_kernel *running_open(struct running *running, const struct plan_launch *launch,
                                  struct trace_kernel_options options);
/* Writes a launch that has ended, item ITEM of the plan, to the journal. */
void running_add_to_journal(const struct running *running, const struct row *row, size_t item);
/* Saves the simulator's state before item DONE, if it is time. */
void running_save_state(struct running *running, size_t done);
/* How many warps a launch has; 0: unknown. */
uint64_t running_warps(const struct running *running, const struct plan_launch *launch);

/* Whether ITEM is a launch that others can overlap: a detailed one. */
bool running_overlaps(const struct plan_item *item);

/* Whether the segment's first undone item is a launch that the next one may overlap, as it is
 * programmatic. */
bool running_is_followed(struct running *running);

/* Executes launches of different streams concurrently (sim_run_overlapped()), or if only
 * programmatic ones overlap those that follow each other: from the
 * segment's first undone item up to an item that does not overlap. Returns true if all of them
 * were simulated to their end. Rows are in the order of the plan. If the launches were
 * stopped, only those are kept before which none is unfinished. */
bool running_overlap(struct running *running);

#endif
