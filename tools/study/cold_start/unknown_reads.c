#include "tools/study/cold_start/unknown_reads.h"

#include <stdlib.h>

#include "tools/study/footprint/footprint.h"
#include "traces/base/bytes.h"

static void on_launch(void *data, const struct footprint_row *row)
{
    struct unknown_reads *reads = data;
    if (!array_room(&reads->launches, reads->count, sizeof *reads->launches)) {
        reads->lost = true;
        return;
    }
    uint64_t sectors = row->counts.fetched;
    for (size_t i = 0; i < row->counts.source_count; i++)
        sectors -= row->counts.sources[i].fetched;
    reads->launches[reads->count++] =
        (struct unknown_reads_launch){.launch = row->launch, .sectors = sectors};
}

static int by_launch(const void *a, const void *b)
{
    const struct unknown_reads_launch *left = a, *right = b;
    return (left->launch > right->launch) - (left->launch < right->launch);
}

int unknown_reads_init(struct unknown_reads *reads, const char *workload, struct error *err)
{
    const struct footprint_request request = {.workload = workload,
                                              .limits = FOOTPRINT_LIMITS,
                                              .no_written = true,
                                              .data = reads,
                                              .read = on_launch};
    struct trace_reuse_totals ignored;
    struct footprint *footprint = footprint_create(&request, err);
    int code = footprint != NULL ? footprint_read(footprint, &ignored, err) : -1;
    footprint_destroy(footprint);
    if (code == 0 && reads->lost)
        return error_no_memory(err);
    if (reads->count != 0) /* a list may have launches in any order */
        qsort(reads->launches, reads->count, sizeof *reads->launches, by_launch);
    return code;
}

void unknown_reads_finish(struct unknown_reads *reads)
{
    free(reads->launches);
}

uint64_t unknown_reads_of(const struct unknown_reads *reads, uint64_t launch)
{
    const struct unknown_reads_launch key = {.launch = launch}, *found = NULL;
    if (reads->count != 0)
        found = bsearch(&key, reads->launches, reads->count, sizeof key, by_launch);
    return found != NULL ? found->sectors : 0;
}
