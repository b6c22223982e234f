/* Devices of the analytical model: numbers, from a file or from a configuration.
 *
 * A device's file has lines "name value"; a comment begins with '#'. The names, their units and
 * ranges are those of device.def. */
#ifndef HEARTH_ESTIMATE_DEVICE_H
#define HEARTH_ESTIMATE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "traces/base/error.h"

struct estimate_device {
    char name[64];
#define PARAMETER(name, ...) double name;
#include "estimate/device.def"
};

/* The devices that are compiled in, estimate/devices/NAME.device; the last one's name is NULL.
 */
extern const struct sim_bundled_config estimate_bundled_devices[];

/* The parameters, for help: calls EACH for each of them. */
void estimate_device_parameters(void (*each)(void *data, const char *name, const char *unit,
                                             const char *description),
                                void *data);

/* Reads TEXT, SIZE bytes, as the file NAME. Returns 0, or -1 with ERR (ERROR_USAGE, with line).
 */
int estimate_device_parse(struct estimate_device *device, const char *name, const char *text,
                          size_t size, struct error *err);
/* The bundled device NAME, or the file of that name. Returns 0, or -1 with ERR. */
int estimate_device_open(struct estimate_device *device, const char *name, struct error *err);
/* The device that CONFIG simulates; docs/estimate.md says how its latencies follow. NAME is for
 * messages and tables. */
void estimate_device_of_config(struct estimate_device *device, const struct sim_config *config,
                               const char *name);

/* Cycles from an instruction of UNIT, no memory access, to one that needs its result. */
double estimate_device_latency(const struct estimate_device *device, enum trace_unit unit);

/* Blocks of THREADS threads that an SM holds at once, by the rules of NVIDIA's occupancy
 * calculator: the least of threads, blocks, registers (whole warps) and shared memory. REGS a
 * thread and SHMEM bytes a block may be 0. 0: not even one fits. */
uint32_t estimate_device_blocks(const struct estimate_device *device, uint32_t threads,
                                uint32_t regs, uint32_t shmem);

#endif
