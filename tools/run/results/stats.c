#define _GNU_SOURCE /* fwrite_unlocked, mempcpy */
#include "tools/run/results/stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/json.h"
#include "traces/base/text/number_text.h"
#include "traces/base/visible.h"

static void write_value(struct json *json, const char *name, const struct value *value)
{
    char buffer[32];
    const char *text = value_text(value, buffer);
    if (value->kind == VALUE_NONE)
        json_raw(json, name, "null");
    else if (value->kind == VALUE_TEXT)
        json_text(json, name, text);
    else
        json_raw(json, name, text);
}

static bool has_nsight(struct row_column column)
{
    return column.nsight != NULL && column.nsight[0] != '\0';
}

static void write_about(struct json *json, struct row_column column)
{
    json_text(json, "kind", row_kind_name(column.kind));
    json_text(json, "unit", column.unit);
    json_text(json, "description", column.description);
    if (has_nsight(column))
        json_text(json, "nsight", column.nsight);
}

static void write_json_totals(struct json *json, const struct totals *totals)
{
    json_open(json, "totals", '{');
    for (size_t i = 0; i < totals_count(totals); i++) {
        struct row_column column = totals_column(totals, i);
        struct value value = totals_value(totals, i);
        json_open_line(json, column.name, '{');
        write_value(json, "value", &value);
        write_about(json, column);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void write_json_stream(struct json *json, const struct stream *stream)
{
    char name[32];
    snprintf(name, sizeof name, "%" PRIu64, stream->number);
    json_open_line(json, name, '{');
    for (size_t i = 0; i < totals_count(&stream->totals); i++) {
        struct value value = totals_value(&stream->totals, i);
        write_value(json, totals_column(&stream->totals, i).name, &value);
    }
    json_close(json, '}');
}

static void write_json_streams(struct json *json, const struct streams *streams)
{
    if (streams->count <= 1)
        return;
    json_open(json, "streams", '{');
    for (size_t s = 0; s < streams->count; s++)
        write_json_stream(json, &streams->items[s]);
    json_close(json, '}');
}

static void write_json_counters(struct json *json, size_t columns)
{
    json_open(json, "counters", '{');
    for (size_t c = 0; c < columns; c++) {
        struct row_column column = row_column(c);
        json_open_line(json, column.name, '{');
        write_about(json, column);
        json_close(json, '}');
    }
    json_close(json, '}');
}

void stats_begin_json(struct json *json, const struct results *results,
                      const struct results_about *about, FILE *out)
{
    json_init(json, out);
    json_open(json, NULL, '{');
    json_text(json, "version", HEARTH_VERSION);
    json_text(json, "workload_digest", about->digest);
    json_bool(json, "partial", results_partial(results));
    json_text(json, "warm_policy", about->plan->warm != NULL ? about->plan->warm : "");
    write_json_totals(json, &results->totals);
    extrapolated_write_json(&results->extrapolated, json);
    write_json_streams(json, about->streams);
    write_json_counters(json, row_column_shown(results->intra));
    json_open(json, "launches", '[');
}

void stats_add_json(struct json *json, const struct row_texts *texts)
{
    json_open_line(json, NULL, '{');
    for (size_t c = 0; c < texts->count; c++) {
        const struct row_text *item = &texts->items[c];
        if (item->kind == VALUE_NONE)
            json_key_raw(json, &item->key, "null", 4);
        else if (item->kind == VALUE_TEXT)
            json_key_text(json, &item->key, item->text);
        else
            json_key_raw(json, &item->key, item->text, item->length);
    }
    json_close(json, '}');
}

void stats_end_json(struct json *json)
{
    json_close(json, ']');
    json_close(json, '}');
}

static void write_description(FILE *out, struct row_column column)
{
    fputs(column.description, out);
    fprintf(out, column.unit[0] != '\0' ? " (%s)" : "%s", column.unit);
    fprintf(out, has_nsight(column) ? " [%s]\n" : "\n", column.nsight);
}

static void write_text_totals(FILE *out, const struct totals *totals)
{
    for (size_t i = 0; i < totals_count(totals); i++) {
        char buffer[32];
        struct value value = totals_value(totals, i);
        struct row_column column = totals_column(totals, i);
        fprintf(out, "total.%s %s # ", column.name, value_text(&value, buffer));
        write_description(out, column);
    }
}

/* The line of its total has the same description. */
static bool is_described(const struct totals *totals, struct row_column column)
{
    for (size_t i = 0; i < totals_count(totals); i++) {
        struct row_column total = totals_column(totals, i);
        if (strcmp(total.name, column.name) == 0)
            return strcmp(total.description, column.description) == 0;
    }
    return false;
}

static void write_text_counters(FILE *out, size_t columns, const struct totals *totals)
{
    fputs("# Of each launch, stepN: what is not 0. Described above, and here:\n", out);
    for (size_t c = 0; c < columns; c++)
        if (!is_described(totals, row_column(c))) {
            fprintf(out, "# %s: ", row_column(c).name);
            write_description(out, row_column(c));
        }
}

static bool is_zero(const struct value *value)
{
    return value->kind == VALUE_NONE || (value->kind == VALUE_COUNT && value->count == 0) ||
           (value->kind == VALUE_RATIO && value->ratio == 0);
}

static void write_text_streams(FILE *out, const struct streams *streams)
{
    if (streams->count > 1)
        fputs("# Of each stream, streamN, the same totals: what is not 0.\n", out);
    for (size_t s = 0; streams->count > 1 && s < streams->count; s++) {
        const struct stream *stream = &streams->items[s];
        for (size_t i = 0; i < totals_count(&stream->totals); i++) {
            char buffer[32];
            struct value value = totals_value(&stream->totals, i);
            if (!is_zero(&value))
                fprintf(out, "stream%" PRIu64 ".%s %s\n", stream->number,
                        totals_column(&stream->totals, i).name, value_text(&value, buffer));
        }
    }
}

void stats_begin_text(const struct results *results, const struct results_about *about,
                      FILE *out)
{
    fprintf(out, "version %s # of hearth\n", HEARTH_VERSION);
    fprintf(out, "workload_digest %s # of names and sizes of the traces\n", about->digest);
    fprintf(out, "partial %d # 1: the run stopped before its end\n", results_partial(results));
    write_text_totals(out, &results->totals);
    extrapolated_write_text(&results->extrapolated, out);
    write_text_counters(out, row_column_shown(results->intra), &results->totals);
    write_text_streams(out, about->streams);
}

#define LONGEST_NAME 128 /* of a column, at most */

void stats_add_text(const struct row_texts *texts, uint64_t step, FILE *out)
{
    char line[NUMBER_TEXT + 8 + LONGEST_NAME + 32 + 2];
    char *start = line + sprintf(line, "step%" PRIu64 ".", step);
    for (size_t c = 0; c < texts->count; c++) {
        const struct row_text *item = &texts->items[c];
        if (item->zero)
            continue;
        char *end = mempcpy(start, item->key.name, item->name_length);
        *end++ = ' ';
        if (item->kind == VALUE_TEXT) { /* names of kernels and segments may hold anything */
            fwrite_unlocked(line, 1, (size_t)(end - line), out);
            visible_print(item->text, out);
            putc_unlocked('\n', out);
            continue;
        }
        end = mempcpy(end, item->text, item->length);
        *end++ = '\n';
        fwrite_unlocked(line, 1, (size_t)(end - line), out);
    }
}
