/* hearth estimate: times from an analytical model, without a simulation. */
#include <stdio.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/estimate/estimate_request.h"
#include "traces/base/process/stop.h"

#define MOST 1e12

static void describe_devices(FILE *out)
{
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        fprintf(out, "      %-16s %s\n", b->name, b->description);
}

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const hit_sources[] = {"none", "functional", NULL};
static const char *const groups[] = {"kernel", "device", NULL};

#define AT(member)          CLI_AT(struct estimate_request, member)
#define LIST_AT(list, many) CLI_LIST_AT(struct estimate_request, list, many)

static const struct cli_option table[] = {
    {'c', "config", "CONFIG", "as in hearth run: the card", CLI_LIST,
     LIST_AT(configs, config_count), .initial = "rtx3070"},
    {0, "set", "NAME=VALUE", "as in hearth run", CLI_LIST, LIST_AT(sets, set_count)},
    {0, "device", "DEVICE",
     "instead of a card a file of parameters, or one of these:", CLI_TEXT, AT(device),
     .otherwise = "the card; with --sass gtx970", .describe = describe_devices},
    {0, "launches", "LIST", "only these launches, as 1,5-9", CLI_RANGES, AT(launches)},
    {0, "hits", "SOURCE",
     "where ratios of cache hits come from: none hits, as in the paper, or a functional "
     "simulation",
     CLI_CHOICE, AT(hits), .initial = "none", .choices = hit_sources},
    {0, "traces", "WORKLOAD",
     "of a profile: launches of the same kernels, whose instructions stand for those of others",
     CLI_TEXT, AT(traces)},
    {0, "bounds", NULL,
     "also a lower bound, as hearth run --bounds prints it; but what no launch or copy "
     "touched may be in L2",
     CLI_FLAG, AT(bounds)},
    {0, "calibrate", "RESULTS",
     "fit lambda_k to the results of a run, or to a table with the columns launch and cycles "
     "or time_ns",
     CLI_TEXT, AT(measured)},
    {0, "column", "NAME", "of that table; a name that ends in _ns is a time, others are cycles",
     CLI_TEXT, AT(column)},
    {0, "by", "GROUP", "lambda_k of each kernel, or one for the device", CLI_CHOICE, AT(by),
     .initial = "kernel", .choices = groups},
    {0, "calibrate-copies", "FILE",
     "fit startup and lambda_c to a table with the columns direction (in or out), bytes and "
     "time_ns",
     CLI_TEXT, AT(copies)},
    {0, "what-if", "CHANGE",
     "also the time with block=N threads in each block, or on device=NAME, a card or device; "
     "may be repeated",
     CLI_LIST, LIST_AT(changes, change_count)},
    {0, "curve", "NAME",
     "also the time over occupancy (2 to 64 warps) or size (of grids and copies); with --sass "
     "over intensity (iterations), occupancy or size (blocks); may be repeated",
     CLI_LIST, LIST_AT(curves, curve_count)},
    {'o', "output", "DIR", "write tables as CSV and JSON, and the roofline, to a folder",
     CLI_TEXT, AT(output)},
    {0, "format", "FORMAT", "of what is printed", CLI_CHOICE, AT(format), .initial = "text",
     .choices = formats},
    {0, "sass", "LISTING", "the model of the code in a listing of cuobjdump -sass", CLI_TEXT,
     AT(listing)},
    {0, "function", "NAME", "with --sass: the function, if the listing has several", CLI_TEXT,
     AT(function)},
    {0, "trip", "N[,N]...",
     "with --sass: iterations of each loop, in the order of the listing; the last number holds "
     "for the loops after it",
     CLI_TEXT, AT(trips), .initial = "1"},
    {0, "block", "N", "with --sass: threads of a block", CLI_WHOLE, AT(block), 1, 1024},
    {0, "grid", "N", "with --block: blocks of the grid", CLI_WHOLE, AT(grid), 1, MOST},
    {0, "regs", "N", "with --block: registers of a thread", CLI_WHOLE, AT(regs), 1, 255},
    {0, "shmem", "BYTES", "with --block: shared memory of a block", CLI_WHOLE, AT(shmem), 1,
     1 << 20},
    {0, "occupancy", "WARPS", "with --block: that an SM holds", CLI_WHOLE, AT(occupancy), 1,
     2048, .otherwise = "what the occupancy calculator says"},
    {0, "in", "BYTES", "with --sass: a copy from host to device", CLI_WHOLE, AT(in), 1, 1e15},
    {0, "out", "BYTES", "with --sass: a copy from device to host", CLI_WHOLE, AT(out), 1, 1e15},
    {'q', "quiet", NULL, "no notes", CLI_FLAG, AT(quiet)},
};

static const struct cli_command command = {
    "hearth estimate",
    "WORKLOAD|PROFILE [OPTION]...\n"
    "--sass LISTING [OPTION]...",
    "Estimates times from latency bound, throughput bound and occupancy.",
    table,
    sizeof table / sizeof table[0],
    NULL,
    0,
};

static int check_listing(const struct estimate_request *request, struct error *err)
{
    if (request->target != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--sass: expected nothing else, got \"%s\"", request->target);
    if (request->measured != NULL || request->copies != NULL || request->change_count > 0 ||
        request->traces != NULL || request->bounds || request->output != NULL ||
        request->launches.count > 0 || strcmp(request->hits, "none") != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--sass takes no options of workloads; see hearth estimate --help");
    if (request->block == 0 && (request->grid | request->regs | request->shmem |
                                request->occupancy | request->curve_count) != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--grid, --regs, --shmem, --occupancy and --curve need --block");
    return 0;
}

static int check_workload(const struct estimate_request *request, struct error *err)
{
    if (request->target == NULL)
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "expected a workload, a profile or --sass LISTING; see hearth estimate "
            "--help");
    if ((request->block | request->grid | request->regs | request->shmem | request->occupancy |
         request->in | request->out) != 0 ||
        request->function != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--function, --block, --grid, --regs, --shmem, --occupancy, --in and "
                         "--out need --sass");
    bool functional = strcmp(request->hits, "functional") == 0;
    if (request->device != NULL && (functional || request->bounds))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--hits functional and --bounds need a card, not --device");
    if (request->column != NULL && request->measured == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--column needs --calibrate");
    return 0;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct estimate_request *request = data;
    request->target = operands[0];
    if (operands[0] != NULL && operands[1] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload or profile, got \"%s\", too", operands[1]);
    if (request->listing == NULL) {
        stop_init();
        return check_workload(request, err) != 0 ? -1 : estimate_workload(request, err);
    }
    if (check_listing(request, err) != 0)
        return -1;
    if (request->device == NULL)
        request->device = "gtx970";
    return estimate_listing(request, err);
}

int command_estimate(int argc, char **argv, struct error *err)
{
    struct estimate_request request = {0};
    return cli_run(&command, argc, argv, &request, carry_out, err);
}
