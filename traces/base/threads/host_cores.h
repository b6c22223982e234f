/* How many cores of the host a process may use. */
#ifndef HEARTH_TRACES_BASE_THREADS_HOST_CORES_H
#define HEARTH_TRACES_BASE_THREADS_HOST_CORES_H

/* The cores of its affinity mask, but not more than the CPU quota of its control groups
 * (containers, batch systems). A quota is rounded down: threads that have used it up all stop
 * until its next period. At least 1. */
unsigned host_cores_usable(void);

/* Only the quota, 0 if there is none: the smallest of the process's control group (version 1 or
 * 2) and of those above it. ROOT is "", or the folder that a test uses as the root of the
 * system. */
unsigned host_cores_quota(const char *root);

#endif
