/* Command lines from tables.
 *
 * A command is a table of its options. Each line names an option, the member of the command's
 * struct that takes its value, and the value's type, range and default. Reading the command
 * line, its error messages and --help all follow from the table. Strings stay ARGV's. */
#ifndef HEARTH_TOOLS_CLI_CLI_H
#define HEARTH_TOOLS_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "traces/base/error.h"

/* What an option does with its value. */
enum cli_type {
    CLI_FLAG,    /* bool: true; the option takes no value */
    CLI_TEXT,    /* const char * */
    CLI_WHOLE,   /* an integer of 4 or 8 bytes: a whole number in a range */
    CLI_DECIMAL, /* double: a finite number in a range, not negative */
    CLI_CHOICE,  /* const char *: one of `choices` */
    CLI_RANGES,  /* struct ranges; `count` is 0 without the option */
    CLI_LIST,    /* const char **: all values; the option may be repeated. The table's lists
                    have room for two more values than were given */
    CLI_READ,    /* `read` takes the value */
    CLI_SHOW,    /* like --help: nothing else is done; the option takes no value */
};

struct cli_option {
    char letter;          /* 0: none */
    const char *name;     /* without dashes */
    const char *argument; /* the value's name in the help; NULL: the option takes none */
    const char *help;     /* wrapped by --help, which adds range and default */
    enum cli_type type;
    size_t at, size;            /* the member: CLI_AT() or CLI_LIST_AT() */
    double least, most;         /* the range of a number, both included; MOST 0: no upper end */
    bool required;              /* the command line must have it */
    size_t count_at;            /* CLI_LIST: the size_t that counts */
    const char *former;         /* an older name that is also taken; NULL: none */
    const char *initial;        /* the value without the option; NULL: what the caller set */
    const char *otherwise;      /* how the help calls the default, if not `initial` */
    const char *value;          /* CLI_LIST without an argument: what is added */
    const char *const *choices; /* ends with NULL */
    void (*describe)(FILE *out); /* prints more help, for values that a table lists: "NAME:
                                  * MEANING" on lines of their own, after '\n' */
    void (*values)(FILE *out);   /* lists what shells may complete, as `describe` does; NULL:
                                  * `describe` does it. CLI_SHOW: of the words after it */
    int (*read)(void *data, const char *value, struct error *err);
    int (*show)(char **operands, struct error *err);
};

/* The last members of an entry of the table: where the value is stored. */
#define CLI_AT(type, member)          .at = offsetof(type, member), .size = sizeof((type *)0)->member
#define CLI_LIST_AT(type, list, many) CLI_AT(type, list), .count_at = offsetof(type, many)

struct cli_command {
    const char *name;    /* "hearth run" */
    const char *usage;   /* what follows the name; further lines after '\n' */
    const char *summary; /* a sentence */
    const struct cli_option *options;
    size_t count;
    const char *operands;      /* "one workload": what is expected in addition to options */
    size_t operand_count;      /* how many there must be, if `operands` is not NULL */
    void (*values)(FILE *out); /* as cli_option.values, of the first operand; NULL: a file */
    void (*later_values)(const char *first, FILE *out); /* of those after FIRST; NULL: files */
    bool has_help; /* its operand "help" has a meaning of its own */
};

#define CLI_OPTIONS 64 /* at most, in a command */

/* As the first word after a command, asks for what may come next: cli_read() then prints
 * candidates for the last word of ARGV, one a line with a tab and a description. */
#define CLI_COMPLETION "--completion"
/* Prints a candidate if NAME begins with START. */
void cli_candidate(const char *start, const char *name, const char *help, FILE *out);

/* cli_read(): help, candidates, or the text of a CLI_SHOW option, was printed. */
#define CLI_SHOWN 1

/* Reads the command line ARGV of COMMAND into DATA, the command's struct, which the caller has
 * initialised. The last value of an option counts. *OPERANDS is the rest of ARGV and ends with
 * NULL. Returns 0, CLI_SHOWN, or -1 with ERR filled (ERROR_USAGE). In any case cli_finish()
 * must free the lists and ranges in DATA. */
int cli_read(const struct cli_command *command, int argc, char **argv, void *data,
             char ***operands, struct error *err);
void cli_finish(const struct cli_command *command, void *data);

/* Whether the only word after the command is "help", and no file is called so: the same as
 * --help. */
bool cli_asks_for_help(int argc, char **argv);

/* Reads the command line as cli_read() does, calls RUN, and then cli_finish(). Returns the exit
 * code: what RUN returns, 0 after help, or -1 with ERR filled. */
int cli_run(const struct cli_command *command, int argc, char **argv, void *data,
            int (*run)(void *data, char **operands, struct error *err), struct error *err);

/* Prints "hearth VERSION". */
void cli_print_version(void);

#endif
