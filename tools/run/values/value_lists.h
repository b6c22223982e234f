/* Values of options of commands that tables list, for shells that complete them: a line
 * "NAME: MEANING" for each, after '\n', as struct cli_option wants them. */
#ifndef HEARTH_TOOLS_RUN_VALUES_VALUE_LISTS_H
#define HEARTH_TOOLS_RUN_VALUES_VALUE_LISTS_H

#include <stdio.h>

/* The bundled configurations. */
void value_lists_cards(FILE *out);
/* "NAME=" of each option of a configuration. */
void value_lists_options(FILE *out);
/* Their names. */
void value_lists_option_names(FILE *out);
/* The methods of hearth sample. */
void value_lists_methods(FILE *out);

#endif
