/* Where traces go. */
#ifndef HEARTH_TRACER_FOLDERS_H
#define HEARTH_TRACER_FOLDERS_H

#include "tracer/tracer.h"

/* Makes the folder of OPTIONS, and sets *FOLDER, which the caller frees; unless
 * it is set already. Returns 0, or -1 with ERR filled. */
int folders_make(char **folder, const struct tracer_options *options, struct error *err);
/* Takes FOLDER for this process. Returns a descriptor that holds it until it is
 * closed, or -1 with ERR filled: another process has it. */
int folders_lock(const char *folder, struct error *err);
/* Opens the file at PATH, empty, for this process alone; to be written. Returns NULL
 * with ERR filled. */
FILE *folders_open_alone(const char *path, struct error *err);
/* Makes the first PATH.run<N> that is not there. Returns NULL with ERR filled. */
FILE *folders_open_next(const char *path, struct error *err);

#endif
