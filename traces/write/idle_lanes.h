/* The grouped text of a launch without lanes that do nothing. */
#ifndef HEARTH_TRACES_WRITE_IDLE_LANES_H
#define HEARTH_TRACES_WRITE_IDLE_LANES_H

#include "traces/text/source.h"
#include "traces/write.h"

/* Takes the lanes that IDLE names out of the instructions of SOURCE, which is at its start. On
 * error SOURCE is finished. */
int idle_lanes_open(struct source *source, const struct trace_idle_lanes *idle,
                    struct error *err);

#endif
