/* A group of launches as it is read. */
#ifndef HEARTH_TRACES_PACKED_GROUP_H
#define HEARTH_TRACES_PACKED_GROUP_H

#include "traces/packed/frame.h"
#include "traces/packed/models/lines.h"
#include "traces/packed/part.h"

/* The kinds of items in the head. */
enum group_tag {
    GROUP_LINE,     /* a line of the list */
    GROUP_LAUNCH,   /* a launch begins: its line of the list, its header */
    GROUP_CONTINUES /* a launch of the previous group continues */
};

/* Replaces the template of the name's line for a launch that continues. */
#define GROUP_CONTINUED (MAP_NONE - 1)

struct group_item {
    enum group_tag tag;
    size_t line, line_length;     /* in `texts`: of the list, without newline */
    size_t header, header_length; /* the trace's header, all of its lines */
    struct part_info info;
    uint32_t offsets[CODER_STREAMS]; /* of its streams in the group's */
};

struct group {
    struct frame_header frames;
    struct bytes raw[FRAMES];
    struct coder flow; /* the streams of all frames that are loaded */
    bool loaded[FRAMES];
    struct bytes texts;
    struct group_item *items;
    size_t count;
    uint64_t starts; /* items of GROUP_LAUNCH */
    struct code *codes;
    uint32_t code_count;
    struct warp_paths paths;
    struct layouts layouts;
    uint64_t memory_paths, full_paths, layout_count; /* that frames define */
};

/* Reads the head, whose bytes on disk are at DATA. Returns NULL, or what is
 * wrong with it. GROUP is to be finished in both cases. */
const char *group_init(struct group *group, const struct frame_header *frames,
                       const uint8_t *data);
void group_finish(struct group *group);
/* Reads another frame; all earlier frames must be loaded, except that the text
 * needs only the head. */
const char *group_load(struct group *group, enum frame frame, const uint8_t *data);

/* Points FLOW to the streams of ITEM. Returns false if they are not there. */
bool group_open_part(const struct group *group, const struct group_item *item,
                     struct coder *flow);

/* Whether a header line names the kernel. */
bool group_is_name(const char *line, size_t length);

#endif
