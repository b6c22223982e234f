/* Where the files of a workload are: in a folder, in a packed workload, or in an archive. */
#ifndef HEARTH_TRACES_WORKLOAD_WORKLOAD_FILES_H
#define HEARTH_TRACES_WORKLOAD_WORKLOAD_FILES_H

#include "traces/text/source.h"
#include "traces/traces.h"

/* Opens PATH, a file of WORKLOAD (NULL: any file), as source_open_listed() does. */
int workload_source(const struct trace_workload *workload, const char *path,
                    struct source *source, struct error *err);

/* Whether workload_source() finds PATH; -1 without memory. */
int workload_has_file(const struct trace_workload *workload, const char *path);

/* LENGTH: of the archive in PATH, "ARCHIVE" or "ARCHIVE/FOLDER"; 0: it is in none. Returns
 * false without memory. */
bool workload_archive_length(const char *path, size_t *length);

#endif
