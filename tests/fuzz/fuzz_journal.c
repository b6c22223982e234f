/* Any bytes are a line of a journal or none, and a row that was read can be
 * written and read again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/journal/journal_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ROW, read from a line for ITEM, comes back as it is. */
static void expect_again(struct row *row, size_t item)
{
    char *text = NULL;
    size_t length = 0;
    struct journal_line again;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL || !journal_line_write_row(out, row, item))
        abort();
    fclose(out);
    if (!journal_line_check(text) || !journal_line_read(&again, text) || again.item != item ||
        again.kind != JOURNAL_ROW || strcmp(again.header.name, row->kernel) != 0 ||
        memcmp(&again.result, &row->result, sizeof row->result) != 0 ||
        memcmp(again.header.grid, row->grid, sizeof row->grid) != 0)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = malloc(size + 1);
    struct journal_line read;
    struct row row;
    if (line == NULL)
        abort();
    memcpy(line, data, size);
    line[size] = '\0';
    journal_line_check(line);
    memcpy(line, data, size);
    line[strcspn(line, "\n")] = '\0'; /* as getline() gives it */
    if (journal_line_read(&read, line) && read.kind == JOURNAL_ROW) {
        row_init(&row, &read.header, (struct row_segment){"", 1});
        row.launch = read.launch;
        row.result = read.result;
        row.primed = read.primed;
        expect_again(&row, (size_t)read.item);
        row_finish(&row);
    }
    free(line);
    return 0;
}
