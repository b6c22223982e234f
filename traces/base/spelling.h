/* How different two spellings are, for messages that guess what was meant. */
#ifndef HEARTH_TRACES_BASE_SPELLING_H
#define HEARTH_TRACES_BASE_SPELLING_H

#define SPELLING_LIMIT 64 /* most characters of a known name */

/* How many letters must be inserted, deleted or replaced to turn TEXT into KNOWN (Levenshtein
 * distance), ignoring case; SPELLING_LIMIT if KNOWN is longer than that. */
unsigned spelling_distance(const char *text, const char *known);

#endif
