#define _GNU_SOURCE
#include "tools/study/footprint/footprint_row.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/csv/csv_file.h"

int footprint_row_init(struct footprint_row *row, uint64_t number,
                       const struct trace_header *header, const struct trace_footprint *counts,
                       struct error *err)
{
    *row =
        (struct footprint_row){.launch = number, .stream = header->stream, .counts = *counts};
    for (size_t i = 0; i < counts->source_count; i++)
        if (!counts->sources[i].copy && counts->sources[i].distance == 1)
            row->last = counts->sources[i].sectors;
    memcpy(row->grid, header->grid, sizeof row->grid);
    memcpy(row->block, header->block, sizeof row->block);
    row->kernel = strdup(header->name);
    return row->kernel != NULL ? 0 : error_no_memory(err);
}

void footprint_row_finish(struct footprint_row *row)
{
    free(row->kernel);
    *row = (struct footprint_row){0};
}

/* ---- columns ----------------------------------------------------------- */

/* What a column needs in order to have a value. */
enum need { NEED_NOTHING, NEED_PREVIOUS, NEED_NEXT };

/* A count, or a share PART / WHOLE. */
struct footprint_column {
    const char *name;
    enum need need;
    bool share;
    size_t part, whole; /* offsets of 64-bit counts in struct footprint_row */
};

#define AT(field) offsetof(struct footprint_row, field)
#define COUNT(name, field)                                                                     \
    {                                                                                          \
        name, NEED_NOTHING, false, AT(field), 0                                                \
    }
#define SHARE(name, need, part, whole)                                                         \
    {                                                                                          \
        name, need, true, AT(part), AT(whole)                                                  \
    }

/* The columns after launch, kernel, stream, grid and block. */
static const struct footprint_column columns[] = {
    COUNT("memory_insts", counts.records),
    COUNT("accesses", counts.accesses),
    COUNT("lines", counts.lines.all),
    COUNT("lines_read", counts.lines.read),
    COUNT("lines_written", counts.lines.written),
    COUNT("sectors", counts.sectors.all),
    COUNT("sectors_read", counts.sectors.read),
    COUNT("sectors_written", counts.sectors.written),
    COUNT("addresses", counts.addresses),
    COUNT("previous_lines", counts.lines.shared),
    COUNT("previous_sectors", counts.sectors.shared),
    COUNT("previous_addresses", counts.shared_addresses),
    SHARE("forward_addresses", NEED_NEXT, next_addresses, counts.addresses),
    SHARE("backward_addresses", NEED_PREVIOUS, counts.shared_addresses, counts.addresses),
    SHARE("forward_sectors", NEED_NEXT, next_sectors, counts.sectors.all),
    SHARE("backward_sectors", NEED_PREVIOUS, counts.sectors.shared, counts.sectors.all),
    SHARE("forward_lines", NEED_NEXT, next_lines, counts.lines.all),
    SHARE("backward_lines", NEED_PREVIOUS, counts.lines.shared, counts.lines.all),
    COUNT("reused_sectors", counts.reused),
    COUNT("copied_sectors", counts.copied),
    COUNT("back", back),
};
#define COLUMNS (sizeof columns / sizeof columns[0])

static uint64_t count_at(const struct footprint_row *row, size_t offset)
{
    uint64_t count;
    memcpy(&count, (const char *)row + offset, sizeof count);
    return count;
}

static bool has_value(const struct footprint_row *row, const struct footprint_column *column)
{
    if ((column->need == NEED_PREVIOUS && !row->has_previous) ||
        (column->need == NEED_NEXT && !row->has_next))
        return false;
    return !column->share || count_at(row, column->whole) > 0;
}

static const char *text_of(const struct footprint_row *row,
                           const struct footprint_column *column, char text[32])
{
    uint64_t part = count_at(row, column->part);
    text[0] = '\0';
    if (!has_value(row, column))
        return text;
    if (column->share)
        snprintf(text, 32, "%.6g", (double)part / (double)count_at(row, column->whole));
    else
        snprintf(text, 32, "%" PRIu64, part);
    return text;
}

void footprint_row_text(const struct footprint_row *row, const char *column, char text[32])
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, column) == 0)
            text_of(row, &columns[i], text);
}

/* ---- CSV --------------------------------------------------------------- */

void footprint_csv_head(FILE *out)
{
    fputs("launch,kernel,stream,grid,block", out);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, ",%s", columns[i].name);
    fputc('\n', out);
}

void footprint_csv_row(FILE *out, const struct footprint_row *row)
{
    const uint32_t *grid = row->grid, *block = row->block;
    fprintf(out, "%" PRIu64 ",", row->launch);
    csv_file_write_field(out, row->kernel);
    fprintf(out, ",%" PRIu64 ",%ux%ux%u,%ux%ux%u", row->stream, grid[0], grid[1], grid[2],
            block[0], block[1], block[2]);
    for (size_t i = 0; i < COLUMNS; i++) {
        char text[32];
        fprintf(out, ",%s", text_of(row, &columns[i], text));
    }
    fputc('\n', out);
}

void footprint_sources_head(FILE *out)
{
    fputs("launch,source,distance,sectors,newer_lines,newer_copied_lines\n", out);
}

void footprint_sources_rows(FILE *out, const struct footprint_row *row)
{
    const struct trace_footprint *counts = &row->counts;
    uint64_t none = counts->sectors.all - counts->reused - counts->copied;
    for (size_t i = 0; i < counts->source_count; i++) {
        const struct trace_reuse_source *source = &counts->sources[i];
        if (source->sectors == 0)
            continue;
        fprintf(out, "%" PRIu64 ",%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", row->launch,
                source->copy ? "copy" : "launch", source->distance, source->sectors,
                source->newer_lines, source->newer_copied);
    }
    if (none > 0)
        fprintf(out, "%" PRIu64 ",none,,%" PRIu64 ",,\n", row->launch, none);
}
