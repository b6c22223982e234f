/* How many cores a process may use. */
#ifndef HEARTH_TRACES_BASE_THREADS_HOST_CORES_H
#define HEARTH_TRACES_BASE_THREADS_HOST_CORES_H

/* Those of its affinity, and no more than the CPU quota of the control groups that it is in
 * (containers, batch systems): one and a half are one, as threads that have used up a quota all
 * stand still until its next period. At least 1. */
unsigned host_cores_usable(void);

/* The quota alone, as the files of a system below ROOT ("": the real one) have it, of control
 * groups version 1 or 2: the least of the process's group and of those above it. 0: none. */
unsigned host_cores_quota(const char *root);

#endif
