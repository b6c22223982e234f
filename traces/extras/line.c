#define _GNU_SOURCE /* rawmemchr */
#include "traces/extras.h"

#include <string.h>

#include "traces/text/line.h"
#include "traces/text/scan.h"

static const char *fail(struct trace_extras *extras, const char *at, const char *expected)
{
    extras->failed_at = at;
    return expected;
}

/* Reads the number at *AT, after its mark. */
static const char *read_number(struct trace_extras *extras, const char **at)
{
    uint64_t number;
    const char *end = scan_decimal(*at, UINT32_MAX, &number);
    if (end == NULL || !scan_is_end(*end))
        return fail(extras, *at, "a number of 32 bits is expected");
    if (extras->number_count == TRACE_MAX_TAIL)
        return fail(extras, *at, "at most 32 numbers are expected");
    extras->numbers[extras->number_count++] = (uint32_t)number;
    *at = end;
    return NULL;
}

static const char *read_active(struct trace_extras *extras, const char **at)
{
    uint64_t active;
    const char *end = scan_hex(*at, 8, &active);
    if (end != *at + 8 || *scan_blanks(end) != '\n')
        return fail(extras, *at, "an active mask of 8 digits is expected");
    extras->has_active = true;
    extras->active = (uint32_t)active;
    *at = end;
    return NULL;
}

const char *trace_extras_read(struct trace_extras *extras, const char *line)
{
    const char *wrong = NULL, *end = rawmemchr(line, '\n');
    const char *at = memchr(line, LINE_VALUE, (size_t)(end - line));
    if (at == NULL)
        at = memchr(line, LINE_ACTIVE, (size_t)(end - line));
    *extras = (struct trace_extras){0};
    while (at != NULL && wrong == NULL && at < end) {
        bool begins = at > line && scan_is_blank(at[-1]);
        char mark = *at++;
        if (begins && mark == LINE_VALUE)
            wrong = read_number(extras, &at);
        else if (begins && mark == LINE_ACTIVE)
            wrong = read_active(extras, &at);
    }
    return wrong;
}
