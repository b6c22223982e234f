/* A description of the machine that simulates: only for run.json. */
#ifndef HEARTH_TRACES_BASE_PROCESS_HOST_H
#define HEARTH_TRACES_BASE_PROCESS_HOST_H

#include <stddef.h>

/* Seconds on a clock that only goes forward. */
double host_seconds(void);
/* CPU seconds of this process, user and system. */
double host_cpu_seconds(void);
/* The most memory that this process held, MiB. */
double host_peak_mib(void);
/* The machine's name; "" if it has none. */
void host_name(char *text, size_t size);
/* The time in UTC as 2024-01-31T12:00:00Z. */
void host_date(char *text, size_t size);

#endif
