/* How far apart two spellings are, for messages that guess what was meant. */
#ifndef HEARTH_TRACES_BASE_SPELLING_H
#define HEARTH_TRACES_BASE_SPELLING_H

#define SPELLING_LIMIT 64 /* characters of a name that is known */

/* Letters to insert, delete or replace to make KNOWN of TEXT (Levenshtein), whatever their
 * case; SPELLING_LIMIT if KNOWN is longer than that. */
unsigned spelling_distance(const char *text, const char *known);

#endif
