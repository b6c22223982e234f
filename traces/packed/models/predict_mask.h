/* Active masks: foreseen from the warp that took the same path before, else
 * from how they came about at the same instruction. */
#ifndef HEARTH_TRACES_PACKED_MODELS_PREDICT_MASK_H
#define HEARTH_TRACES_PACKED_MODELS_PREDICT_MASK_H

#include "traces/base/map.h"
#include "traces/packed/models/coder.h"

/* The masks of one part of a launch: of the memory records, or of all. */
struct predict_mask {
    enum coder_stream hits; /* then the choices, then the masks in full */
    struct map books;       /* by path: where the masks of its last warp are */
    uint32_t *pool;
    size_t used, size;
    uint8_t *choices; /* by instruction: what foretold its mask lately */
    uint32_t *last;   /* by instruction: its last mask */
    uint32_t count;   /* of instructions */
    uint32_t first;   /* of the warp before */
    bool failed;      /* memory ran out or what is read makes no sense */
};

/* Masks use the stream HITS and the two streams after it. */
void predict_mask_init(struct predict_mask *masks, enum coder_stream hits);
/* Makes room for COUNT instructions. Returns 0, or -1 when memory ran out. */
int predict_mask_fit(struct predict_mask *masks, uint32_t count);
void predict_mask_finish(struct predict_mask *masks);

/* What a path's masks are coded with. */
struct predict_mask_path {
    uint32_t path; /* its number */
    uint32_t count;
    const uint32_t *insts;
    /* All records: the masks of those of the memory stream are known, their
     * positions count up in `skip` (NULL: none). */
    const uint32_t *known;
    uint32_t known_count;
    const uint8_t *skip; /* by record: it is known */
};

/* Codes the masks of a warp on PATH. */
void predict_mask_write(struct predict_mask *masks, struct coder *flow,
                        const struct predict_mask_path *path, uint32_t *values);
void predict_mask_read(struct predict_mask *masks, struct coder *flow,
                       const struct predict_mask_path *path, uint32_t *values);

#endif
