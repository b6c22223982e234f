/* The subcommands of "hearth trace". Each takes its own arguments (argv[0] is
 * its name) and returns the exit code; errors are left in ERR. */
#ifndef HEARTH_TOOLS_COMMANDS_TRACE_TRACE_H
#define HEARTH_TOOLS_COMMANDS_TRACE_TRACE_H

#include "tools/cli/cli.h"
#include "tools/run/plan/launches.h"
#include "traces/base/ranges.h"
#include "traces/traces.h"

/* The command; the library has trace_annotate(). */
int command_trace_annotate(int argc, char **argv, struct error *err);
int trace_convert(int argc, char **argv, struct error *err);
int trace_cut(int argc, char **argv, struct error *err);
int trace_footprint(int argc, char **argv, struct error *err);
int trace_group(int argc, char **argv, struct error *err);
int trace_info(int argc, char **argv, struct error *err);
int trace_memonly(int argc, char **argv, struct error *err);
int trace_opcodes(int argc, char **argv, struct error *err);
int trace_profile(int argc, char **argv, struct error *err);
/* The command; the library has trace_synth(). */
int command_trace_synth(int argc, char **argv, struct error *err);
int trace_verify(int argc, char **argv, struct error *err);

/* Options of the subcommands that write a workload. */
struct trace_output_options {
    const char *source, *output;
    const char *const *reads; /* files that are read beside `source` */
    size_t read_count;
    const char *to; /* "packed" or "text"; NULL: not given */
    int level;
    size_t memory; /* MiB */
    bool force, launch_groups, quiet;
    struct ranges launches; /* none given: all */
};

extern const char *const trace_form_names[]; /* the choices of --to */

#define TRACE_AT(member) CLI_AT(struct trace_output_options, member)

/* Entries of tables of options. */
#define TRACE_OUTPUT                                                                           \
    {                                                                                          \
        'o', "output", "PATH", "where to write; \"-\" is standard output for a packed file",   \
            CLI_TEXT, TRACE_AT(output), .required = true                                       \
    }
#define TRACE_TO(fallback)                                                                     \
    {                                                                                          \
        0, "to", "FORM", "form of what is written", CLI_CHOICE, TRACE_AT(to),                  \
            .choices = trace_form_names, .otherwise = fallback                                 \
    }
#define TRACE_LAUNCHES(must)                                                                   \
    {                                                                                          \
        0, "launches", "LIST", "only these launches, as 1,5-9", CLI_RANGES,                    \
            TRACE_AT(launches), .required = must                                               \
    }
#define TRACE_LEVEL                                                                            \
    {                                                                                          \
        0, "level", "N", "of compression in packed files", CLI_WHOLE, TRACE_AT(level), 1, 22,  \
            .initial = "19"                                                                    \
    }
#define TRACE_EACH                                                                             \
    {                                                                                          \
        0, "each-launch", NULL,                                                                \
            "write packed launches one by one: larger, but if a pipe or copy is cut off, "     \
            "all launches before the cut can be read",                                         \
            CLI_FLAG, TRACE_AT(launch_groups)                                                  \
    }
#define TRACE_MEMORY                                                                           \
    {                                                                                          \
        0, "memory", "MIB",                                                                    \
            "for grouping raw traces; the rest goes to temporary files in $TMPDIR", CLI_WHOLE, \
            TRACE_AT(memory), 16, 65536, .initial = "256"                                      \
    }
#define TRACE_FORCE                                                                            \
    {                                                                                          \
        'f', "force", NULL, "replace an output that exists", CLI_FLAG, TRACE_AT(force)         \
    }

#define TRACE_QUIET                                                                            \
    {                                                                                          \
        'q', "quiet", NULL, "no notes", CLI_FLAG, TRACE_AT(quiet)                              \
    }

/* The form of the output, unless --to gives it. */
enum trace_form { TRACE_FORM_TEXT, TRACE_FORM_SAME, TRACE_FORM_OTHER };

/* Opens the output, which is packed unless --to says otherwise, or not PACKED. */
struct trace_writer *trace_output_open(const struct trace_output_options *options, bool packed,
                                       struct error *err);
/* What of --memory is for grouping: struct trace_copy. */
size_t trace_output_memory(const struct trace_output_options *options);
/* Writes the launches that were chosen of the workload SOURCE, in the form WHAT. Returns the
 * exit code. */
int trace_output_copy(struct trace_output_options *options, const char *source,
                      const struct trace_copy *what, enum trace_form form, struct error *err);

#endif
