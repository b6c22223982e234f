/* hearth trace footprint: what launches touch, and how much was touched before. */
#include <inttypes.h>
#include <unistd.h>

#include "tools/commands/trace/footprint_sum.h"
#include "tools/commands/trace/trace.h"
#include "tools/run/progress/progress_line.h"
#include "tools/study/footprint/footprint.h"
#include "traces/base/visible.h"

struct footprint_command {
    struct footprint_request request;
    double l2; /* MiB of the cache for the column "back"; 0: no limit */
    bool quiet;
    struct footprint_sum sum;
};

#define AT(member) CLI_AT(struct footprint_command, member)

static const struct cli_option table[] = {
    {'o', "output", "FILE.csv",
     "write a CSV row per launch to FILE.csv, and to FILE.sources.csv where "
     "its sectors come from",
     CLI_TEXT, AT(request.output)},
    {0, "launches", "LIST", "show these launches, as 1,5-9; earlier ones are also read",
     CLI_RANGES, AT(request.launches)},
    {0, "l2", "MIB",
     "size of the cache for the column \"back\"; an RTX 3070's L2 has 4; "
     "0: no limit",
     CLI_DECIMAL, AT(l2), 0, 1 << 20, .initial = "4"},
    {0, "percentile", "P", "share of reused sectors that \"back\" launches cover", CLI_DECIMAL,
     AT(request.limits.percentile), 0, 100, .initial = "99"},
    {0, "resident", "BLOCKS",
     "thread blocks on the GPU at a time; they share local memory with those "
     "that come after them",
     CLI_WHOLE, AT(request.resident), .otherwise = "all of a launch"},
    {0, "no-written", NULL,
     "ignore lines \"# written\" of the list: nothing has touched what they name", CLI_FLAG,
     AT(request.no_written)},
    {'f', "force", NULL, "replace an output that exists", CLI_FLAG, AT(request.replace)},
    {'q', "quiet", NULL, "no table", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth trace footprint",
    "WORKLOAD [-o FILE.csv] [OPTION]...",
    "Counts the 128-byte lines, 32-byte sectors and addresses of global and local\n"
    "memory that each launch touches; the share of its addresses that the next and the\n"
    "previous launch touch (forward and backward reuse); and which launch or copy\n"
    "touched its sectors last: the one before (last), others (older), copies, or nobody\n"
    "(new). \"back\": how many earlier launches bring as much of that as a cache can hold.",
    table,
    sizeof table / sizeof table[0],
    "one workload",
    1,
};

/* ---- table ------------------------------------------------------------- */

#define KIB_SECTORS 32 /* sectors in a KiB */

#define REUSE "%7s %7s %7s %7s %7s %7s %6s"

static void print_head(FILE *out)
{
    fprintf(out, "%8s %11s %9s %10s %7s %7s " REUSE "  %s\n", "launch", "accesses", "lines",
            "KiB", "read", "written", "forward", "backw.", "last", "older", "copies", "new",
            "back", "kernel");
}

/* PART of WHOLE in percent. */
static const char *percent(char text[16], uint64_t part, uint64_t whole, bool known)
{
    if (!known || whole == 0)
        return "-";
    snprintf(text, 16, "%.2f%%", 100 * (double)part / (double)whole);
    return text;
}

static void print_line(FILE *out, const struct footprint_row *row)
{
    const struct trace_footprint *counts = &row->counts;
    const struct trace_touched *sectors = &counts->sectors;
    uint64_t none = sectors->all - counts->reused - counts->copied;
    char text[8][16], back[24];
    snprintf(back, sizeof back, "%" PRIu64, row->back);
    fprintf(out, "%8" PRIu64 " %11" PRIu64 " %9" PRIu64 " %10.1f %7s %7s " REUSE "  ",
            row->launch, counts->accesses, counts->lines.all,
            (double)sectors->all / KIB_SECTORS,
            percent(text[0], sectors->read, sectors->all, true),
            percent(text[1], sectors->written, sectors->all, true),
            percent(text[2], row->next_addresses, counts->addresses, row->has_next),
            percent(text[3], counts->shared_addresses, counts->addresses, row->has_previous),
            percent(text[4], row->last, sectors->all, true),
            percent(text[5], counts->reused - row->last, sectors->all, true),
            percent(text[6], counts->copied, sectors->all, true),
            percent(text[7], none, sectors->all, true), back);
    visible_print(row->kernel, out);
    putc('\n', out);
}

static void on_read(void *data, const struct footprint_row *row)
{
    struct footprint_command *work = data;
    footprint_sum_add(&work->sum, row);
}

static void on_complete(void *data, const struct footprint_row *row)
{
    struct footprint_command *work = data;
    footprint_sum_add_reuse(&work->sum, row);
    if (!work->quiet)
        print_line(stdout, row);
}

/* ---- all --------------------------------------------------------------- */

static int run(void *data, char **operands, struct error *err)
{
    struct footprint_command *work = data;
    struct footprint_request *request = &work->request;
    struct trace_reuse_totals totals;
    if (request->limits.percentile == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--percentile \"0\": expected a number above 0");
    request->limits.capacity = (uint64_t)(work->l2 * (1 << 20) / TRACE_LINE_BYTES);
    if (work->l2 > 0 && request->limits.capacity == 0)
        request->limits.capacity = 1;
    request->workload = operands[0];
    /* On a terminal the lines of the table show the progress. */
    request->progress = progress_line(!work->quiet && isatty(STDOUT_FILENO));
    request->data = work;
    request->read = on_read;
    request->complete = on_complete;
    struct footprint *footprint = footprint_create(request, err);
    if (footprint == NULL)
        return -1;
    if (!work->quiet)
        print_head(stdout);
    int code = footprint_read(footprint, &totals, err);
    if (code == 0 && !work->quiet)
        footprint_sum_print(stdout, &work->sum, &totals);
    footprint_destroy(footprint);
    return code;
}

int trace_footprint(int argc, char **argv, struct error *err)
{
    struct footprint_command work = {.request.limits.copies_fill = true};
    return cli_run(&command, argc, argv, &work, run, err);
}
