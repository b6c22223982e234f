/* The keywords of a sweep's specification: a table of what each line means. */
#ifndef HEARTH_TOOLS_SWEEP_SPEC_SWEEP_WORDS_H
#define HEARTH_TOOLS_SWEEP_SPEC_SWEEP_WORDS_H

#include "tools/sweep/spec/sweep_line.h"
#include "tools/sweep/spec/sweep_spec.h"

/* The reading of a specification. */
struct sweep_words {
    struct sweep_spec *spec;
    const char *path;   /* of the file, as given */
    const char *folder; /* absolute: other paths are relative to it */
    /* Private: lines that are understood only after all others. */
    struct sweep_late {
        char *key, *value;
        long number;
        int column;
        bool pareto;
    } * late;
    size_t late_count;
};

/* Takes a line with at least one word. Returns 0, or -1 with ERR filled. */
int sweep_words_take(struct sweep_words *words, const struct sweep_line *line,
                     struct error *err);
/* All lines were taken. */
int sweep_words_end(struct sweep_words *words, struct error *err);
void sweep_words_finish(struct sweep_words *words);

/* Private: what each keyword does with a line that has enough words. Returns 0, or -1 with ERR
 * filled. */
typedef int sweep_keyword(struct sweep_words *words, const struct sweep_line *line,
                          struct error *err);
/* ---- sweep_axes.c ---- */
sweep_keyword sweep_words_option, sweep_words_point, sweep_words_define;
/* ---- sweep_methods.c ---- */
sweep_keyword sweep_words_method, sweep_words_warm;
/* ---- sweep_late.c ---- */
sweep_keyword sweep_words_baseline, sweep_words_pareto;

#endif
