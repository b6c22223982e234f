/* How different two spellings are, for messages that guess what was meant. */
#ifndef HEARTH_TRACES_BASE_SPELLING_H
#define HEARTH_TRACES_BASE_SPELLING_H

#define SPELLING_LIMIT 64 /* most characters of a known name */

/* How many letters must be inserted, deleted, replaced or swapped with the next to turn TEXT
 * into KNOWN (optimal string alignment distance), ignoring case; SPELLING_LIMIT if KNOWN is
 * longer than that. */
unsigned spelling_distance(const char *text, const char *known);

/* Which of some names TEXT probably means. */
struct spelling_guess {
    const char *text;
    const char *name; /* the nearest so far; NULL: none is near */
    unsigned limit;   /* only a nearer name is better */
};

/* With a third of the letters wrong or more it is not a typing error. */
struct spelling_guess spelling_guess(const char *text);
/* NAME must outlive GUESS. */
void spelling_consider(struct spelling_guess *guess, const char *name);
/* "; did you mean NAME?" in ROOM, or "" if no name is near; NAME begins with BEFORE, as "--".
 */
#define SPELLING_HINT (SPELLING_LIMIT + 32)
const char *spelling_hint(const struct spelling_guess *guess, const char *before,
                          char room[static SPELLING_HINT]);

#endif
