#define _GNU_SOURCE /* strsep */
#include "warmup/warmup.h"

#include <stdlib.h>
#include <string.h>

#include "traces/base/draft.h"
#include "traces/base/number.h"
#include "traces/base/spelling.h"
#include "warmup/policies.h"

/* ---- names ------------------------------------------------------------- */

static const struct warmup_policy *policy_at(size_t i)
{
    return (const struct warmup_policy *)warmup_policies[i];
}

/* What may follow its name. */
static const char *follows(const struct warmup_policy *policy)
{
    return policy->reaches ? ":K" : policy->distance != NULL ? "[:PERCENTILE]" : "";
}

/* Whether STATE+POLICY is allowed. */
static bool may_follow(const struct warmup_policy *policy, const struct warmup_policy *state)
{
    return state->states && !state->ahead && policy->after_state;
}

/* Prints "checkpoint+memory:K" for each such pair; BEFORE before the first, ", " before the
 * others. */
static void print_pairs(const char *before, FILE *out)
{
    for (size_t s = 0; warmup_policies[s] != NULL; s++)
        for (size_t i = 0; warmup_policies[i] != NULL; i++)
            if (may_follow(policy_at(i), policy_at(s))) {
                fprintf(out, "%s%s+%s:K", before, warmup_policies[s]->name,
                        warmup_policies[i]->name);
                before = ", ";
            }
}

void warmup_describe(FILE *out)
{
    for (size_t i = 0; warmup_policies[i] != NULL; i++)
        fprintf(out, "\n%s%s: %s", warmup_policies[i]->name, follows(policy_at(i)),
                warmup_policies[i]->description);
    print_pairs("\n", out);
    fputs(
        ": restore L2 as it was K launches earlier, then simulate these launches\n"
        "prime:P: leave the first P percent of each launch out of its measurement; alone, or "
        "after another policy as in full+prime:10\n"
        "K is a number of launches, auto, auto:PERCENTILE, or, but not after a plus sign, all",
        out);
}

void warmup_describe_corrections(FILE *out)
{
    for (size_t i = 0; correction_kinds[i] != NULL; i++)
        fprintf(out, "\ncorrection:%s: %s", correction_kinds[i]->name,
                correction_kinds[i]->description);
}

#define MOST_NAMES 64

const char *warmup_names(enum warmup_group group, char buffer[static POLICY_NAMES])
{
    const struct policy *names[MOST_NAMES + 1] = {NULL};
    for (size_t i = 0, count = 0; warmup_policies[i] != NULL && count < MOST_NAMES; i++)
        if (group == WARMUP_CONCURRENT
                ? !policy_at(i)->alone
                : policy_at(i)->states && policy_at(i)->step != WARMUP_DETAILED)
            names[count++] = warmup_policies[i];
    return policy_names(names, buffer, POLICY_NAMES);
}

/* ---- parsing ----------------------------------------------------------- */

static int wrong(const char *text, const char *expected, struct error *err)
{
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "warm-up \"%.60s\": expected %s", text,
                     expected);
}

/* "; did you mean POLICY?", for NAME that is none. */
static const char *guess_name(const char *name, char hint[static SPELLING_HINT])
{
    struct spelling_guess guess = spelling_guess(name);
    for (size_t i = 0; warmup_policies[i] != NULL; i++)
        spelling_consider(&guess, warmup_policies[i]->name);
    spelling_consider(&guess, "prime");
    spelling_consider(&guess, "correction");
    return spelling_hint(&guess, "", hint);
}

/* NAME is what is no policy in TEXT; NULL: it is one, but not there. */
static int unknown(const char *text, const char *name, struct error *err)
{
    char hint[SPELLING_HINT] = "";
    struct draft expected;
    if (!draft_begin(&expected))
        return error_no_memory(err);
    for (size_t i = 0; warmup_policies[i] != NULL; i++)
        fprintf(expected.out, "%s%s, ", warmup_policies[i]->name, follows(policy_at(i)));
    print_pairs("", expected.out);
    fputs(", prime:P, one of them and +prime:P, or correction:KIND", expected.out);
    if (name != NULL)
        fputs(guess_name(name, hint), expected.out);
    if (!draft_end(&expected))
        error_no_memory(err);
    else
        wrong(text, expected.text, err);
    free(expected.text);
    return -1;
}

/* The percentile VALUE, which stands after WHAT; NULL: as it is. */
static int read_percentile(struct warmup *warmup, const char *text, const char *value,
                           const char *what, struct error *err)
{
    char expected[96];
    if (value == NULL ||
        (number_decimal(value, 0, 100, &warmup->percentile) && warmup->percentile > 0))
        return 0;
    snprintf(expected, sizeof expected, "a percentile above 0, at most 100, after %s:", what);
    return wrong(text, expected, err);
}

