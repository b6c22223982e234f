/* What the configuration suites share. */
#ifndef HEARTH_TESTS_CONFIG_SUPPORT_H
#define HEARTH_TESTS_CONFIG_SUPPORT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"
#include "tests/suite.h"

/* A configuration out of option file TEXT, which must be valid. */
static inline struct sim_config *config_of(const char *text)
{
    struct error err = {ERROR_NONE, ""};
    struct sim_config *config = sim_config_parse("f", text, strlen(text), NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    return config;
}

/* TEXT must be refused with MESSAGE. */
static inline void refuse(const char *text, const char *message)
{
    struct error err = {ERROR_NONE, ""};
    struct sim_config *config = sim_config_parse("f", text, strlen(text), NULL, NULL, &err);
    ck_assert_msg(config == NULL, "accepted: %s", text);
    ck_assert_str_eq(err.text, message);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
}

#endif
