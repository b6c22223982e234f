/* The subcommands of "hearth trace". Each takes its own arguments (argv[0] is
 * its name) and returns the exit code; errors are left in ERR. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_TRACE_H
#define HEARTH_TOOLS_COMMANDS_TRACE_TRACE_H

#include "tools/commands/cli.h"
#include "tools/run/plan/launches.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

int trace_convert(int argc, char **argv, struct error *err);
int trace_cut(int argc, char **argv, struct error *err);
int trace_footprint(int argc, char **argv, struct error *err);
int trace_group(int argc, char **argv, struct error *err);
int trace_info(int argc, char **argv, struct error *err);
int trace_memonly(int argc, char **argv, struct error *err);
int trace_profile(int argc, char **argv, struct error *err);
/* Not trace_synth(), which is the library's. */
int command_trace_synth(int argc, char **argv, struct error *err);
int trace_verify(int argc, char **argv, struct error *err);

/* Reads the command line of one that takes a workload and a switch, the only entry of its
 * table: *PATH and *GIVEN. *PATH is NULL when help or the version was asked for, and shown.
 * Returns 0, or -1 with ERR filled. */
int trace_parse_one(const struct cli_command *command, int argc, char **argv, const char **path,
                    bool *given, struct error *err);

/* What those that write a workload share. */
struct trace_output_options {
    const char *source, *output;
    const char *to; /* "packed" or "text"; NULL: not said */
    int level;
    size_t memory; /* bytes */
    bool force, launch_groups;
    bool choose; /* --launches was given */
    struct ranges launches;
    bool done; /* only help or the version was asked for */
};

enum {
    TRACE_OPTION_TO = CLI_OWN,
    TRACE_OPTION_LEVEL,
    TRACE_OPTION_MEMORY,
    TRACE_OPTION_LAUNCHES,
    TRACE_OPTION_EACH,
};

/* Entries of option tables. */
#define TRACE_OUTPUT                                                                           \
    {                                                                                          \
        'o', "output", "PATH", "where to write; \"-\" is standard output for a packed file"    \
    }
#define TRACE_TO                                                                               \
    {                                                                                          \
        TRACE_OPTION_TO, "to", "FORM", "packed or text"                                        \
    }
#define TRACE_LEVEL                                                                            \
    {                                                                                          \
        TRACE_OPTION_LEVEL, "level", "N",                                                      \
            "of compression in packed files, 1 to 22 (default 19)"                             \
    }
#define TRACE_EACH                                                                             \
    {                                                                                          \
        TRACE_OPTION_EACH, "each-launch", NULL,                                                \
            "write packed launches one by one: larger, but of a pipe or a copy that\n"         \
            "is cut off all launches before the cut can be read"                               \
    }
#define TRACE_MEMORY                                                                           \
    {                                                                                          \
        TRACE_OPTION_MEMORY, "memory", "MIB",                                                  \
            "for grouping raw traces, 16 to 65536 (default 256); the rest goes\n"              \
            "to temporary files in $TMPDIR"                                                    \
    }
#define TRACE_FORCE                                                                            \
    {                                                                                          \
        'f', "force", NULL, "replace an output that exists"                                    \
    }

/* Reads the command line. Returns 0, or -1 with ERR filled. */
int trace_output_parse(struct trace_output_options *options, const struct cli_command *command,
                       int argc, char **argv, struct error *err);
void trace_output_finish(struct trace_output_options *options);
/* Opens the output; PACKED says in which form, unless --to does. */
struct trace_writer *trace_output_open(const struct trace_output_options *options, bool packed,
                                       struct error *err);
/* Writes what WHAT takes of WORKLOAD, and reduces it to the launches that were
 * chosen. Returns the exit code. */
int trace_output_copy(const struct trace_output_options *options,
                      const struct trace_workload *workload, const struct trace_copy *what,
                      bool packed, struct error *err);

/* Every range of --launches must name a launch of the workload at PATH. Returns
 * 0, or -1 with ERR filled. */
int trace_check_ranges(const struct ranges *ranges, const struct launches *launches,
                       const char *path, struct error *err);

/* Opens a workload; what is amiss with it goes to stderr. */
struct trace_workload *trace_open(const char *path, struct error *err);

#endif
