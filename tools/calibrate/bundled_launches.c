#define _GNU_SOURCE /* memfd_create */
#include "tools/calibrate/bundled_launches.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const unsigned char calibrate_bundled_data[];
extern const size_t calibrate_bundled_size;

static int fill(int file)
{
    for (size_t done = 0; done < calibrate_bundled_size;) {
        ssize_t count =
            write(file, calibrate_bundled_data + done, calibrate_bundled_size - done);
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

int bundled_launches_open(struct bundled_launches *launches, struct error *err)
{
    launches->file = memfd_create("launches.packed", MFD_CLOEXEC);
    if (launches->file < 0 || fill(launches->file) != 0)
        return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "no file in memory: %s",
                         strerror(errno));
    snprintf(launches->path, sizeof launches->path, "/proc/self/fd/%d", launches->file);
    return 0;
}

void bundled_launches_close(struct bundled_launches *launches)
{
    if (launches->file >= 0)
        close(launches->file);
    launches->file = -1;
}
