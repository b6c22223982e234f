#include "tools/study/study_options.h"

#include <getopt.h>
#include <stdlib.h>

#include "tools/command.h"

int study_options_init(struct study_options *options, int argc, struct error *err)
{
    *options = (struct study_options){
        .configs = calloc((size_t)argc + 1, sizeof *options->configs),
        .sets = calloc((size_t)argc + 1, sizeof *options->sets),
    };
    if (options->configs != NULL && options->sets != NULL)
        return 0;
    return error_set(err, ERROR_SIMULATION, NULL, 0, 0, "out of memory");
}

void study_options_finish(struct study_options *options)
{
    free(options->configs);
    free(options->sets);
}

bool study_take(struct study_options *options, const struct cli_command *command, int id,
                const char *value)
{
    if (command_show(command, id))
        options->shown = true;
    else if (id == 'o')
        options->output = value;
    else if (id == 'c')
        options->configs[options->config_count++] = value;
    else if (id == STUDY_SET)
        options->sets[options->set_count++] = value;
    else if (id == STUDY_FLUSH)
        options->flush = value;
    else if (id == STUDY_LAUNCHES)
        options->launches = value;
    else if (id == STUDY_THREADS)
        options->threads = value;
    else if (id == STUDY_JOBS)
        options->jobs = value;
    else if (id == 'q')
        options->quiet = true;
    else
        return false;
    return true;
}

void study_take_operands(struct study_options *options, char **argv)
{
    for (char **operand = argv + optind; *operand != NULL; operand++)
        if (options->operand_count++ <= STUDY_OPERANDS)
            options->operands[options->operand_count - 1] = *operand;
}
