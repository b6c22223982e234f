#define _GNU_SOURCE /* asprintf */
#include "tracer/output/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/files/output_file.h"

static int failed(const char *path, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, path, 0, 0, "%s", strerror(errno));
}

/* Opens FOLDER/NAME<INFIX>.csv. */
static FILE *open_table(char **path, const char *folder, const char *name, const char *infix,
                        struct error *err)
{
    if (asprintf(path, "%s/%s%s.csv", folder, name, infix) < 0) {
        *path = NULL;
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    FILE *file = output_file_create(*path);
    if (file == NULL)
        failed(*path, err);
    return file;
}

/* The header row is that of Accel-Sim's tracer. */
int tables_begin_stats(struct tracer_output *output, const char *folder, const char *infix,
                       struct error *err)
{
    output->stats = open_table(&output->stats_path, folder, "stats", infix, err);
    if (output->stats == NULL)
        return -1;
    fputs("kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, "
          "block_dimX, block_dimY, block_dimZ, #threads, total_insts, total_reported_insts\n",
          output->stats);
    return fflush(output->stats) == 0 ? 0 : failed(output->stats_path, err);
}

int tables_begin_profile(struct tracer_output *output, const char *folder, const char *infix,
                         struct error *err)
{
    output->profile = open_table(&output->profile_path, folder, "profile", infix, err);
    if (output->profile == NULL)
        return -1;
    struct profile *empty = profile_create(output->profile_path, err);
    int rc =
        empty != NULL ? profile_write(empty, output->profile, output->profile_path, err) : -1;
    profile_destroy(empty);
    if (rc == 0 && fflush(output->profile) != 0)
        rc = failed(output->profile_path, err);
    return rc;
}

static int close_table(FILE **file, const char *path, struct error *err)
{
    FILE *table = *file;
    *file = NULL;
    return table == NULL || fclose(table) == 0 ? 0 : failed(path, err);
}

int tables_end(struct tracer_output *output, struct error *err)
{
    int rc = close_table(&output->stats, output->stats_path, err);
    rc |= close_table(&output->profile, output->profile_path, err);
    return rc;
}

void tables_finish(struct tracer_output *output)
{
    close_table(&output->stats, NULL, NULL);
    close_table(&output->profile, NULL, NULL);
    free(output->stats_path);
    free(output->profile_path);
}

/* ---- rows -------------------------------------------------------------- */

int tables_stats(struct tracer_output *output, const struct trace_header *header,
                 uint64_t insts, uint64_t reported, struct error *err)
{
    const uint32_t *grid = header->grid, *block = header->block;
    fprintf(output->stats,
            "kernel-%" PRIu64 ".trace, %s, %u, %u, %u, %" PRIu64 ", %u, %u, %u, %u, %" PRIu64
            ",%" PRIu64 "\n",
            header->id, header->name, grid[0], grid[1], grid[2],
            (uint64_t)grid[0] * grid[1] * grid[2], block[0], block[1], block[2],
            block[0] * block[1] * block[2], insts, reported);
    return fflush(output->stats) == 0 ? 0 : failed(output->stats_path, err);
}

/* What counting on the GPU gives of a row. */
static void fill_row(struct profile_row *row, const struct trace_header *header,
                     const struct tracer_counts *counts)
{
    *row = (struct profile_row){
        .known = ((UINT64_C(1) << PROFILE_COLUMNS) - 1) &
                 ~(PROFILE_BIT(PROFILE_CTA_INSTS_COV) | PROFILE_BIT(PROFILE_CYCLES) |
                   PROFILE_BIT(PROFILE_TIME_NS)),
        .launch = header->id,
        .stream = header->stream,
        .regs = header->regs,
        .shmem = header->shmem,
        .warp_insts = counts->warp_insts,
        .thread_insts = counts->thread_insts,
        .gld_sectors = counts->gld_sectors,
        .gst_sectors = counts->gst_sectors,
        .lld_sectors = counts->lld_sectors,
        .gld_insts = counts->gld_insts,
        .gst_insts = counts->gst_insts,
        .lld_insts = counts->lld_insts,
        .sld_insts = counts->sld_insts,
        .sst_insts = counts->sst_insts,
        .gatom_insts = counts->gatom_insts,
        .mem_requests = counts->mem_requests,
        .gld_insts_on = counts->gld_insts_on,
        .gst_insts_on = counts->gst_insts_on,
    };
    memcpy(row->grid, header->grid, sizeof row->grid);
    memcpy(row->block, header->block, sizeof row->block);
    if (counts->warp_insts == 0)
        row->known &= ~PROFILE_BIT(PROFILE_DIVERGENCE);
    else
        row->divergence = (double)counts->thread_insts / (double)counts->warp_insts;
}

int tables_profile(struct tracer_output *output, const struct trace_header *header,
                   const struct tracer_counts *counts, struct error *err)
{
    struct profile *profile = profile_create(output->profile_path, err);
    struct profile_row row;
    fill_row(&row, header, counts);
    int rc = -1;
    if (profile != NULL) {
        row.kernel = profile_kernel(profile, header->name, err);
        if (row.kernel != UINT32_MAX && profile_add(profile, &row, err) == 0)
            rc = profile_write_rows(profile, output->profile, output->profile_path, err);
    }
    profile_destroy(profile);
    if (rc == 0 && fflush(output->profile) != 0)
        rc = failed(output->profile_path, err);
    return rc;
}
