#include <stdlib.h>
#include <string.h>

#include "tools/run/run.h"

#define CONFIG_NOTE 200 /* bytes of a note that are shown */

/* Files made for another simulator have a hundred options without effect here: such a long
 * list is not shown with every run. */
static void on_config_note(void *data, const char *text)
{
    notes_add(data,
              strlen(text) <= CONFIG_NOTE
                  ? text
                  : "many options of the configuration have no effect in this model; "
                    "hearth config check names those of a file",
              1);
}

/* The two settings that --flush LEVELS stands for. */
static int flush_sets(const char *levels, const char *sets[2], struct error *err)
{
    unsigned i = 0;
    while (plan_level_names[i] != NULL && strcmp(plan_level_names[i], levels) != 0)
        i++;
    if (plan_level_names[i] == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--flush %s: expected none, l1, l2 or all", levels);
    sets[0] = i & PLAN_L1 ? "gpgpu_flush_l1_cache=1" : "gpgpu_flush_l1_cache=0";
    sets[1] = i & PLAN_L2 ? "gpgpu_flush_l2_cache=1" : "gpgpu_flush_l2_cache=0";
    return 0;
}

struct sim_config *run_config(const struct run_request *request, struct notes *notes,
                              struct error *err)
{
    static const char *const standard[] = {"rtx3070"};
    struct sim_config *config = NULL;
    bool named = request->config_count > 0;
    size_t count = request->set_count;
    const char **sets = calloc(count + 2, sizeof *sets);
    if (sets == NULL) {
        error_no_memory(err);
        return NULL;
    }
    if (count > 0)
        memcpy(sets, request->sets, count * sizeof *sets);
    if (request->flush == NULL || flush_sets(request->flush, sets + count, err) == 0)
        config = sim_config_create(named ? request->configs : standard,
                                   named ? (unsigned)request->config_count : 1, sets,
                                   (unsigned)count + (request->flush != NULL ? 2 : 0),
                                   notes != NULL ? on_config_note : NULL, notes, err);
    free(sets);
    return config;
}
