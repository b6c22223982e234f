#include "tools/run/journal/journal_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/base/bytes.h"
#include "traces/base/draft.h"
#include "traces/base/number.h"
#include "traces/base/text/number_text.h"

#define DIGEST 16   /* digits; a blank precedes them */
#define LINE   2048 /* bytes of most rows */

bool journal_line_check(char *line)
{
    size_t length = strlen(line);
    if (length < DIGEST + 2 || line[length - 1] != '\n' || line[length - DIGEST - 2] != ' ')
        return false;
    size_t text = length - DIGEST - 2;
    char digest[DIGEST + 2];
    snprintf(digest, sizeof digest, "%016" PRIx64 "\n", (uint64_t)XXH64(line, text, 0));
    if (strcmp(digest, line + text + 1) != 0)
        return false;
    line[text] = '\0';
    return true;
}

void journal_line_write(FILE *out, const char *text)
{
    fprintf(out, "%s %016" PRIx64 "\n", text, (uint64_t)XXH64(text, strlen(text), 0));
}

/* Writes DRAFT, which ends, as a line. */
static bool end(struct draft *draft, FILE *out)
{
    bool good = draft_end(draft);
    if (good)
        journal_line_write(out, draft->text);
    free(draft->text);
    return good;
}

/* Texts come from headers and messages, which contain no newline. */
static bool write_note(FILE *out, const struct note *note, size_t item)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return false;
    fprintf(draft.out, "note %zu %" PRIu64 " %s", item, note->count, note->text);
    return end(&draft, out);
}

static bool write_interval(FILE *out, const struct interval *interval, size_t item)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return false;
    fprintf(draft.out, "interval %zu %" PRIu64 " %" PRIu64, item, interval->begin,
            interval->end);
    for (size_t i = 0; i < INTERVALS_COUNTERS; i++)
        fprintf(draft.out, " %" PRIu64, interval->counts[i]);
    return end(&draft, out);
}

static bool write_stack(FILE *out, const struct sim_cpi *stack, size_t item)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return false;
    fprintf(draft.out, "stack %zu", item);
    for (size_t c = 0; c < SIM_CPI_COUNT; c++)
        fprintf(draft.out, " %" PRIu64, stack->cycles[c]);
    return end(&draft, out);
}

static bool write_part(FILE *out, const struct row_parts_item *part, size_t item)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return false;
    fprintf(draft.out, "part %zu %d %" PRIu32, item, part->kind, part->number);
    for (size_t i = 0; i < SIM_PART_COUNTERS; i++)
        fprintf(draft.out, " %" PRIu64, part->part.counts[i]);
    return end(&draft, out);
}

