/* hearth study: whole investigations, made of runs. */
#include "tools/commands/command.h"
#include "tools/study/study.h"

static const struct command_part studies[] = {
    {"cold-start", study_cold_start, "what cold caches cost, and what warm-up gives back"},
    {"sampled", study_sampled, "a workload in full against samples of it"},
};

static const struct command_group group = {
    "study", "Carries out a whole investigation and writes its tables, charts and page.",
    studies, sizeof studies / sizeof studies[0]};

int command_study(int argc, char **argv, struct error *err)
{
    return command_choose(&group, argc, argv, err);
}
