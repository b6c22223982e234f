#define _DEFAULT_SOURCE /* strsep */
#include "tools/study/study_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/draft.h"
#include "warmup/warmup.h"

void study_options_finish(struct study_options *options)
{
    input_guard_finish(&options->reads);
    free(options->command);
}

/* WORD as a shell takes it. */
static void print_word(const char *word, FILE *out)
{
    const bool plain = word[0] != '\0' && strpbrk(word, " \t\n'\"\\$&|;<>()*?[]#~`!{}") == NULL;
    if (plain) {
        fprintf(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    putc('\'', out);
}

int study_take_command(struct study_options *options, int argc, char **argv)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return -1;
    fputs("hearth study", draft.out);
    for (int i = 0; i < argc; i++)
        print_word(argv[i], draft.out);
    bool good = draft_end(&draft);
    options->command = draft.text;
    return good ? 0 : -1;
}

void study_take_operands(struct study_options *options, char **operands)
{
    options->listed = operands;
    for (; *operands != NULL; operands++)
        if (options->operand_count++ <= STUDY_OPERANDS)
            options->operands[options->operand_count - 1] = *operands;
    options->reads.names = options->operands;
    options->reads.count = STUDY_OPERANDS;
}

int study_check_output(const struct study_options *options, const char *name, struct error *err)
{
    if (options->output[0] == '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o DIR is missing; see hearth study %s --help", name);
    if (strcmp(options->output, "-") == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o -: a study writes a folder, not to standard output");
    return 0;
}

int study_check_workload(const struct study_options *options, struct error *err)
{
    const char *path = options->operands[0];
    struct plan *plan = plan_open(path, err);
    if (plan == NULL)
        return -1;
    bool written = plan->written;
    plan_destroy(plan);
    return !written ? 0
                    : error_set(err, ERROR_USAGE, path, 1, 0,
                                "this is a plan: a study takes the workload and makes the "
                                "plans itself");
}

bool study_takes_states(const char *policy)
{
    struct warmup warmup;
    struct error ignored = {0};
    return policy != NULL && warmup_parse(&warmup, policy, &ignored) == 0 &&
           warmup.policy != NULL && warmup.policy->traced;
}

int study_check_states(const struct study_options *options, const char *const *policies,
                       size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (study_takes_states(policies[i]))
            return 0;
    return options->states == NULL
               ? 0
               : error_set(err, ERROR_USAGE, NULL, 0, 0, "--states needs nsl among --warm");
}

long study_cut(char *text, const char **names, size_t most, const char *option,
               struct error *err)
{
    size_t count = 0;
    for (char *name; (name = strsep(&text, ",")) != NULL;) {
        if (name[0] == '\0')
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             count == 0 && text == NULL ? "%s: the list is empty"
                                                        : "%s: a name of the list is empty",
                             option);
        if (count == most)
            return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: more than %zu", option, most);
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], name) == 0)
                return error_set(err, ERROR_USAGE, NULL, 0, 0, "%s: %s is listed twice", option,
                                 name);
        names[count++] = name;
    }
    return (long)count;
}
