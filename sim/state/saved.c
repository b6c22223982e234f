/* What L2 holds, in files: sim_save() and its relatives. */
#include <stdlib.h>

#include "sim/functional/compact_caches.h"
#include "sim/simulator.h"
#include "sim/state/l2_filter.h"
#include "sim/state/l2_tags.h"

static int need_l2(const struct sim *sim, const char *name, struct error *err)
{
    if (sim->config->l2.enabled)
        return 0;
    return error_set(err, ERROR_USAGE, name, 0, 0, "the configuration has no L2");
}

int sim_save(struct sim *sim, FILE *out, const char *name, struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    return l2_tags_save(&sim->engine, NULL, out, name, err);
}

struct sim_needs {
    struct l2_filter needs;
};

struct sim_needs *sim_needs_create(struct sim *sim, struct error *err)
{
    if (need_l2(sim, NULL, err) != 0)
        return NULL;
    sim_drain(sim);
    struct sim_needs *needs = calloc(1, sizeof *needs);
    if (needs != NULL && l2_filter_init(&needs->needs, &sim->engine))
        return needs;
    free(needs);
    error_no_memory(err);
    return NULL;
}

void sim_needs_destroy(struct sim_needs *needs)
{
    if (needs != NULL)
        l2_filter_finish(&needs->needs);
    free(needs);
}

void sim_needs_add(struct sim_needs *needs, uint64_t line, uint8_t sectors)
{
    l2_filter_add(&needs->needs, line, sectors);
}

void sim_needs_all(struct sim_needs *needs)
{
    needs->needs.all = true;
}

int sim_save_needed(struct sim *sim, const struct sim_needs *needs, FILE *out, const char *name,
                    struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    compact_caches_give(sim);
    return l2_tags_save(&sim->engine, &needs->needs, out, name, err);
}

int sim_restore(struct sim *sim, FILE *in, const char *name, struct error *err)
{
    if (need_l2(sim, name, err) != 0)
        return -1;
    sim_drain(sim);
    sim_flush(sim, SIM_L1, false);
    sim->untimed = true;
    if (l2_tags_restore(&sim->engine, in, &sim->restored, name, err) == 0)
        return 0;
    sim->restored = 0;
    sim_flush(sim, SIM_L2, true);
    return -1;
}