#define MOST_LAUNCHES 1000000
#define LAUNCHES      "a number of launches up to 1000000"

/* A number must not begin with zeros, so that it can be written in only one way. */
static bool read_launches(struct warmup *warmup, const char *text)
{
    uint64_t number;
    bool good =
        number_whole(text, 0, MOST_LAUNCHES, &number) && (text[0] != '0' || text[1] == '\0');
    warmup->launches = good ? (uint32_t)number : 0;
    return good;
}

/* A number, auto or auto:PERCENTILE. EXPECTED is for the message. */
static int read_distance(struct warmup *warmup, const char *text, const char *reach,
                         const char *expected, struct error *err)
{
    if (strncmp(reach, "auto", 4) == 0 && (reach[4] == '\0' || reach[4] == ':')) {
        warmup->automatic = true;
        return read_percentile(warmup, text, reach[4] != '\0' ? reach + 5 : NULL, "auto", err);
    }
    if (read_launches(warmup, reach))
        return 0;
    return wrong(text, expected, err);
}

static int read_reach(struct warmup *warmup, const char *text, const char *reach,
                      struct error *err)
{
    if (strcmp(reach, "all") != 0)
        return read_distance(warmup, text, reach, LAUNCHES ", all or auto after the colon",
                             err);
    warmup->launches = UINT32_MAX;
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
        return wrong(text, "a percentage from 0 to below 100 after prime:", err);
    strcpy(warmup->prime, percent);
    return 0;
}

static const struct warmup_policy *find(const char *name)
{
    return (const struct warmup_policy *)policy_find(warmup_policies, name);
}

static int read_correction(struct warmup *warmup, const char *text, const char *kind,
                           struct error *err)
{
    char names[POLICY_NAMES], hint[SPELLING_HINT], expected[sizeof names + sizeof hint + 32];
    struct spelling_guess guess = spelling_guess(kind);
    warmup->correction = correction_find(kind);
    for (size_t i = 0; correction_kinds[i] != NULL; i++)
        spelling_consider(&guess, correction_kinds[i]->name);
    snprintf(expected, sizeof expected, "%s after the colon%s",
             policy_names(correction_kinds, names, sizeof names),
             spelling_hint(&guess, "correction:", hint));
    if (warmup->correction == NULL)
        return wrong(text, expected, err);
    if (warmup->policy != NULL)
        return wrong(text, "only a correction", err);
    warmup->policy = find("none");
    return 0;
}

/* Reads POLICY and REACH, which follow the first policy of TEXT and a plus sign: the launches
 * that are replayed after a state is restored. */
static int read_after_state(struct warmup *warmup, const char *text,
                            const struct warmup_policy *policy, const char *reach,
                            struct error *err)
{
    if (warmup->after_state != NULL || !may_follow(policy, warmup->policy))
        return unknown(text, NULL, err);
    warmup->after_state = policy;
    return read_distance(warmup, text, reach != NULL ? reach : "",
                         LAUNCHES " or auto at its end", err);
}

static int read_policy(struct warmup *warmup, const char *text, const char *name,
                       const char *value, struct error *err)
{
    const struct warmup_policy *policy = find(name);
    if (policy == NULL)
        return unknown(text, name, err);
    if (warmup->policy != NULL)
        return read_after_state(warmup, text, policy, value, err);
    if (policy->distance != NULL) {
        warmup->policy = policy;
        warmup->automatic = true;
        return read_percentile(warmup, text, value, policy->policy.name, err);
    }
    if (policy->reaches != (value != NULL))
        return wrong(text,
                     policy->reaches ? "how many launches to go back after a colon"
                                     : "no colon after that policy",
                     err);
    warmup->policy = policy;
    warmup->ahead = policy->ahead;
    return value != NULL ? read_reach(warmup, text, value, err) : 0;
}

/* Reads PART, a part of TEXT between plus signs. */
static int read_part(struct warmup *warmup, const char *text, char *part, struct error *err)
{
    const char *name = find(part) != NULL ? strsep(&part, "") : strsep(&part, ":");
    if (strcmp(name, "prime") == 0 && part != NULL)
        return read_prime(warmup, text, part, err);
    if (strcmp(name, "correction") == 0 && part != NULL)
        return read_correction(warmup, text, part, err);
    return read_policy(warmup, text, name, part, err);
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
        return wrong(text, "only a correction", err);
    return 0;
}

int warmup_make(const struct warmup *warmup, const struct warmup_task *task, warmup_take take,
                void *data, struct error *err)
{
    return warmup->policy->make(warmup, task, take, data, err);
}
