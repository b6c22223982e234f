/* What launches read and nothing in the list has written before, named in the list: memory has
 * its contents from somewhere, and where launches and copies from the host are all there, what
 * is left are copies on the device, memsets, and stores that the trace cannot show, as those of
 * tensor copies. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_UNWRITTEN_H
#define HEARTH_TOOLS_COMMANDS_TRACE_UNWRITTEN_H

#include <stddef.h>
#include <stdint.h>

#include "traces/traces.h"

struct unwritten {
    const struct trace_workload *workload;
    struct trace_reuse *reuse;
    size_t next;                /* command that is still to be read */
    uint64_t launches, sectors; /* that read such memory; of it */
};

/* Whether WORKLOAD begins with the first launch of an application: else memory may have been
 * written by launches that it lacks. Returns -1 on error. */
int unwritten_is_whole(const struct trace_workload *workload, struct error *err);

/* Returns 0, or -1 with ERR filled. */
int unwritten_init(struct unwritten *unwritten, const struct trace_workload *workload,
                   struct error *err);
/* Accepts what is zeroed. */
void unwritten_finish(struct unwritten *unwritten);

/* trace_copy.before, DATA a struct unwritten: adds a line "# written" for each range of such
 * memory. */
int unwritten_before(void *data, struct trace_writer *writer,
                     const struct trace_command *command, struct error *err);

#endif
