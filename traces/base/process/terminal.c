#include "traces/base/process/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static bool is_coloured(FILE *out)
{
    const char *force = getenv("CLICOLOR_FORCE"), *terminal = getenv("TERM");
    if ((out != stdout && out != stderr) || has("NO_COLOR"))
        return false;
    if (has("CLICOLOR_FORCE") && strcmp(force, "0") != 0)
        return true;
    return has("TERM") && strcmp(terminal, "dumb") != 0 && isatty(fileno(out));
}

const char *terminal_begin(FILE *out, enum terminal_style style)
{
    static const char *const codes[] = {
        [TERMINAL_HEADING] = "\033[1m",
        [TERMINAL_WARNING] = "\033[1;33m",
        [TERMINAL_ERROR] = "\033[1;31m",
    };
    return is_coloured(out) ? codes[style] : "";
}

const char *terminal_end(FILE *out)
{
    return is_coloured(out) ? "\033[0m" : "";
}
