/* A launch's row and its companions' from its trace. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/profile/columns.h"
#include "traces/profile/measure.h"

/* Standard deviation over mean of the blocks' thread instructions; NaN if they
 * have none. */
static double blocks_cov(const struct measure *measure)
{
    double mean = (double)measure->row.thread_insts / (double)measure->block_count, sum = 0;
    for (size_t i = 0; i < measure->block_count; i++) {
        double distance = (double)measure->blocks[i].thread_insts - mean;
        sum += distance * distance;
    }
    return sqrt(sum / (double)measure->block_count) / mean;
}

static const uint64_t unmeasured = PROFILE_BIT(PROFILE_CYCLES) | PROFILE_BIT(PROFILE_TIME_NS);

/* Fills what HEADER says. */
static int take_header(struct profile_row *row, struct profile *profile, uint64_t launch,
                       const struct trace_header *header, struct error *err)
{
    row->launch = launch;
    row->stream = header->stream;
    row->regs = header->regs;
    row->shmem = header->shmem;
    memcpy(row->grid, header->grid, sizeof row->grid);
    memcpy(row->block, header->block, sizeof row->block);
    row->kernel = profile_kernel(profile, header->name, err);
    return row->kernel != UINT32_MAX ? 0 : -1;
}

/* Fills what is not counted record by record. */
static int complete(struct measure *measure, struct profile *profile, uint64_t launch,
                    struct error *err)
{
    struct profile_row *row = &measure->row;
    row->known = (PROFILE_BIT(PROFILE_COLUMNS) - 1) & ~unmeasured;
    row->divergence = (double)row->thread_insts / (double)row->warp_insts;
    if (row->warp_insts == 0) {
        row->divergence = 0;
        row->known &= ~PROFILE_BIT(PROFILE_DIVERGENCE);
    }
    if (row->thread_insts > 0)
        row->cta_insts_cov = blocks_cov(measure);
    else
        row->known &= ~PROFILE_BIT(PROFILE_CTA_INSTS_COV);
    return take_header(row, profile, launch, measure->header, err);
}

static int cannot_write(struct error *err)
{
    return error_set(err, ERROR_OUTPUT, NULL, 0, 0, "profile: cannot write: %s",
                     strerror(errno));
}

int profile_begin_companions(const struct profile_companions *companions, struct error *err)
{
    if (companions->blocks != NULL &&
        fputs("launch,block,warp_insts,thread_insts,mem_requests\n", companions->blocks) < 0)
        return cannot_write(err);
    if (companions->bbv != NULL &&
        fputs("launch,warp_type,warps,pc,insts,count\n", companions->bbv) < 0)
        return cannot_write(err);
    return 0;
}

static int write_companions(struct measure *measure, uint64_t launch,
                            const struct profile_companions *companions, struct error *err)
{
    for (size_t i = 0; companions->blocks != NULL && i < measure->block_count; i++) {
        const struct measured_block *block = &measure->blocks[i];
        fprintf(companions->blocks,
                "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", launch,
                block->number, block->warp_insts, block->thread_insts, block->mem_requests);
    }
    if (companions->bbv != NULL &&
        warp_types_write(&measure->types, launch, companions->bbv) != 0)
        return error_no_memory_for(err, ERROR_TRACE, "profile");
    if ((companions->blocks != NULL && ferror(companions->blocks)) ||
        (companions->bbv != NULL && ferror(companions->bbv)))
        return cannot_write(err);
    return 0;
}

int profile_add_trace(struct profile *profile, struct trace_kernel *kernel, uint64_t launch,
                      const struct profile_companions *companions, struct error *err)
{
    struct measure measure = {0};
    if (companions != NULL && companions->bbv != NULL)
        measure.every = companions->every > 0 ? companions->every : 1;
    warp_types_init(&measure.types);
    int rc = measure_kernel(&measure, kernel, err);
    if (rc == 0)
        rc = complete(&measure, profile, launch, err);
    if (rc == 0 && companions != NULL)
        rc = write_companions(&measure, launch, companions, err);
    if (rc == 0)
        rc = profile_add(profile, &measure.row, err);
    warp_types_finish(&measure.types);
    free(measure.blocks);
    free(measure.ends);
    return rc;
}

int profile_add_counts(struct profile *profile, const struct trace_kernel *kernel,
                       uint64_t launch, struct error *err)
{
    struct trace_counts counts;
    struct profile_row row = {.known = PROFILE_GRID | PROFILE_BLOCK |
                                       PROFILE_BIT(PROFILE_WARP_INSTS)};
    if (!trace_kernel_counts(kernel, &counts))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "launch %" PRIu64 ": a trace that is text does not say how many "
                         "instructions it has; hearth trace convert packs it",
                         launch);
    row.warp_insts = counts.records;
    if (take_header(&row, profile, launch, trace_kernel_header(kernel), err) != 0)
        return -1;
    return profile_add(profile, &row, err);
}
