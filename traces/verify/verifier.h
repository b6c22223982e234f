/* The inside of the check of workloads. */
#ifndef HEARTH_TRACES_VERIFY_VERIFIER_H
#define HEARTH_TRACES_VERIFY_VERIFIER_H

#include "traces/functions/functions.h"
#include "traces/text/header.h"
#include "traces/text/source.h"
#include "traces/traces.h"

/* Errors of one file that are reported; one line gives the number of the rest. */
#define VERIFIER_MOST 20

/* Reports a problem at LINE of FILE; LINE 0: of the file itself. */
void verifier_tell(struct trace_verify *verify, bool error, const char *file, long line,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Reports ERR, if it holds an error. */
void verifier_tell_error(struct trace_verify *verify, const struct error *err);

/* The code that a launch should execute. */
struct verifier_code {
    const struct functions *functions; /* of the workload; NULL: it could not be read */
    const char *launch;                /* as listed */
};

/* Checks the text of a launch to its end; *HEADER is that of it and to be
 * finished. */
void verifier_text(struct trace_verify *verify, struct source *source,
                   const struct verifier_code *code, struct trace_header *header);
/* Checks the sections of a packed file. Returns whether all are whole. */
bool verifier_packed(struct trace_verify *verify, const char *path);

#endif
