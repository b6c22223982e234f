#define _GNU_SOURCE /* vasprintf */
#include "tools/run/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/process/terminal.h"
#include "traces/base/visible.h"

#define MOST 64 /* more than anybody reads */

void notes_add(struct notes *notes, const char *text, uint64_t count)
{
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->items[i].text, text) == 0) {
            notes->items[i].count += count;
            return;
        }
    struct note *items = NULL;
    char *copy = notes->count < MOST ? strdup(text) : NULL;
    if (copy != NULL)
        items = realloc(notes->items, (notes->count + 1) * sizeof *items);
    if (items == NULL) {
        free(copy);
        notes->left_out++;
        return;
    }
    notes->items = items;
    items[notes->count++] = (struct note){copy, count};
}

void notes_move(struct notes *notes, struct notes *from)
{
    for (size_t i = 0; i < from->count; i++)
        notes_add(notes, from->items[i].text, from->items[i].count);
    notes->left_out += from->left_out;
    notes_finish(from);
}

static void write_note(const char *text, uint64_t count, FILE *out)
{
    fprintf(out, "%shearth: note:%s ", terminal_begin(out, TERMINAL_WARNING),
            terminal_end(out));
    visible_print(text, out);
    if (count > 1)
        fprintf(out, " (%" PRIu64 " times)", count);
    putc('\n', out);
}

void notes_say(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    write_note(text, 1, stderr);
    free(text);
}

void notes_write(const struct notes *notes, FILE *out)
{
    for (size_t i = 0; i < notes->count; i++)
        write_note(notes->items[i].text, notes->items[i].count, out);
    if (notes->left_out > 0)
        fprintf(out, "%shearth: note:%s and %zu more\n", terminal_begin(out, TERMINAL_WARNING),
                terminal_end(out), notes->left_out);
}

void notes_print(const struct notes *notes)
{
    notes_write(notes, stderr);
}

void notes_finish(struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->items[i].text);
    free(notes->items);
    *notes = (struct notes){0};
}
