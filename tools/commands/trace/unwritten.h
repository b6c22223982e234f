/* What launches read and nothing in the list has written before, named in the list: memory has
 * its contents from somewhere, and where launches and copies from the host are all there, what
 * is left are copies on the device, memsets, and stores that the trace cannot show, as those of
 * tensor copies.
 *
 * An LDGSTS whose predicate operand does not hold copies nothing, but older traces have its
 * address all the same. Where nothing was written, that explains the access, and its lane goes:
 * until a launch executes stores that the trace does not show, or the list has managed memory
 * or writes without their place. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_UNWRITTEN_H
#define HEARTH_TOOLS_COMMANDS_TRACE_UNWRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/traces.h"

struct unwritten {
    const struct trace_workload *workload;
    bool lines; /* "# written" is wanted; set after unwritten_init(), as is: */
    const struct trace_annotation *annotation; /* NULL: all lanes stay */
    struct trace_reuse *reuse;
    size_t next;                /* command that is still to be read */
    uint64_t launches, sectors; /* that read such memory; of it */
    size_t position;            /* of the last launch that was read, from 1 */
    bool hidden;                /* something was written, nobody knows where */
    bool gap; /* launches are missing, at the beginning or later, which may have written */
    const struct trace_function *function; /* of the last one, if its lanes may go; or NULL */
    const uint64_t *idle;                  /* sectors that only such lanes access */
    size_t idle_count;
    uint64_t idle_launches, idle_lanes; /* that lanes went from; lanes that went */
};

/* Returns 0, or -1 with ERR filled. */
int unwritten_init(struct unwritten *unwritten, const struct trace_workload *workload,
                   struct error *err);
/* Accepts what is zeroed. */
void unwritten_finish(struct unwritten *unwritten);

/* trace_copy.before, DATA a struct unwritten: until a launch is missing, by the numbers, adds a
 * line "# written" for each range of such memory, and has lanes taken out of the launch. */
int unwritten_before(void *data, struct trace_writer *writer,
                     const struct trace_command *command, struct error *err);

#endif
