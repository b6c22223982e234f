/* hearth completion: what shells need to complete command lines. The candidates come from the
 * program itself, by --completion, and so from the tables of its options. */
#include <string.h>

#include "tools/commands/command.h"
#include "traces/base/spelling.h"

/* Bash splits words at some characters, and replaces only the last part: what stands before it
 * is removed from each candidate. */
static const char bash[] =
    "# bash completion of hearth\n"
    "_hearth()\n"
    "{\n"
    "    local line=${COMP_LINE:0:COMP_POINT} candidate current before\n"
    "    local -a words\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && words+=('')\n"
    "    current=${words[-1]}\n"
    "    before=${current%\"${COMP_WORDS[COMP_CWORD]}\"}\n"
    "    [[ ${COMP_WORDS[COMP_CWORD]} == [:=] ]] && before=$current\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r candidate _; do\n"
    "        [[ $candidate == *[:=] ]] && compopt -o nospace\n"
    "        COMPREPLY+=(\"${candidate#\"$before\"}\")\n"
    "    done < <(\"${words[0]/#\\~/$HOME}\" --completion \"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -o bashdefault -o default -F _hearth hearth\n";

static const char zsh[] =
    "#compdef hearth\n"
    "# zsh completion of hearth\n"
    "_hearth()\n"
    "{\n"
    "    local candidate text\n"
    "    local -a whole partial\n"
    "    while IFS=$'\\t' read -r candidate text; do\n"
    "        if [[ $candidate == *[:=] ]]; then\n"
    "            partial+=(\"${candidate//:/\\\\:}:$text\")\n"
    "        else\n"
    "            whole+=(\"${candidate//:/\\\\:}:$text\")\n"
    "        fi\n"
    "    done < <(\"${words[1]}\" --completion \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    if (( $#whole + $#partial )); then\n"
    "        _describe -V hearth whole -- partial -S ''\n"
    "    else\n"
    "        compset -P '--*='\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "if [[ $funcstack[1] == _hearth ]]; then\n"
    "    _hearth \"$@\"\n"
    "else\n"
    "    compdef _hearth hearth\n"
    "fi\n";

static const char fish[] = "# fish completion of hearth\n"
                           "function __hearth_candidates\n"
                           "    set -l words (commandline -opc) (commandline -ct)\n"
                           "    command $words[1] --completion $words[2..-1] 2>/dev/null\n"
                           "end\n"
                           "complete -c hearth -a '(__hearth_candidates)'\n";

static const struct {
    const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
#define SHELLS (sizeof shells / sizeof shells[0])

static void list_shells(FILE *out)
{
    for (size_t i = 0; i < SHELLS; i++)
        fprintf(out, "\n%s: the script for %s", shells[i].name, shells[i].name);
}

static const struct cli_command command = {
    .name = "hearth completion",
    .usage = "bash|zsh|fish",
    .summary =
        "Prints a script that makes a shell complete commands, options, cards, methods and\n"
        "policies: source <(hearth completion bash). meson install installs all three.",
    .operands = "the name of a shell",
    .operand_count = 1,
    .values = list_shells,
};

static int print_script(void *data, char **operands, struct error *err)
{
    for (size_t i = 0; i < SHELLS; i++)
        if (strcmp(shells[i].name, operands[0]) == 0) {
            fputs(shells[i].script, stdout);
            return 0;
        }
    char hint[SPELLING_HINT];
    struct spelling_guess guess = spelling_guess(operands[0]);
    for (size_t i = 0; i < SHELLS; i++)
        spelling_consider(&guess, shells[i].name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "completion: \"%s\" is not bash, zsh or fish%s", operands[0],
                     spelling_hint(&guess, "", hint));
}

int command_completion(int argc, char **argv, struct error *err)
{
    char nothing;
    return cli_run(&command, argc, argv, &nothing, print_script, err);
}
