/* Notes: lines on stderr that are not errors. Each is printed once, at the end, with the
 * number of times that it occurred. */
#ifndef HEARTH_TOOLS_RUN_NOTES_H
#define HEARTH_TOOLS_RUN_NOTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct notes {
    struct note {
        char *text;
        uint64_t count;
    } * items;
    size_t count;
    size_t left_out; /* notes that were dropped */
};

/* Adds COUNT to the note TEXT (copied). Without memory the note is dropped. */
void notes_add(struct notes *notes, const char *text, uint64_t count);
/* Moves all of FROM to NOTES; FROM is then empty. */
void notes_move(struct notes *notes, struct notes *from);
/* Prints "hearth: note: ..." and a newline on stderr, with control characters escaped. */
void notes_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes all to OUT: "hearth: note: TEXT", with the count if it is above 1. */
void notes_write(const struct notes *notes, FILE *out);
/* The same on stderr. */
void notes_print(const struct notes *notes);
void notes_finish(struct notes *notes);

#endif
