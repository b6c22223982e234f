/* What the suites of the tracer share. */
#ifndef HEARTH_TESTS_TRACER_SUPPORT_H
#define HEARTH_TESTS_TRACER_SUPPORT_H

#include <check.h>
#include <stdlib.h>

#include "tests/suite.h"
#include "tests/tracer/feed.h"

/* The tracer's options with SETTINGS: "NAME=value" one after the other, NULL
 * behind them, and TRACES_FOLDER=FOLDER, used as it is, unless that is NULL. */
struct tracer_options options_of(const char *folder, const char *const *settings);
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

/* The bytes of FOLDER/NAME with a 0 behind them, decompressed; NULL where there
 * is no such file. The caller frees them. */
char *read_text(const char *folder, const char *name);
bool is_there(const char *folder, const char *name);

/* Feeds the synthetic workload NAME to a tracer with SETTINGS, which writes to
 * FOLDER; fails the test on errors. */
void trace(const char *folder, const char *name, double scale,
           const struct feed_options *options, const char *const *settings);
/* Writes the same workload to FOLDER as its generator does. */
void synthesize(const char *folder, const char *name, double scale);

/* What is behind the header of a trace, in front of the first block. */
const char *body_of(const char *text);

#endif
