#include "sampling/intra/photon/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

/* With fewer warps than cores, warps do not compete for resources. */
static bool may_match(const struct gpu_bbv *a, const struct gpu_bbv *b, double cores)
{
    return a->warps == b->warps || (a->warps >= cores && b->warps >= cores);
}

const struct photon_kernel *photon_kernels_find(const struct photon_kernels *kernels,
                                                const struct gpu_bbv *bbv, double distance,
                                                double cores)
{
    const struct photon_kernel *best = NULL;
    double least = INFINITY, nearest = INFINITY;
    for (size_t i = 0; i < kernels->count; i++) {
        const struct photon_kernel *kernel = &kernels->items[i];
        double apart = fabs(kernel->bbv.warps - bbv->warps);
        if (apart > least || !may_match(&kernel->bbv, bbv, cores))
            continue;
        double d = gpu_bbv_distance(&kernel->bbv, bbv, distance);
        if (d < distance && (apart < least || d < nearest)) {
            least = apart;
            nearest = d;
            best = kernel;
        }
    }
    return best;
}

bool photon_kernels_add(struct photon_kernels *kernels, const struct photon_kernel *kernel)
{
    if (kernels->count == kernels->capacity) {
        size_t capacity = 2 * kernels->capacity + 16;
        struct photon_kernel *more = reallocarray(kernels->items, capacity, sizeof *more);
        if (more == NULL)
            return false;
        kernels->items = more;
        kernels->capacity = capacity;
    }
    kernels->items[kernels->count++] = *kernel;
    return true;
}

void photon_kernels_finish(struct photon_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++)
        gpu_bbv_finish(&kernels->items[i].bbv);
    free(kernels->items);
    *kernels = (struct photon_kernels){0};
}

/* ---- warps of a launch ---- */

/* FNV-1a. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

void photon_sample_init(struct photon_sample *sample, const char *name)
{
    *sample = (struct photon_sample){.kernel = hash_name(name)};
    bbv_types_init(&sample->types);
}

void photon_sample_take(struct photon_sample *sample, uint64_t pc, uint64_t insts)
{
    const struct bbv_block block = {sample->kernel, pc, insts};
    bbv_add_block(sample->vector, &block, 1);
    sample->insts += (double)insts;
}

static bool make_room(struct photon_sample *sample)
{
    if (sample->types.count < sample->capacity)
        return true;
    size_t capacity = 2 * sample->capacity + 16;
    uint64_t *more = reallocarray(sample->hashes, capacity, sizeof *more);
    if (more == NULL)
        return false;
    sample->hashes = more;
    sample->capacity = capacity;
    return true;
}

bool photon_sample_end_warp(struct photon_sample *sample, uint64_t hash)
{
    size_t i = sample->types.count;
    while (i > 0 && sample->hashes[i - 1] != hash)
        i--;
    if (i > 0) {
        sample->types.warps[i - 1]++;
    } else {
        double *vector = make_room(sample) ? bbv_types_add(&sample->types, 1) : NULL;
        if (vector == NULL)
            return false;
        memcpy(vector, sample->vector, sizeof sample->vector);
        sample->hashes[sample->types.count - 1] = hash;
    }
    memset(sample->vector, 0, sizeof sample->vector);
    sample->warps++;
    return true;
}

double photon_sample_insts(const struct photon_sample *sample, double warps)
{
    return sample->warps > 0 ? sample->insts / sample->warps * warps : 0;
}

void photon_sample_finish(struct photon_sample *sample)
{
    bbv_types_finish(&sample->types);
    free(sample->hashes);
    *sample = (struct photon_sample){0};
}
