/* Things worth a line on stderr that are no errors: each told once, at the
 * end, with how often it was met. */
#ifndef HEARTH_TOOLS_RUN_NOTES_H
#define HEARTH_TOOLS_RUN_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct notes {
    struct note {
        char *text;
        uint64_t count;
    } * items;
    size_t count;
    size_t left_out; /* that found no room */
};

/* Adds COUNT to the note TEXT (copied). Without memory it is left out. */
void notes_add(struct notes *notes, const char *text, uint64_t count);
/* Moves all of FROM to NOTES; FROM is empty then. */
void notes_move(struct notes *notes, struct notes *from);
/* Prints all on stderr: "hearth: note: TEXT", and the count above 1. */
void notes_print(const struct notes *notes);
void notes_finish(struct notes *notes);

#endif
