#include "tools/commands/sample/sample_list.h"

#include <stdlib.h>

#include "tools/run/sample/represented.h"

enum { TRACED = 1, WARMS = 2 };

/* Marks the representatives, and the WARM->count launches before each. */
static void mark(const struct sampling *selection, const struct sample_warm *warm,
                 uint8_t *marks)
{
    for (size_t i = 0; i < selection->rep_count; i++) {
        size_t rep = selection->reps[i];
        size_t first = warm->count < rep ? rep - (size_t)warm->count : 0;
        marks[rep] |= TRACED;
        for (size_t row = first; row < rep; row++)
            marks[row] |= warm->memory ? WARMS : TRACED;
    }
}

/* Writes the launches of the rows marked with exactly MARK, if there are any, after WORD. */
static bool write_marked(const struct profile *profile, const uint8_t *marks, uint8_t mark,
                         const char *word, FILE *out)
{
    size_t count = 0;
    uint64_t *numbers = malloc(profile->count * sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (size_t row = 0; row < profile->count; row++)
        if (marks[row] == mark)
            numbers[count++] = profile->rows[row].launch;
    if (count > 0) {
        fputs(word, out);
        represented_write(numbers, count, ' ', out);
        putc('\n', out);
    }
    free(numbers);
    return true;
}

int sample_list_write(const struct sampling *selection, const struct sample_warm *warm,
                      FILE *out, struct error *err)
{
    const struct profile *profile = selection->profile;
    uint8_t *marks = calloc(profile->count, 1);
    if (marks == NULL)
        return error_no_memory(err);
    mark(selection, warm, marks);
    for (size_t row = 0; row < profile->count; row++)
        if (marks[row] & TRACED) /* launches that are measured also warm */
            marks[row] = TRACED;
    bool done = write_marked(profile, marks, TRACED, "", out) &&
                write_marked(profile, marks, WARMS, "memory ", out);
    free(marks);
    return done ? 0 : error_no_memory(err);
}
