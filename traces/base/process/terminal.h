/* Colours of text on a terminal. */
#ifndef HEARTH_TRACES_BASE_PROCESS_TERMINAL_H
#define HEARTH_TRACES_BASE_PROCESS_TERMINAL_H

#include <stdio.h>

enum terminal_style {
    TERMINAL_HEADING, /* bold */
    TERMINAL_WARNING, /* bold yellow: notes, and results that are partial */
    TERMINAL_ERROR,   /* bold red */
};

/* What begins and what ends text of STYLE on OUT: escape sequences, or "" if OUT is not to have
 * colours. Only standard output and standard error have them, where they are terminals (TERM is
 * not "dumb"), unless the environment has NO_COLOR, and also elsewhere if it has CLICOLOR_FORCE
 * (not "0"). A variable without a value counts as missing. */
const char *terminal_begin(FILE *out, enum terminal_style style);
const char *terminal_end(FILE *out);

#endif
