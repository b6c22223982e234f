#include "warmup/warmup.h"

#include <string.h>

#include "traces/base/number.h"
#include "warmup/policies.h"

static const struct warmup_policy policies[] = {
    {.name = "none", .alone = true, .make = warmup_make_none},
    {.name = "full", .make = warmup_make_full},
    {.name = "detailed",
     .reaches = true,
     .alone = true,
     .timed = WARMUP_DETAILED,
     .make = warmup_make_detailed},
    {.name = "memory",
     .reaches = true,
     .alone = true,
     .timed = WARMUP_MEMORY,
     .make = warmup_make_memory},
    {.name = "functional", .reaches = true, .alone = true, .make = warmup_make_functional},
    {.name = "checkpoint", .alone = true, .states = true, .make = warmup_make_checkpoint},
    {.name = "nsl", .alone = true, .states = true, .ahead = true, .make = warmup_make_nsl},
    {.name = "stitch", .make = warmup_make_stitch},
};

static int wrong(const char *text, const char *expected, struct error *err)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "warm-up \"%.60s\": expected %s", text,
                     expected);
}

#define MOST_LAUNCHES 1000000

/* Without leading zeros, so that one number has one name. */
static bool read_launches(struct warmup *warmup, const char *text)
{
    uint64_t number;
    if ((text[0] == '0' && text[1] != '\0') || !number_whole(text, 0, MOST_LAUNCHES, &number))
        return false;
    warmup->launches = (uint32_t)number;
    return true;
}

static int read_reach(struct warmup *warmup, const char *text, const char *reach,
                      struct error *err)
{
    if (strcmp(reach, "all") == 0) {
        warmup->launches = UINT32_MAX;
        return 0;
    }
    if (strncmp(reach, "auto", 4) == 0 && (reach[4] == '\0' || reach[4] == ':')) {
        warmup->automatic = true;
        if (reach[4] == '\0' ||
            (number_decimal(reach + 5, 0, 100, &warmup->percentile) && warmup->percentile > 0))
            return 0;
        return wrong(text, "a percentile above 0, at most 100, behind auto:", err);
    }
    if (!read_launches(warmup, reach))
        return wrong(text, "a number of launches up to 1000000, all or auto behind the colon",
                     err);
    return 0;
}

static int read_prime(struct warmup *warmup, const char *text, const char *percent,
                      struct error *err)
{
    double number;
    if (warmup->prime[0] != '\0')
        return wrong(text, "prime:P once", err);
    if (!number_decimal(percent, 0, 100, &number) || number >= 100 ||
        strlen(percent) >= sizeof warmup->prime)
        return wrong(text, "a percentage from 0 to below 100 behind prime:", err);
    strcpy(warmup->prime, percent);
    return 0;
}

static int read_correction(struct warmup *warmup, const char *text, const char *kind,
                           struct error *err)
{
    warmup->correction = correction_find(kind);
    if (warmup->correction == NULL)
        return wrong(text, "thesis, artifact or corrected behind correction:", err);
    if (warmup->policy != NULL)
        return wrong(text, "a correction alone", err);
    warmup->policy = &policies[0];
    return 0;
}

/* POLICY of TEXT, which has one already: launches that a state stands in front of. */
static int read_behind(struct warmup *warmup, const char *text,
                       const struct warmup_policy *policy, const char *reach, struct error *err)
{
    if (!warmup->policy->states || warmup->ahead || warmup->behind != WARMUP_SEGMENT ||
        policy->timed == WARMUP_SEGMENT)
        return wrong(text,
                     "one policy, alone or with prime:P; or memory:K or detailed:K behind "
                     "checkpoint",
                     err);
    warmup->behind = policy->timed;
    if (reach == NULL || !read_launches(warmup, reach))
        return wrong(text, "how many launches to go back, up to 1000000, at its end", err);
    return 0;
}

/* Reads PART of TEXT, which stands between plus signs. */
static int read_part(struct warmup *warmup, const char *text, const char *part,
                     struct error *err)
{
    size_t length = strcspn(part, ":");
    const char *value = part[length] == ':' ? part + length + 1 : NULL;
    if (length == 5 && strncmp(part, "prime", 5) == 0 && value != NULL)
        return read_prime(warmup, text, value, err);
    if (length == 10 && strncmp(part, "correction", 10) == 0 && value != NULL)
        return read_correction(warmup, text, value, err);
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        const struct warmup_policy *policy = &policies[i];
        if (strlen(policy->name) != length || strncmp(policy->name, part, length) != 0)
            continue;
        if (warmup->policy != NULL)
            return read_behind(warmup, text, policy, value, err);
        if (policy->reaches != (value != NULL))
            return wrong(text,
                         policy->reaches ? "how many launches to go back behind a colon"
                                         : "no colon behind that policy",
                         err);
        warmup->policy = policy;
        warmup->ahead = policy->ahead;
        return value != NULL ? read_reach(warmup, text, value, err) : 0;
    }
    return wrong(text,
                 "none, full, detailed:K, memory:K, functional:K, checkpoint, nsl, stitch, "
                 "prime:P, checkpoint+memory:K, checkpoint+detailed:K, one of them +prime:P, "
                 "or correction:KIND",
                 err);
}

int warmup_parse(struct warmup *warmup, const char *text, struct error *err)
{
    *warmup = (struct warmup){.percentile = 99.9};
    char copy[128], *rest = copy, *part;
    if (strlen(text) >= sizeof copy)
        return wrong(text, "a policy of less than 128 characters", err);
    strcpy(copy, text);
    while ((part = strsep(&rest, "+")) != NULL)
        if (read_part(warmup, text, part, err) != 0)
            return -1;
    if (warmup->correction != NULL && warmup->prime[0] != '\0')
        return wrong(text, "a correction alone", err);
    return 0;
}

int warmup_make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err)
{
    return warmup->policy->make(warmup, task, take, data, err);
}
