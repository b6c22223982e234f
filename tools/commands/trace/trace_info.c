/* hearth trace info: the contents of a workload. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/commands/trace/info_contents.h"
#include "tools/commands/trace/info_extras.h"
#include "tools/commands/trace/trace.h"
#include "tools/run/plan/launches.h"
#include "traces/base/csv/csv_file.h"
#include "traces/base/visible.h"

/* The columns of a launch. */
struct info_row {
    uint64_t number;
    const struct trace_header *header;
    uint64_t blocks, records, memory_records, bytes;
    uint32_t code; /* instructions of its function; 0: there is no code */
    struct info_launch launch;
};

struct info {
    const struct trace_workload *workload;
    struct launches launches;
    bool csv, quiet;
    struct info_row total;
    size_t count, copies;
    uint64_t copied;
    uint64_t *streams;
    size_t stream_count;
    struct info_contents contents;
    struct info_extras extras;
};

static const struct cli_option table[] = {
    {0, "csv", NULL, "one CSV row per launch instead of the table", CLI_FLAG,
     CLI_AT(struct info, csv)},
    {'q', "quiet", NULL, "only the totals", CLI_FLAG, CLI_AT(struct info, quiet)},
};

static const struct cli_command command = {
    "hearth trace info",
    "WORKLOAD [OPTION]...",
    "Prints a line for each launch of a workload: number, stream, grid, block, warp\n"
    "instructions, those that access memory, size, kernel; then totals, and what the\n"
    "traces contain. Text is read to its end to count; of a packed workload, only\n"
    "headers are read. If it was cut off, a note says so, launches that are whole are\n"
    "shown, and the exit code is 3.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

/* ---- counting ---------------------------------------------------------- */

/* What the lines of WARP up to its `end` have. */
static unsigned find_contents(const struct trace_kernel *kernel, const struct trace_inst *insts,
                              const struct trace_warp *warp)
{
    unsigned found = 0;
    struct trace_extras extras;
    for (const struct trace_record *r = warp->at; r < warp->end; r++) {
        const struct trace_inst *inst = &insts[r->inst];
        bool numbers = trace_record_extras(r, warp->addresses, &extras);
        bool constants = inst->space == TRACE_SPACE_CONSTANT && r->mode != TRACE_ADDRESS_NONE;
        if (numbers || constants)
            found |= trace_content_of(trace_kernel_opcode(kernel, inst), numbers, constants);
    }
    return found;
}

/* Reads a launch of text to count it. */
static int count_text(struct trace_kernel *kernel, struct info_row *row, struct error *err)
{
    struct trace_block *block;
    uint32_t count;
    int rc;
    while ((rc = trace_kernel_next_block(kernel, &block, err)) == 1) {
        const struct trace_inst *insts = trace_kernel_insts(kernel, &count);
        row->blocks++;
        for (uint32_t w = 0; w < block->warp_count && rc >= 0; w++) {
            struct trace_warp *warp = &block->warps[w];
            row->records += warp->total;
            do {
                row->launch.contents |= find_contents(kernel, insts, warp);
                for (const struct trace_record *r = warp->at; r < warp->end; r++)
                    row->memory_records += trace_inst_in_memory_view(&insts[r->inst]);
                warp->at = warp->end;
                rc = trace_warp_fill(warp, err);
            } while (rc == 1);
        }
        trace_block_release(block);
        if (rc < 0)
            return -1;
    }
    return rc;
}

static int count(const struct info *info, const struct trace_command *launch,
                 struct trace_kernel *kernel, struct info_row *row, struct error *err)
{
    struct stat status;
    struct trace_counts counts;
    if (trace_kernel_counts(kernel, &counts)) {
        row->blocks = counts.blocks;
        row->records = counts.records;
        row->memory_records = counts.memory_records;
        row->bytes = launch->kernel.packed;
        return trace_kernel_contents(kernel, &row->launch.contents, err);
    }
    char *path = trace_workload_path(info->workload, launch->text);
    if (path == NULL)
        return error_no_memory(err);
    if (stat(path, &status) == 0)
        row->bytes = (uint64_t)status.st_size;
    free(path);
    return count_text(kernel, row, err);
}

/* ---- printing ---------------------------------------------------------- */

static void print_csv(const struct info_row *row)
{
    const struct trace_header *header = row->header;
    const uint32_t *grid = header->grid, *block = header->block;
    printf("%" PRIu64 ",", row->number);
    csv_file_write_field(stdout, header->name);
    printf(",%" PRIu64 ",%ux%ux%u,%ux%ux%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
           ",%u",
           header->stream, grid[0], grid[1], grid[2], block[0], block[1], block[2],
           header->regs, header->shmem, row->blocks, row->records, row->memory_records,
           row->bytes, row->code);
    info_extras_print_row(&row->launch);
    putchar('\n');
}

static void print_line(const struct info_row *row)
{
    char grid[40], block[40];
    const uint32_t *g = row->header->grid, *b = row->header->block;
    snprintf(grid, sizeof grid, "%ux%ux%u", g[0], g[1], g[2]);
    snprintf(block, sizeof block, "%ux%ux%u", b[0], b[1], b[2]);
    printf("%8" PRIu64 " %12" PRIu64 " %14s %11s %12" PRIu64 " %12" PRIu64 " %11" PRIu64 "  ",
           row->number, row->header->stream, grid, block, row->records, row->memory_records,
           row->bytes);
    visible_print(row->header->name, stdout);
    putchar('\n');
}

static void print_heading(const struct info *info)
{
    if (info->csv) {
        fputs("launch,kernel,stream,grid,block,regs,shmem,blocks,warp_insts,memory_insts,bytes,"
              "code",
              stdout);
        info_extras_print_names();
        putchar('\n');
    } else
        printf("%8s %12s %14s %11s %12s %12s %11s  %s\n", "launch", "stream", "grid", "block",
               "warp insts", "memory insts", "bytes", "kernel");
}

/* ---- all --------------------------------------------------------------- */

static int note_stream(struct info *info, uint64_t stream, struct error *err)
{
    for (size_t i = 0; i < info->stream_count; i++)
        if (info->streams[i] == stream)
            return 0;
    uint64_t *more = reallocarray(info->streams, info->stream_count + 1, sizeof *info->streams);
    if (more == NULL)
        return error_no_memory(err);
    info->streams = more;
    info->streams[info->stream_count++] = stream;
    return 0;
}

static int show_launch(struct info *info, const struct trace_command *launch, size_t position,
                       struct error *err)
{
    /* Lines of text are read anyway. */
    const struct trace_kernel_options options = {
        .code = true, .extras = info->workload->store == NULL ? TRACE_EXTRA_NUMBERS : 0};
    struct trace_kernel *kernel =
        trace_workload_kernel(info->workload, launch->text, &options, err);
    if (kernel == NULL)
        return -1;
    struct info_row row = {.number = launches_number(&info->launches, launch->text, position),
                           .header = trace_kernel_header(kernel)};
    int rc = count(info, launch, kernel, &row, err);
    if (rc == 0)
        rc = note_stream(info, row.header->stream, err);
    if (rc == 0)
        rc = info_contents_add(&info->contents, kernel, err);
    if (rc == 0) {
        const struct trace_function *function = trace_kernel_function(kernel);
        row.code = function != NULL ? function->count : 0;
        info_extras_launch(&info->extras, row.header, &row.launch);
        if (!info->quiet)
            (info->csv ? print_csv : print_line)(&row);
        info->total.blocks += row.blocks;
        info->total.records += row.records;
        info->total.memory_records += row.memory_records;
        info->total.bytes += row.bytes;
        info->count++;
    }
    trace_kernel_close(kernel);
    return rc;
}

static void print_totals(const struct info *info)
{
    printf("%slaunches      %zu\nstreams       %zu\ncopies        %zu, %" PRIu64
           " bytes\nthread blocks %" PRIu64 "\nwarp insts    %" PRIu64 ", %" PRIu64
           " in the memory-only view\nbytes         %" PRIu64 "\n",
           info->quiet ? "" : "\n", info->count, info->stream_count, info->copies, info->copied,
           info->total.blocks, info->total.records, info->total.memory_records,
           info->total.bytes);
}

static int show(struct info *info, struct error *err)
{
    size_t position = 0;
    if (launches_init(&info->launches, info->workload, err) < 0)
        return -1;
    if (!info->quiet)
        print_heading(info);
    for (size_t i = 0; i < info->workload->count; i++) {
        const struct trace_command *line = &info->workload->commands[i];
        if (line->kind == TRACE_KERNEL) {
            if (show_launch(info, line, ++position, err) < 0)
                return -1;
        } else if (line->kind == TRACE_NOTE || line->kind == TRACE_COPY_DEVICE) {
            info_extras_note(&info->extras, line->text);
            if (info_contents_note(&info->contents, line->text, err) < 0)
                return -1;
        } else {
            info->copies++;
            info->copied += line->copy.bytes;
        }
    }
    if (!info->csv) {
        print_totals(info);
        info_extras_print(&info->extras);
        info_contents_print(&info->contents, info->workload);
    }
    return 0;
}

static int show_workload(void *data, char **operands, struct error *err)
{
    struct info *info = data;
    struct trace_workload *workload = launches_open(NULL, operands[0], err);
    if (workload == NULL)
        return -1;
    info->workload = workload;
    int rc = show(info, err);
    if (rc == 0 && workload->note != NULL) /* it was cut off */
        rc = ERROR_TRACE;
    launches_finish(&info->launches);
    free(info->streams);
    info_contents_finish(&info->contents);
    trace_workload_destroy(workload);
    return rc;
}

int trace_info(int argc, char **argv, struct error *err)
{
    struct info info = {0};
    return cli_run(&command, argc, argv, &info, show_workload, err);
}
