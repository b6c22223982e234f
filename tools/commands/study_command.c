/* hearth study: studies that consist of many runs. */
#include "tools/commands/command.h"
#include "tools/study/study.h"

static const struct command_part studies[] = {
    {"cold-start", study_cold_start, "the cost of cold caches, and what warm-up recovers"},
    {"correlate", study_correlate, "simulated launches against measured ones"},
    {"sampled", study_sampled, "a workload in full against samples of it"},
};

static const struct command_group group = {
    "study", "Runs a whole study and writes its tables, charts and page.", studies,
    sizeof studies / sizeof studies[0]};

int command_study(int argc, char **argv, struct error *err)
{
    return command_choose(&group, argc, argv, err);
}
