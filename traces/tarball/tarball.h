/* Archives of traces, tar (compressed or not) or zip, read without being unpacked by the user:
 * the files in it go into one temporary file without a name, from which they can be read in any
 * order, by several threads. */
#ifndef HEARTH_TRACES_TARBALL_TARBALL_H
#define HEARTH_TRACES_TARBALL_TARBALL_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/text/source.h"

struct tarball;
struct store;

/* Whether the regular file at PATH is an archive, 1 or 0; -1 without memory. */
int tarball_is(const char *path);

/* Unpacks the archive at PATH into $TMPDIR, or /tmp. NULL with ERR filled: it cannot be read,
 * or there is no room. */
struct tarball *tarball_open(const char *path, struct error *err);
/* Accepts NULL. */
void tarball_close(struct tarball *tarball);

/* How the list NAME in folder FOLDER of the archive is called, such as
 * "app/traces/kernelslist.g"; FOLDER may also be that itself. NULL: of the only folder that
 * has one. NULL with ERR
 * filled: there is none, or there are several. The archive owns it. */
const char *tarball_list(const struct tarball *tarball, const char *folder, struct error *err);

/* The packed workload that FOLDER names, or the only one in that folder; FOLDER NULL: the only
 * one. NULL: there is none; with ERR filled, too, if there are several. The archive owns it. */
const char *tarball_packed(const struct tarball *tarball, const char *folder,
                           struct error *err);
/* Opens it. NAME is for messages and the paths of launches; TARBALL may be closed. NULL with
 * ERR filled on error. */
struct store *tarball_store(const struct tarball *tarball, const char *member, const char *name,
                            struct error *err);

/* The size of the file MEMBER, or of what source_other_name() would find in a folder. False: it
 * is not there. */
bool tarball_size(const struct tarball *tarball, const char *member, uint64_t *size);
/* Opens it as source_open_listed() opens a file; NAME is for messages. TARBALL must outlive
 * SOURCE. Returns 0, or -1 with ERR filled and nothing to finish. */
int tarball_source(const struct tarball *tarball, const char *member, const char *name,
                   struct source *source, struct error *err);

#endif
