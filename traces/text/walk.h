/* Walks through grouped text line by line, checks that the lines are in order,
 * and passes each on to whoever reads, packs, reduces or verifies the trace.
 * Only here is known what the lines around instructions look like. */
#ifndef HEARTH_TRACES_TEXT_WALK_H
#define HEARTH_TRACES_TEXT_WALK_H

#include "traces/text/line.h"
#include "traces/text/source.h"
#include "traces/traces.h"

struct walk;

/* Each hook is called at its line, which starts at `walk->source->at` and is
 * left afterwards; VALUE is where its number starts. A hook returns 0, or -1
 * with ERR filled. NULL: nothing to do. */
struct walk_ops {
    int (*begin_block)(struct walk *walk, struct error *err);              /* "#BEGIN_TB" */
    int (*index)(struct walk *walk, const char *value, struct error *err); /* "thread block" */
    int (*begin_warp)(struct walk *walk, const char *value, struct error *err); /* "warp" */
    int (*insts)(struct walk *walk, const char *value, struct error *err);      /* "insts" */
    /* Reads the instruction at AT, with the blanks before it left out. Returns
     * the start of the next line, or NULL on error; walk_bad_line() serves
     * where the line itself is wrong. Never NULL. */
    const char *(*inst)(struct walk *walk, const char *at, struct error *err);
    /* After a warp's last line: at the line after it. */
    int (*end_warp)(struct walk *walk, struct error *err);
    int (*end_block)(struct walk *walk, struct error *err); /* "#END_TB" */
    /* A line that readers pass over: blank, a comment, a place in a cluster. */
    int (*other)(struct walk *walk, struct error *err);
    /* Called for each error; the walk then continues. NULL: the first error ends it. */
    void (*wrong)(struct walk *walk, const struct error *what);
};

struct walk {
    const struct walk_ops *ops;
    void *data; /* the hooks' own */
    struct source *source;
    const struct trace_header *header;
    uint64_t blocks; /* begun so far */
    /* The current block and warp. */
    bool in_block, has_index, in_warp, has_insts;
    uint32_t index[3];
    uint32_t warp, warps, warps_seen; /* its number; warps of a block; a bit each */
    uint64_t announced, found;        /* instructions: as "insts" says; so far */
};

/* The walk goes from where SOURCE is, after the header. */
void walk_init(struct walk *walk, const struct walk_ops *ops, void *data, struct source *source,
               const struct trace_header *header);

enum walk_result {
    WALK_END,   /* the text has ended where it should */
    WALK_LINES, /* one line, or several instructions */
    WALK_BLOCK, /* the line that ends a block */
};

/* Takes the next line, or all instructions that follow each other. Returns an
 * enum walk_result, or -1 on error. */
int walk_next(struct walk *walk, struct error *err);

/* Reports an error at AT in the current line (NULL: the line itself). Returns 0
 * if the walk goes on, else -1. */
int walk_wrong(struct walk *walk, struct error *err, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* For `inst`: READER did not understand the line. Returns what `inst` then
 * returns. */
const char *walk_bad_line(struct walk *walk, const struct line_reader *reader,
                          struct error *err);

#endif
