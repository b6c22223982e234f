#include "tools/report/kernel_title.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime (Itanium C++ ABI): MANGLED without its mangling, from malloc(); NULL with
 * a *STATUS if it is no mangled name or memory is short. */
#define NO_MEMORY (-1)
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

#define ANONYMOUS "(anonymous namespace)"

char *kernel_title_full(const char *name)
{
    int status = 0;
    char *full = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    return full != NULL || status == NO_MEMORY ? full : strdup(name);
}

static bool in_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$';
}

/* Where the parameters of FULL begin: the last opening bracket outside of all others that is
 * not part of "(anonymous namespace)" or "operator()". */
static const char *end_of_name(const char *full)
{
    const char *end = full + strlen(full);
    int depth = 0;
    for (const char *at = full; *at != '\0'; at++) {
        if (strncmp(at, ANONYMOUS, strlen(ANONYMOUS)) == 0) {
            at += strlen(ANONYMOUS) - 1;
            continue;
        }
        if (*at == '(' && depth == 0 && at > full)
            return at;
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
    }
    return end;
}

/* After the last blank outside of all brackets: before it is what the kernel returns. */
static const char *begin_of_name(const char *full, const char *end)
{
    const char *begin = full;
    int depth = 0;
    for (const char *at = full; at < end; at++) {
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (*at == ' ' && depth == 0)
            begin = at + 1;
    }
    return begin;
}

/* Copies the name without namespaces, inner arguments and the blanks that these leave. */
static void copy_name(const char *at, const char *end, char *brief)
{
    char *to = brief, *word = brief;
    int depth = 0;
    for (; at < end; at++) {
        if (strncmp(at, ANONYMOUS "::", strlen(ANONYMOUS) + 2) == 0)
            at += strlen(ANONYMOUS) + 2;
        depth += *at == '<' || *at == '(';
        if (depth < 2 && at[0] == ':' && at + 1 < end && at[1] == ':') {
            to = word; /* it was a namespace */
            at++;
            continue;
        }
        if (depth < 2) {
            to -= *at == '>' && to > brief && to[-1] == ' ';
            *to++ = *at;
            if (!in_word(*at))
                word = to;
        }
        depth -= *at == '>' || *at == ')';
    }
    *to = '\0';
}

char *kernel_title_brief(const char *full)
{
    char *brief = malloc(strlen(full) + 1);
    if (brief == NULL)
        return NULL;
    const char *end = end_of_name(full);
    copy_name(begin_of_name(full, end), end, brief);
    if (brief[0] == '\0')
        strcpy(brief, full);
    if (strlen(brief) > KERNEL_TITLE_BRIEF)
        strcpy(brief + KERNEL_TITLE_BRIEF - 3, "...");
    return brief;
}

void kernel_title_copy(const char *name, bool brief, char *text, size_t size)
{
    char *full = kernel_title_full(name);
    char *shown = full != NULL && brief ? kernel_title_brief(full) : full;
    snprintf(text, size, "%s", shown != NULL ? shown : name);
    if (shown != full)
        free(shown);
    free(full);
}
