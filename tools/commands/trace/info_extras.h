/* What the traces of a workload have beyond lanes and addresses: of each launch, and in all. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_INFO_EXTRAS_H
#define HEARTH_TOOLS_COMMANDS_TRACE_INFO_EXTRAS_H

#include "traces/traces.h"

/* Of a launch. */
struct info_launch {
    bool active;       /* lines say which lanes were active */
    unsigned contents; /* enum trace_content */
    bool has_facts;
    struct trace_launch_facts facts;
};

/* Zeroed at the start. */
struct info_extras {
    size_t launches, active;
    size_t contents[TRACE_CONTENTS];
    size_t facts, dynamic, clusters, cooperative, carveouts, windows, programmatic, with_maps;
    size_t tiled, im2col; /* tensor maps */
    size_t device_copies, sets, managed, written, waits;
    bool has_next; /* a comment said facts of the next launch */
    struct trace_launch_facts next;
};

/* Adds a line of the list that is neither a copy nor a launch. Comments that only look like the
 * tracer's are passed over. */
void info_extras_note(struct info_extras *extras, const char *line);
/* Completes LAUNCH, whose header is HEADER and whose contents are there, and adds it. */
void info_extras_launch(struct info_extras *extras, const struct trace_header *header,
                        struct info_launch *launch);
void info_extras_print(const struct info_extras *extras);

/* The columns of a launch: their names, and values; each begins with a comma. */
void info_extras_print_names(void);
void info_extras_print_row(const struct info_launch *launch);

#endif
