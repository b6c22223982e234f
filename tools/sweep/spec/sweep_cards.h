/* Cards of a sweep: bundled names, option files, and compositions as users of Accel-Sim's
 * launcher write them, QV100-SASS-64SM. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_CARDS_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_CARDS_H

#include "tools/sweep/spec/sweep_line.h"
#include "tools/sweep/spec/sweep_spec.h"

/* Adds the card that WORD of LINE names: NAME or a file, several with "+" between them, the
 * first of them possibly followed by "-PART": a name that a line "define" of the specification
 * has, or one of launcher_parts.h. Files are relative to FOLDER.
 * Returns 0, or -1 with ERR filled. */
int sweep_cards_add(struct sweep_spec *spec, const char *folder, const struct sweep_line *line,
                    size_t word, struct error *err);

#endif
