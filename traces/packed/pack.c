#include "traces/packed/pack.h"

/* Inserts the counts before the items. */
static void complete_head(struct coder *flow, const struct pack_counts *counts)
{
    struct bytes lengths = {0}, *items = &flow->out[CODER_LENGTH];
    bytes_number(&lengths, counts->memory_paths);
    bytes_number(&lengths, counts->full_paths);
    bytes_number(&lengths, counts->layouts);
    bytes_put(&lengths, items->data, items->size);
    bytes_finish(items);
    *items = lengths;
}

int pack_group(struct coder *flow, const struct pack_counts *counts, int level,
               struct bytes *out)
{
    struct frame_header header = {.first_launch = counts->first_launch};
    struct bytes frames = {0};
    complete_head(flow, counts);
    int rc = coder_failed(flow) ? -1 : 0;
    for (int f = 0; f < FRAMES && rc == 0; f++)
        rc = frame_pack(flow, (enum frame)f, level, &header, &frames);
    if (rc == 0) {
        frame_write_header(&header, out);
        bytes_put(out, frames.data, frames.size);
    }
    rc = out->failed ? -1 : rc;
    bytes_finish(&frames);
    return rc;
}
