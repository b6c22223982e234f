/* Where traces go. */
#ifndef HEARTH_TRACER_FOLDERS_H
#define HEARTH_TRACER_FOLDERS_H

#include "tracer/tracer.h"

/* Makes the folder of OPTIONS, and sets *FOLDER, which the caller frees; unless
 * it is set already. Returns 0, or -1 with ERR filled. */
int folders_make(char **folder, const struct tracer_options *options, struct error *err);

#endif
