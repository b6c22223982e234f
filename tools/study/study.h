/* hearth study: whole investigations, made of runs. */
#ifndef HEARTH_TOOLS_STUDY_STUDY_H
#define HEARTH_TOOLS_STUDY_STUDY_H

#include "traces/base/error.h"

/* As the functions of tools/commands/command.h; ARGV[0] is the study's name. */
int study_cold_start(int argc, char **argv, struct error *err);
int study_correlate(int argc, char **argv, struct error *err);
int study_sampled(int argc, char **argv, struct error *err);

#endif
