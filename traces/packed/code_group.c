#include "traces/packed/code_group.h"

#include "traces/packed/pack.h"

int code_group_pack(const struct bytes *text, uint64_t launches, int level, struct bytes *out)
{
    struct coder flow = {0};
    const struct pack_counts counts = {.first_launch = launches};
    coder_number(&flow, CODER_STATIC, 0, false);
    bytes_put(&flow.out[CODER_LITERAL], text->data, text->size);
    int rc = pack_group(&flow, &counts, level, out);
    coder_finish(&flow);
    return rc;
}
