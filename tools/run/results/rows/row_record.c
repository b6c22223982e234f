#include "tools/run/results/rows/row_record.h"

#include <string.h>

#define WORD sizeof(uint64_t)

_Static_assert(sizeof(struct row) % WORD == 0, "a row consists of words");
_Static_assert(sizeof(struct interval) % WORD == 0, "an interval consists of words");
_Static_assert(sizeof(struct sim_cpi) % WORD == 0, "a stack consists of words");
_Static_assert(sizeof(struct row_parts_item) % WORD == 0, "a part consists of words");

/* Most words of a row are counters, and most counters are small: as LEB128 they take a fourth
 * of the space. */
static void put_words(struct bytes *bytes, const void *data, size_t size)
{
    const uint8_t *at = data;
    if (size == 0) /* of nothing, which may have no address */
        return;
    for (const uint8_t *end = at + size; at < end; at += WORD) {
        uint64_t word;
        memcpy(&word, at, WORD);
        bytes_number(bytes, word);
    }
}

static void take_words(struct byte_reader *reader, void *data, size_t size)
{
    uint8_t *at = data;
    if (size == 0)
        return;
    for (uint8_t *end = at + size; at < end; at += WORD) {
        uint64_t word = reader_number(reader);
        memcpy(at, &word, WORD);
    }
}

void row_record_write(struct bytes *bytes, const struct row *row)
{
    put_words(bytes, row, sizeof *row);
    put_words(bytes, row->intervals.items, row->intervals.count * sizeof(struct interval));
    put_words(bytes, row->stacks.items, row->stacks.count * sizeof(struct sim_cpi));
    put_words(bytes, row->parts.items, row->parts.count * sizeof(struct row_parts_item));
    for (size_t i = 0; i < row->notes.count; i++) {
        const struct note *note = &row->notes.items[i];
        bytes_number(bytes, note->count);
        bytes_put(bytes, note->text, strlen(note->text) + 1);
    }
}

static bool take_intervals(struct byte_reader *reader, struct intervals *intervals,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct interval *interval = intervals_new(intervals);
        if (interval == NULL)
            return false;
        take_words(reader, interval, sizeof *interval);
    }
    return true;
}

static bool take_stacks(struct byte_reader *reader, struct stacks *stacks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sim_cpi stack;
        take_words(reader, &stack, sizeof stack);
        if (!stacks_add(stacks, &stack))
            return false;
    }
    return true;
}

static bool take_parts(struct byte_reader *reader, struct row_parts *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct row_parts_item item;
        take_words(reader, &item, sizeof item);
        if (!row_parts_add(parts, &item))
            return false;
    }
    return true;
}

static void take_notes(struct byte_reader *reader, struct notes *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t times = reader_number(reader);
        const char *text = (const char *)reader->at;
        reader_take(reader, strlen(text) + 1);
        notes_add(notes, text, times);
    }
}

bool row_record_read(struct row *row, const uint8_t *data, size_t size)
{
    struct byte_reader reader = {data, data + size, false};
    take_words(&reader, row, sizeof *row);
    const struct row stored = *row;
    row->intervals = (struct intervals){0};
    row->stacks = (struct stacks){0};
    row->parts = (struct row_parts){0};
    row->notes = (struct notes){.left_out = stored.notes.left_out};
    if (take_intervals(&reader, &row->intervals, stored.intervals.count) &&
        take_stacks(&reader, &row->stacks, stored.stacks.count) &&
        take_parts(&reader, &row->parts, stored.parts.count)) {
        take_notes(&reader, &row->notes, stored.notes.count);
        return true;
    }
    row_finish(row);
    return false;
}
