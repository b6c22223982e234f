/* Ranges of launches: "2 5-8 10-@gemm.*,.*fft". */
#include <stdlib.h>
#include <string.h>

#include "tracer/select/select.h"
#include "traces/base/number.h"

static void finish_range(struct select_range *range)
{
    for (size_t i = 0; i < range->name_count; i++)
        regfree(&range->names[i]);
    free(range->names);
}

void select_ranges_finish(struct select_ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        finish_range(&ranges->items[i]);
    free(ranges->items);
    *ranges = (struct select_ranges){0};
}

/* N, N-M, N-, or nothing before '@'. As in Accel-Sim's tracer, 0 at an end means no
 * limit. */
static bool parse_numbers(const char **at, struct select_range *range)
{
    range->first = 0;
    range->last = UINT64_MAX;
    if (**at == '@')
        return true;
    if (!number_next(at, UINT64_MAX, &range->first))
        return false;
    if (**at != '-') {
        range->last = range->first;
        return true;
    }
    ++*at;
    if (**at != '\0' && **at != '@' && !number_next(at, UINT64_MAX, &range->last))
        return false;
    if (range->last == 0)
        range->last = UINT64_MAX;
    return range->first <= range->last;
}

/* An expression has to match a whole name. */
static int add_name(struct select_range *range, const char *text, size_t length,
                    struct error *err)
{
    regex_t *more = reallocarray(range->names, range->name_count + 1, sizeof *more);
    char *whole = malloc(length + sizeof "^()$");
    if (more != NULL)
        range->names = more;
    if (more == NULL || whole == NULL) {
        free(whole);
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    }
    sprintf(whole, "^(%.*s)$", (int)length, text);
    int rc = regcomp(&more[range->name_count], whole, REG_EXTENDED | REG_NOSUB);
    free(whole);
    if (rc != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "\"%.*s\" is not a regular expression",
                         (int)length, text);
    range->name_count++;
    return 0;
}

static int parse_names(const char *at, struct select_range *range, struct error *err)
{
    while (*at != '\0') {
        size_t n = strcspn(at, ",");
        if (n > 0 && add_name(range, at, n, err) != 0)
            return -1;
        at += n + (at[n] == ',');
    }
    return 0;
}

static int parse_token(struct select_range *range, const char *token, const char *file,
                       long line, struct error *err)
{
    const char *at = token;
    if (!parse_numbers(&at, range) || (*at != '\0' && *at != '@'))
        return error_set(err, ERROR_USAGE, file, line, 0,
                         "\"%s\" is not a launch or a range of launches such as 3, 5-8 or 10-",
                         token);
    return *at == '@' ? parse_names(at + 1, range, err) : 0;
}

static int add(struct select_ranges *ranges, const char *token, bool memory, const char *file,
               long line, struct error *err)
{
    struct select_range *more = reallocarray(ranges->items, ranges->count + 1, sizeof *more);
    if (more == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, NULL);
    ranges->items = more;
    struct select_range *range = &more[ranges->count++];
    *range = (struct select_range){.memory = memory};
    return parse_token(range, token, file, line, err);
}

int select_ranges_parse(struct select_ranges *ranges, const char *text, bool memory,
                        const char *file, long line, struct error *err)
{
    int rc = 0;
    for (const char *at = text; rc == 0 && *at != '\0';) {
        at += strspn(at, " \t\r\n,");
        size_t n = strcspn(at, " \t\r\n,@");
        if (at[n] == '@')
            n += strcspn(at + n, " \t\r\n");
        if (n == 0)
            break;
        char *token = strndup(at, n);
        if (token == NULL)
            return error_no_memory_for(err, ERROR_OUTPUT, NULL);
        rc = add(ranges, token, memory, file, line, err);
        free(token);
        at += n;
    }
    return rc;
}
