#include "tools/commands/sample/sample_estimate.h"

#include <stdlib.h>

#include "estimate/launch_estimate.h"

static int estimate_row(const struct profile *profile, size_t row,
                        const struct estimate_device *device, double *cycles, struct error *err)
{
    struct estimate_work work;
    struct launch_estimate estimate;
    const struct profile_row *from = &profile->rows[row];
    if (!estimate_work_of_profile(&work, from, device))
        return error_set(err, ERROR_USAGE, profile->path, from->line, 0,
                         "--estimate needs grid, block and instructions of launch %llu",
                         (unsigned long long)from->launch);
    if (launch_estimate_make(&estimate, device, &work, 0, 1, err) != 0)
        return -1;
    *cycles = estimate.cycles;
    return 0;
}

int sample_estimate(struct sampling *selection, const char *card, struct error *err)
{
    const struct profile *profile = selection->profile;
    struct estimate_device device;
    struct sim_config *config = sim_config_create(&card, 1, NULL, 0, NULL, NULL, err);
    double *cycles = calloc(profile->count, sizeof *cycles);
    int result = config == NULL ? -1 : cycles == NULL ? error_no_memory(err) : 0;
    if (result == 0)
        estimate_device_of_config(&device, config, card);
    for (size_t i = 0; i < profile->count && result == 0; i++)
        result = estimate_row(profile, i, &device, &cycles[i], err);
    if (result == 0)
        result = sampling_regress(selection, cycles, err);
    free(cycles);
    sim_config_destroy(config);
    return result;
}
