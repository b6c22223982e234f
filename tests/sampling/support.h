/* What the sampling suites share: profiles from text, and selections to look at. */
#ifndef HEARTH_TESTS_SAMPLING_SUPPORT_H
#define HEARTH_TESTS_SAMPLING_SUPPORT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/sampling.h"
#include "tests/suite.h"

static inline struct profile *profile_of(const char *text)
{
    struct error err = {0};
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    ck_assert_ptr_nonnull(in);
    struct profile *profile = profile_read(in, "p.csv", &err);
    fclose(in);
    ck_assert_msg(profile != NULL, "%s", err.text);
    return profile;
}

/* Selects by METHOD with SETTINGS, "name=value name=value". */
static inline struct sampling *try_select(const struct profile *profile, const char *method,
                                          const char *settings, struct error *err)
{
    struct sampling_options options;
    char *copy = strdup(settings), *rest = copy, *word;
    sampling_options_init(&options);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        if (strcmp(word, "seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        for (int i = 0; i < SAMPLING_OPTIONS; i++)
            if (strcmp(sampling_option((enum sampling_option_id)i)->name, word) == 0)
                ck_assert_int_eq(
                    sampling_option_set(&options, (enum sampling_option_id)i, value, err), 0);
    }
    free(copy);
    const struct sampling_method *found = sampling_find_method(method, err);
    return found != NULL ? sampling_select(profile, found, &options, err) : NULL;
}

static inline struct sampling *select_by(const struct profile *profile, const char *method,
                                         const char *settings)
{
    struct error err = {0};
    struct sampling *selection = try_select(profile, method, settings, &err);
    ck_assert_msg(selection != NULL, "%s", err.text);
    return selection;
}

/* The strata as text: "tier: launches > representatives x scale; ..." */
static inline char *describe(const struct sampling *selection)
{
    static char text[4096];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < selection->count; i++) {
        const struct sampling_stratum *stratum = &selection->strata[i];
        used += (size_t)sprintf(text + used, "%s%u:", i > 0 ? "; " : "", stratum->tier);
        for (size_t k = 0; k < stratum->count; k++)
            used += (size_t)sprintf(
                text + used, " %d",
                (int)selection->profile->rows[selection->members[stratum->first + k]].launch);
        used += (size_t)sprintf(text + used, " >");
        for (size_t k = 0; k < stratum->reps; k++)
            used += (size_t)sprintf(
                text + used, " %d",
                (int)selection->profile->rows[selection->reps[stratum->first_rep + k]].launch);
        used += (size_t)sprintf(text + used, " x %g", stratum->scale);
    }
    return text;
}

/* What METHOD makes of the profile in TEXT. */
static inline void gives(const char *text, const char *method, const char *settings,
                         const char *expected)
{
    struct profile *profile = profile_of(text);
    struct sampling *selection = select_by(profile, method, settings);
    ck_assert_str_eq(describe(selection), expected);
    sampling_destroy(selection);
    profile_destroy(profile);
}

/* That METHOD refuses the profile in TEXT. */
static inline void refuses(const char *text, const char *method, const char *settings,
                           const char *message)
{
    struct error err = {0};
    struct profile *profile = profile_of(text);
    ck_assert_ptr_null(try_select(profile, method, settings, &err));
    ck_assert_str_eq(err.text, message);
    profile_destroy(profile);
}

/* Runs SUITE; the exit status of a test program. */
static inline int run_suite(Suite *suite)
{
    return suite_run(suite);
}

#endif
