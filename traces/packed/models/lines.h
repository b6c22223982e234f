/* The lines of lists and headers: as templates whose numbers are foreseen
 * from the same line of earlier launches. */
#ifndef HEARTH_TRACES_PACKED_MODELS_LINES_H
#define HEARTH_TRACES_PACKED_MODELS_LINES_H

#include "traces/base/map.h"
#include "traces/packed/models/coder.h"

/* A template and what its numbers were. */
struct lines_template {
    size_t at, length; /* in `text` */
    uint32_t numbers;  /* how many */
    size_t last;       /* in `values`: the last ones, then their last differences */
    uint32_t next;     /* template that followed it lately */
    uint8_t choice;    /* what foretold the numbers last */
};

/* Zeroed: empty. */
struct lines {
    struct bytes text;
    struct lines_template *templates;
    uint32_t count, capacity;
    struct map by_text;
    struct map by_context; /* (context, template) to a place in `values` */
    uint64_t *values;
    size_t value_count, value_capacity;
    uint32_t previous, first; /* template of the line before; of the first line */
    bool failed;
};

void lines_finish(struct lines *lines);

/* Codes LINE, that of CONTEXT: lines of one context repeat their numbers.
 * Reading, LINE is appended to. A line holds no newline. Returns its
 * template. */
uint32_t lines_write(struct lines *lines, struct coder *flow, uint32_t context,
                     const char *line, size_t length);
uint32_t lines_read(struct lines *lines, struct coder *flow, uint32_t context,
                    struct bytes *line);

#endif
