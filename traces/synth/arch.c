#include <string.h>

#include "traces/synth/synth.h"

static const struct synth_arch archs[] = {
    {"sm_70", 70, false, false, false}, {"sm_75", 75, true, true, false},
    {"sm_80", 80, true, true, true},    {"sm_86", 86, true, true, true},
    {"sm_90", 90, true, true, true},
};

const struct synth_arch *synth_arch_find(const char *name)
{
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (strcmp(archs[i].name, name) == 0)
            return &archs[i];
    return NULL;
}
