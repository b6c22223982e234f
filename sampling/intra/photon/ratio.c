#include "sampling/intra/photon/ratio.h"

#include <stdlib.h>

bool photon_ratio_init(struct photon_ratio *ratio, uint64_t blocks, size_t size)
{
    *ratio = (struct photon_ratio){.size = size};
    ratio->begun = calloc(blocks, sizeof *ratio->begun);
    ratio->last = calloc(size, sizeof *ratio->last);
    return ratio->begun != NULL && ratio->last != NULL;
}

void photon_ratio_finish(struct photon_ratio *ratio)
{
    free(ratio->begun);
    free(ratio->last);
    *ratio = (struct photon_ratio){0};
}

void photon_ratio_begin(struct photon_ratio *ratio, uint64_t order, double predicted)
{
    ratio->begun[order] = predicted;
}

void photon_ratio_end(struct photon_ratio *ratio, uint64_t order, double took)
{
    if (!(ratio->begun[order] > 0))
        return;
    struct photon_ratio_pair *place = &ratio->last[ratio->count++ % ratio->size];
    ratio->predicted += ratio->begun[order] - place->predicted;
    ratio->took += took - place->took;
    *place = (struct photon_ratio_pair){ratio->begun[order], took};
}

double photon_ratio_of(const struct photon_ratio *ratio)
{
    return ratio->predicted > 0 ? ratio->took / ratio->predicted : 1;
}
