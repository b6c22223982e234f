#define _GNU_SOURCE /* sched_getaffinity */
#include "traces/base/threads/host_cores.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 1024

/* The first line of the file NAME in the folder FOLDER below ROOT, or "". */
static const char *first_line(const char *root, const char *folder, const char *name,
                              char line[LINE])
{
    char path[3 * LINE];
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/%s", root, folder, name);
    FILE *in = fopen(path, "r");
    if (in == NULL || fgets(line, LINE, in) == NULL)
        line[0] = '\0';
    if (in != NULL)
        fclose(in);
    return line;
}

/* The cores that QUOTA in each PERIOD amounts to; 0: no quota. */
static unsigned cores_of(long long quota, long long period)
{
    if (quota <= 0 || period <= 0 || quota / period > INT_MAX)
        return 0;
    return quota < period ? 1 : (unsigned)(quota / period);
}

/* The quota of the group in FOLDER. Version 2 has one file with "QUOTA PERIOD", where "max" is
 * no quota; version 1 has a file for each, where -1 is no quota. */
static unsigned group_quota(const char *root, const char *folder)
{
    char line[LINE];
    long long quota, period;
    if (sscanf(first_line(root, folder, "cpu.max", line), "%lld %lld", &quota, &period) == 2)
        return cores_of(quota, period);
    quota = atoll(first_line(root, folder, "cpu.cfs_quota_us", line));
    period = atoll(first_line(root, folder, "cpu.cfs_period_us", line));
    return cores_of(quota, period);
}

/* The smaller of two quotas; 0 is none. */
static unsigned lesser(unsigned a, unsigned b)
{
    return a != 0 && (b == 0 || a < b) ? a : b;
}

/* The smallest quota of GROUP, a path in the tree of groups MOUNT, and of all groups above it.
 * GROUP is changed. */
static unsigned least_quota(const char *root, const char *mount, char *group)
{
    unsigned least = 0;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        char folder[2 * LINE];
        *end = '\0';
        snprintf(folder, sizeof folder, "%s%s", mount, group);
        least = lesser(group_quota(root, folder), least);
    }
    return least;
}

/* Whether the list of controllers, which ends at a colon, contains "cpu". */
static bool has_cpu(const char *list)
{
    for (; *list != ':' && *list != '\0'; list += strcspn(list, ",:"), list += *list == ',')
        if (strncmp(list, "cpu", 3) == 0 && (list[3] == ',' || list[3] == ':'))
            return true;
    return false;
}

unsigned host_cores_quota(const char *root)
{
    char path[LINE], line[LINE];
    unsigned least = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *in = fopen(path, "r");
    while (in != NULL &&
           fgets(line, sizeof line, in) != NULL) { /* HIERARCHY:CONTROLLERS:PATH */
        char *list = strchr(line, ':'), *group = list != NULL ? strchr(list + 1, ':') : NULL;
        bool unified = group != NULL && group == list + 1;
        if (group == NULL || (!unified && !has_cpu(list + 1)))
            continue;
        group[1 + strcspn(group + 1, "\n")] = '\0';
        least = lesser(least_quota(root, unified ? "" : "/cpu", group + 1), least);
    }
    if (in != NULL)
        fclose(in);
    return least;
}

unsigned host_cores_usable(void)
{
    cpu_set_t set; /* of 1024 cores; with more, all that are online count */
    long cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);
    return lesser(host_cores_quota(""), cores > 1 ? (unsigned)cores : 1);
}
