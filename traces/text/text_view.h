/* The text of a launch with some lines changed, made while it is read: the part that all such
 * views share. A view is a struct that begins with a struct text_view. */
#ifndef HEARTH_TRACES_TEXT_TEXT_VIEW_H
#define HEARTH_TRACES_TEXT_TEXT_VIEW_H

#include "traces/text/walk.h"

struct text_view;

/* What a kind of view does. */
struct text_view_ops {
    /* Its hooks append to `out` what becomes of their lines; the data of the walk is the view.
     * Lines that have no hook are left out. */
    struct walk_ops walk;
    /* Called when `out` holds the header's lines and no more. NULL: they stay as they are. */
    void (*begin)(struct text_view *view);
    /* Frees what the view has beyond its struct text_view. NULL: nothing. */
    void (*finish)(struct text_view *view);
};

struct text_view {
    struct source inner; /* the text as it was; first, as source_wrap() wants it */
    const struct text_view_ops *ops;
    struct trace_header header;
    struct walk walk;
    struct insts insts;
    struct line_reader reader; /* of instruction lines, adding to `insts` */
    struct bytes out;          /* text to hand on */
};

/* Replaces SOURCE, which is at its start, by the view that OPS make of it, of SIZE bytes.
 * Returns the view, zeroed beyond its struct text_view, which SOURCE owns; NULL on error, with
 * SOURCE finished. */
void *text_view_open(struct source *source, const struct text_view_ops *ops, size_t size,
                     struct error *err);

/* Hooks that hand their line on as it is. */
int text_view_pass(struct walk *walk, struct error *err);
int text_view_pass_value(struct walk *walk, const char *value, struct error *err);

#endif
