#include "traces/base/process/host.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double host_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double host_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double host_peak_mib(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

void host_name(char *text, size_t size)
{
    if (gethostname(text, size) != 0)
        text[0] = '\0';
    text[size - 1] = '\0';
}

void host_date(char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
