#include "tools/run/events/event_spec.h"

#include "traces/base/number.h"

/* Reads ":SM[:FROM-TO]". Returns what follows; NULL: it is wrong. */
static const char *read_range(const char *at, struct sim_event_range *range)
{
    uint64_t sm, from, to;
    at++;
    if (!number_next(&at, UINT32_MAX, &sm))
        return NULL;
    range->sm = (uint32_t)sm;
    if (*at != ':')
        return at;
    at++;
    if (!number_next(&at, INT64_MAX, &from) || *at++ != '-' ||
        !number_next(&at, INT64_MAX, &to) || to < from)
        return NULL;
    range->from = from;
    range->to = to + 1;
    return at;
}

int event_spec_parse(const char *text, uint64_t sms, struct event_spec *spec, struct error *err)
{
    const char *at = text;
    *spec = (struct event_spec){.range.to = UINT64_MAX};
    bool good = number_next(&at, UINT64_MAX, &spec->launch);
    if (good && *at == ':')
        at = read_range(at, &spec->range);
    if (!good || at == NULL || *at != '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events \"%.60s\": expected LAUNCH, LAUNCH:SM or "
                         "LAUNCH:SM:FROM-TO",
                         text);
    if (spec->range.sm >= sms)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events \"%.60s\": the last SM is %llu", text,
                         (unsigned long long)sms - 1);
    return 0;
}