static void put_number(struct bytes *line, uint64_t number)
{
    char buffer[1 + NUMBER_TEXT];
    size_t at = (size_t)(number_text_count(number, buffer + 1) - buffer) - 1;
    buffer[at] = ' ';
    bytes_put(line, buffer + at, NUMBER_TEXT - at);
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Puts the line of ROW as a text. */
static void put_row(struct bytes *line, const struct row *row, size_t item)
{
    const struct sim_result *result = &row->result;
    const uint64_t numbers[] = {
        item,
        row->launch,
        row->stream,
        row->grid[0],
        row->grid[1],
        row->grid[2],
        row->block[0],
        row->block[1],
        row->block[2],
        result->start_cycle,
        result->end_cycle,
        result->gap_cycles,
        row->primed,
        result->restored_sectors,
        result->channel_bytes,
        result->busiest_channel_bytes,
        row->outcome.check,
        row->outcome.blocks,
        row->outcome.warp_insts,
        row->outcome.cycles,
        bits_of(row->outcome.bar),
        bits_of(row->outcome.stability),
    };
    bytes_reserve(line, LINE);
    bytes_put(line, "row", 3);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(line, numbers[i]);
    for (size_t i = 0; i < sim_counter_count; i++)
        put_number(line, sim_counter_get(&result->counters, i));
    bytes_byte(line, ' ');
    bytes_put(line, row->kernel, strlen(row->kernel) + 1);
}

bool journal_line_write_row(FILE *out, const struct row *row, size_t item)
{
    for (size_t i = 0; i < row->notes.count; i++)
        if (!write_note(out, &row->notes.items[i], item))
            return false;
    for (size_t i = 0; i < row->intervals.count; i++)
        if (!write_interval(out, &row->intervals.items[i], item))
            return false;
    for (size_t i = 0; i < row->stacks.count; i++)
        if (!write_stack(out, &row->stacks.items[i], item))
            return false;
    for (size_t i = 0; i < row->parts.count; i++)
        if (!write_part(out, &row->parts.items[i], item))
            return false;
    struct bytes line = {0};
    put_row(&line, row, item);
    bool good = !line.failed;
    if (good)
        journal_line_write(out, (const char *)line.data);
    bytes_finish(&line);
    return good;
}

/* Moves *AT past a blank and a number up to MOST. */
static bool number(char **at, uint64_t *value, uint64_t most)
{
    const char *next = *at + 1;
    if (**at != ' ' || !number_next(&next, most, value))
        return false;
    *at += next - *at;
    return true;
}

static bool size3(char **at, uint32_t size[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (!number(at, &value, UINT32_MAX))
            return false;
        size[i] = (uint32_t)value;
    }
    return true;
}

static bool read_note(struct journal_line *read, char *at)
{
    if (!number(&at, &read->item, SIZE_MAX) || !number(&at, &read->count, UINT64_MAX) ||
        *at != ' ')
        return false;
    read->text = at + 1;
    return true;
}

static bool read_interval(struct journal_line *read, char *at)
{
    struct interval *interval = &read->interval;
    bool good = number(&at, &read->item, SIZE_MAX) &&
                number(&at, &interval->begin, UINT64_MAX) &&
                number(&at, &interval->end, UINT64_MAX);
    for (size_t i = 0; good && i < INTERVALS_COUNTERS; i++)
        good = number(&at, &interval->counts[i], UINT64_MAX);
    return good && *at == '\0';
}

static bool read_stack(struct journal_line *read, char *at)
{
    bool good = number(&at, &read->item, SIZE_MAX);
    for (size_t c = 0; good && c < SIM_CPI_COUNT; c++)
        good = number(&at, &read->stack.cycles[c], UINT64_MAX);
    return good && *at == '\0';
}

static bool read_part(struct journal_line *read, char *at)
{
    uint64_t kind, place;
    bool good = number(&at, &read->item, SIZE_MAX) && number(&at, &kind, SIM_PART_CHANNEL) &&
                number(&at, &place, UINT32_MAX);
    for (size_t i = 0; good && i < SIM_PART_COUNTERS; i++)
        good = number(&at, &read->part.part.counts[i], UINT64_MAX);
    if (!good || *at != '\0' || kind == 0 || (kind & (kind - 1)) != 0)
        return false;
    read->part.kind = (enum sim_part_kind)kind;
    read->part.number = (uint32_t)place;
    return true;
}

static bool read_outcome(char **at, struct intra_outcome *outcome)
{
    uint64_t check, bar, stability;
    if (!number(at, &check, INTRA_CHECKS - 1) || !number(at, &outcome->blocks, UINT64_MAX) ||
        !number(at, &outcome->warp_insts, UINT64_MAX) ||
        !number(at, &outcome->cycles, UINT64_MAX) || !number(at, &bar, UINT64_MAX) ||
        !number(at, &stability, UINT64_MAX))
        return false;
    outcome->check = (enum intra_check)check;
    memcpy(&outcome->bar, &bar, sizeof bar);
    memcpy(&outcome->stability, &stability, sizeof stability);
    return true;
}

static bool read_row(struct journal_line *read, char *at)
{
    struct sim_result *result = &read->result;
    bool good = number(&at, &read->item, SIZE_MAX) && number(&at, &read->launch, UINT64_MAX) &&
                number(&at, &read->header.stream, UINT64_MAX) &&
                size3(&at, read->header.grid) && size3(&at, read->header.block) &&
                number(&at, &result->start_cycle, UINT64_MAX) &&
                number(&at, &result->end_cycle, UINT64_MAX) &&
                number(&at, &result->gap_cycles, UINT64_MAX) &&
                number(&at, &read->primed, UINT64_MAX) &&
                number(&at, &result->restored_sectors, UINT64_MAX) &&
                number(&at, &result->channel_bytes, UINT64_MAX) &&
                number(&at, &result->busiest_channel_bytes, UINT64_MAX) &&
                read_outcome(&at, &read->outcome);
    for (size_t i = 0; good && i < sim_counter_count; i++) {
        uint64_t value;
        good = number(&at, &value, UINT64_MAX);
        if (good)
            memcpy((char *)&result->counters + sim_counter_table[i].offset, &value,
                   sizeof value);
    }
    read->header.name = at + 1;
    return good && *at == ' ';
}

bool journal_line_read(struct journal_line *read, char *line)
{
    static const struct {
        const char *word;
        bool (*read)(struct journal_line *read, char *at);
    } kinds[] = {
        [JOURNAL_NOTE] = {"note", read_note},
        [JOURNAL_INTERVAL] = {"interval", read_interval},
        [JOURNAL_STACK] = {"stack", read_stack},
        [JOURNAL_PART] = {"part", read_part},
        [JOURNAL_ROW] = {"row", read_row},
    };
    *read = (struct journal_line){0};
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t length = strlen(kinds[k].word);
        read->kind = k;
        if (strncmp(line, kinds[k].word, length) == 0 && line[length] == ' ')
            return kinds[k].read(read, line + length);
    }
    return false;
}
