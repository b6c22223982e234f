/* Between the files of sim/core/modern/async/async.h. */
#ifndef HEARTH_SIM_CORE_MODERN_ASYNC_ASYNC_PARTS_H
#define HEARTH_SIM_CORE_MODERN_ASYNC_ASYNC_PARTS_H

#include "sim/core/modern/async/async.h"
#include "sim/core/modern/core.h"
#include "sim/packet.h"

#define ASYNC_SHARED 0xffffffu /* of an address in shared memory: the offset in its block, */
#define ASYNC_RANK                                                                             \
    CLUSTER_WINDOW_LOG2 /* above which the number of the block in its cluster stands */

/* ---- async.c ---- */

struct async *async_of(struct modern *core);
struct async_block *async_block_of(struct modern *core, uint32_t block);
/* ACTION of BLOCK happens at its cycle, later than now. */
void async_plan(struct modern *core, uint32_t block, const struct async_action *action);
/* WARP, in a mask of those that wait, goes on at CYCLE. */
void async_go_on(struct modern *core, uint32_t warp, uint64_t cycle);
/* Room for one more element of SIZE in *ARRAY, whose COUNT elements of *ROOM are used. */
void *async_grow(void *array, uint32_t count, uint32_t *room, size_t size);

/* What RECORD of WARP asks for, if the trace has its registers: is_known. */
struct trace_async async_asked(const struct modern *core, uint32_t warp,
                               const struct inst *inst, const struct trace_record *record);

/* Counts what WARP asks of a barrier that is not known well enough. */
void async_unknown(struct modern *core, uint32_t warp);

/* ---- async_loops.c ---- */

/* INST of WARP issues: it begins or ends what may be a loop that polls. */
void async_note_poll(struct modern *core, uint32_t warp, const struct inst *inst,
                     const struct trace_record *record);

/* INST of WARP, a NANOSLEEP, issues: it waits, if it is in no loop that waits. */
void async_pause_warp(struct modern *core, uint32_t warp, const struct inst *inst,
                      const struct trace_record *record);

/* ---- async_barriers.c ---- */

void async_at_barrier(struct modern *core, const struct async_action *action);
void async_check(struct modern *core, uint32_t wait);
/* A phase of a barrier of BLOCK has ended: waits go on. */
void async_phase_ended(struct modern *core, uint32_t block);

/* ---- async_copies.c ---- */

void async_load(struct modern *core, uint32_t warp, const struct inst *inst,
                const struct trace_record *record);
/* BYTES that nobody is known to bring have been announced at BARRIER of BLOCK. */
void async_bring(struct modern *core, uint32_t block, struct barrier *barrier, uint64_t bytes);
void async_share(struct modern *core, uint32_t warp, const struct inst *inst,
                 const struct trace_record *record);
void async_prefetch(struct modern *core, uint32_t warp, const struct inst *inst,
                    const struct trace_record *record);
/* L2 has got all of the oldest store. */
void async_store_sent(struct modern *core);
void async_first_bytes(struct modern *core, const struct async_action *action);
void async_last_bytes(struct modern *core, const struct async_action *action);

/* ---- async_transfers.c ---- */

/* Fills BOX with what ASKS of WARP moves; false: that is not known, or copies send nothing,
 * which is counted. */
bool async_box(struct modern *core, uint32_t warp, const struct trace_async *asks,
               struct copy_box *box);
/* BOX of WARP's block begins to move in cycle FROM by packets of KIND; at its end BYTES come to
 * the barrier at BARRIER, if they are not 0. COPIES, which may be NULL: the blocks of its
 * cluster that get it, too. */
void async_move(struct modern *core, uint32_t warp, const struct copy_box *box, uint64_t from,
                enum packet_kind kind, uint32_t barrier, uint64_t bytes,
                const struct cluster_copy *copies);

/* ---- async_registers.c ---- */

/* WARP takes registers that others of its block have left, and waits until there are enough. */
void async_registers_take(struct modern *core, uint32_t warp, const struct inst *inst);
void async_registers_give(struct modern *core, uint32_t warp, const struct inst *inst);

/* ---- async_launches.c ---- */

/* WARP waits until the launches before its own have ended. */
void async_launch_wait(struct modern *core, uint32_t warp);

/* ---- async_products.c ---- */

void async_product(struct modern *core, uint32_t warp, const struct inst *inst);
void async_product_wait(struct modern *core, uint32_t warp, const struct inst *inst);

/* ---- async_clusters.c ---- */

/* Where the other blocks of the cluster of block NUMBER are; NULL: it is in none, or that is
 * not known. */
const struct cluster *async_cluster_of(const struct modern *core, uint32_t number);
/* Sends MESSAGE of block NUMBER, with kind, cycle and what these need, to the block of RANK;
 * false: that is not known. */
bool async_send(struct modern *core, uint32_t number, uint32_t rank,
                const struct cluster_message *message);
/* A block of the cluster has come to its barrier, or ended. */
void async_meet(struct modern *core, const struct async_action *action);
void async_leave_cluster(struct modern *core, uint32_t number);
void async_cluster_arrive(struct modern *core, uint32_t warp);
void async_cluster_wait(struct modern *core, uint32_t warp);
void async_cluster_opens(struct modern *core, uint32_t block);

#endif
