/* The control stream: what a warp executed between its memory records, and
 * under which masks. It is read after the memory stream, which foretells most
 * of it. */
#ifndef HEARTH_TRACES_PACKED_MODELS_CONTROL_H
#define HEARTH_TRACES_PACKED_MODELS_CONTROL_H

#include "traces/packed/models/predict_mask.h"
#include "traces/packed/models/warp_paths.h"
#include "traces/packed/piece.h"

/* The state of one part of a launch. */
struct control {
    const struct code *code;
    struct warp_paths *paths;
    struct predict_mask masks;
    struct map last;    /* by memory path: the last full one */
    uint32_t next_path; /* the first full path that this part has not used */
    uint8_t *skip;      /* by instruction: it is in the memory stream */
};

void control_init(struct control *control, const struct code *code, struct warp_paths *paths,
                  uint32_t next_path);
/* Makes room for all instructions that the code has by now. Returns 0, or -1
 * when memory ran out. */
int control_fit(struct control *control);
void control_finish(struct control *control);

/* Codes all records of a piece whose memory records are known and take path
 * MEMORY. Returns false on failure. */
bool control_write(struct control *control, struct coder *flow, uint32_t memory,
                   struct piece *piece);
bool control_read(struct control *control, struct coder *flow, uint32_t memory,
                  struct piece *piece);

#endif
