#include "tools/run/journal/journal_rows.h"

#include "sampling/intra/intra.h"

static struct segment *segment_of(struct segments *segments, size_t item)
{
    for (size_t low = 0, high = segments->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        struct segment *segment = &segments->items[middle];
        if (item < segment->begin)
            high = middle;
        else if (item >= segment_end(segment))
            low = middle + 1;
        else
            return segment;
    }
    return NULL;
}

static void drop_pending(struct journal_rows *reader)
{
    notes_finish(&reader->notes);
    intervals_finish(&reader->intervals);
    stacks_finish(&reader->stacks);
    row_parts_finish(&reader->parts);
}

/* Adds the row to SEGMENT, with the notes and intervals that preceded it. */
static bool add_row(struct journal_rows *reader, const struct journal_line *line,
                    struct segment *segment)
{
    const struct plan_launch *launch = &reader->run->plan->items[line->item].launch;
    const struct row_segment label = segments_label(segment, reader->run->plan);
    struct row new, *row = &new;
    struct intra_spec spec;
    struct error ignored = {0};
    if (rows_begin(&segment->rows, row, &line->header, label, reader->err) != 0)
        return false;
    row->launch = line->launch;
    row->segments = segment->number;
    row->role = launch->role;
    row->mode = launch->mode;
    row->scale = launch->step->scale;
    row->result = line->result;
    row->outcome = line->outcome;
    if (launch->step->intra != NULL)
        row->intra =
            intra_parse(&spec, launch->step->intra, &ignored) == 0 ? intra_name(&spec) : NULL;
    row->primed = line->primed;
    row->result.peaks = reader->run->peaks;
    row->resumed = true;
    row->notes = reader->notes;
    row->intervals = reader->intervals;
    row->stacks = reader->stacks;
    row->parts = reader->parts;
    if (rows_add(&segment->rows, row, reader->err) != 0)
        return false;
    segment->done = line->item + 1;
    return true;
}

/* Returns false for a row that this plan cannot have. A row that is already there is
 * ignored. */
static bool take_row(struct journal_rows *reader, const struct journal_line *line)
{
    struct segment *segment = segment_of(reader->segments, line->item);
    if (segment == NULL || reader->run->plan->items[line->item].kind != PLAN_LAUNCH ||
        reader->run->skip[line->item])
        return false;
    bool taken = line->item < segment->done || add_row(reader, line, segment);
    reader->failed = !taken;
    drop_pending(reader);
    reader->rows += taken;
    return taken;
}

static bool take_interval(struct journal_rows *reader, const struct interval *interval)
{
    struct interval *item = intervals_new(&reader->intervals);
    if (item != NULL)
        *item = *interval;
    return item != NULL;
}

bool journal_rows_take(struct journal_rows *reader, const struct journal_line *line)
{
    switch (line->kind) {
    case JOURNAL_NOTE:
        notes_add(&reader->notes, line->text, line->count);
        return true;
    case JOURNAL_INTERVAL:
        return take_interval(reader, &line->interval);
    case JOURNAL_STACK:
        return stacks_add(&reader->stacks, &line->stack);
    case JOURNAL_PART:
        return row_parts_add(&reader->parts, &line->part);
    case JOURNAL_ROW:
        return take_row(reader, line);
    }
    return false;
}

/* Whether ITEM has no row, and leaves nothing that a resumed run needs: the state of a !save
 * may not have been written. */
static bool leaves_nothing(const struct journal_rows *reader, size_t item)
{
    enum plan_kind kind = reader->run->plan->items[item].kind;
    return reader->run->skip[item] || (kind != PLAN_LAUNCH && kind != PLAN_SAVE);
}

void journal_rows_end(struct journal_rows *reader)
{
    for (size_t s = 0; s < reader->segments->count; s++) {
        struct segment *segment = &reader->segments->items[s];
        size_t item = segment->done;
        while (item < segment_end(segment) && leaves_nothing(reader, item))
            item++;
        if (item == segment_end(segment) && segment->rows.count > 0)
            segment->done = item;
    }
    drop_pending(reader);
}
