/* SIGINT and SIGTERM ask a run to stop; what is finished is still written. */
#ifndef HEARTH_TOOLS_STOP_H
#define HEARTH_TOOLS_STOP_H

/* From now on the signals are noted; the second one ends the process. */
void stop_init(void);
/* The signal that came, or 0. */
int stop_signal(void);

#endif
