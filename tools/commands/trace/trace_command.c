/* hearth trace: traces and workloads on disk. */
#include "tools/commands/command.h"
#include "tools/commands/trace/trace.h"

static const struct command_part actions[] = {
    {"annotate", command_trace_annotate, "add the machine code of kernels"},
    {"convert", trace_convert, "text to a packed file, and back"},
    {"cut", trace_cut, "some launches of a workload"},
    {"footprint", trace_footprint, "what launches touch, and how much was touched before"},
    {"group", trace_group, "raw traces by thread block"},
    {"info", trace_info, "what a workload holds"},
    {"memonly", trace_memonly, "only instructions that access memory"},
    {"opcodes", trace_opcodes, "how often each opcode occurs"},
    {"profile", trace_profile, "features for sampling methods"},
    {"synth", command_trace_synth, "make a synthetic workload"},
    {"verify", trace_verify, "what is wrong with a workload"},
};

static const struct command_group group = {
    "trace", "Works on workloads on disk: folders of traces, packed files.", actions,
    sizeof actions / sizeof actions[0]};

int command_trace(int argc, char **argv, struct error *err)
{
    return command_choose(&group, argc, argv, err);
}
