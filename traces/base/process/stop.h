/* SIGINT and SIGTERM ask a run to stop; what is finished is still written. */
#ifndef HEARTH_TRACES_BASE_PROCESS_STOP_H
#define HEARTH_TRACES_BASE_PROCESS_STOP_H

/* From now on the first of the signals is noted; the next one of either ends the process.
 * Commands that others are made of call it again: a signal that came is not forgotten. */
void stop_init(void);
/* The signal that came, or 0. */
int stop_signal(void);
/* Its name. */
const char *stop_name(void);
/* The exit code for it. */
int stop_code(void);

#endif
