/* hearth estimate: times from an analytical model, without a simulation. */
#include <stdio.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/estimate/estimate_request.h"
#include "tools/run/values/value_lists.h"
#include "traces/base/process/stop.h"
#include "traces/profile.h"

#define MOST 1e12

static void describe_devices(FILE *out)
{
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        fprintf(out, "%s %s", b == estimate_bundled_devices ? "" : ",", b->name);
}

static void list_devices(FILE *out)
{
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        fprintf(out, "\n%s: device of the paper", b->name);
}

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const hit_sources[] = {"none", "functional", NULL};
static const char *const groups[] = {"kernel", "device", NULL};

#define AT(member)          CLI_AT(struct estimate_request, member)
#define LIST_AT(list, many) CLI_LIST_AT(struct estimate_request, list, many)

static const struct cli_option table[] = {
    {'c', "config", "CONFIG", "as in hearth run: the card", CLI_LIST,
     LIST_AT(configs, config_count), .otherwise = ESTIMATE_CARD, .values = value_lists_cards},
    {0, "set", "NAME=VALUE", "as in hearth run", CLI_LIST, LIST_AT(sets, set_count),
     .values = value_lists_options},
    {0, "device", "DEVICE", "instead of a card: a file of parameters, or one of", CLI_TEXT,
     AT(device), .otherwise = "the card; with --sass gtx970", .describe = describe_devices,
     .values = list_devices},
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
     .otherwise = "kernel", .choices = groups},
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
     CLI_TEXT, AT(trips), .otherwise = "1"},
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

/* Refuses options that would have no effect: RULES ends with one without a text. */
struct option_rule {
    bool broken;
    const char *text;
};

static int check_rules(const struct option_rule *rules, struct error *err)
{
    while (rules->text != NULL && !rules->broken)
        rules++;
    return rules->text == NULL ? 0 : error_set(err, ERROR_USAGE, NULL, 0, 0, "%s", rules->text);
}

static int check_listing(const struct estimate_request *request, struct error *err)
{
    bool of_workloads = request->measured != NULL || request->column != NULL ||
                        request->by != NULL || request->copies != NULL ||
                        request->change_count > 0 || request->traces != NULL ||
                        request->bounds || request->output != NULL ||
                        request->launches.count > 0 || strcmp(request->hits, "none") != 0;
    bool of_grids = (request->grid | request->regs | request->shmem | request->occupancy |
                     request->curve_count) != 0;
    const struct option_rule rules[] = {
        {request->config_count + request->set_count > 0,
         "--sass takes --device, not --config and --set"},
        {of_workloads, "--sass takes no options of workloads; see hearth estimate --help"},
        {request->block == 0 && of_grids,
         "--grid, --regs, --shmem, --occupancy and --curve need --block"},
        {false, NULL},
    };
    if (request->target != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--sass: expected nothing else, got \"%s\"", request->target);
    return check_rules(rules, err);
}

static int check_workload(const struct estimate_request *request, struct error *err)
{
    bool of_listings = (request->block | request->grid | request->regs | request->shmem |
                        request->occupancy | request->in | request->out) != 0 ||
                       request->function != NULL || request->trips != NULL;
    bool functional = strcmp(request->hits, "functional") == 0;
    const struct option_rule rules[] = {
        {request->target == NULL, "expected a workload, a profile or --sass LISTING; see "
                                  "hearth estimate --help"},
        {of_listings, "--function, --trip, --block, --grid, --regs, --shmem, --occupancy, --in "
                      "and --out need --sass"},
        {request->device != NULL && request->config_count + request->set_count > 0,
         "--device stands instead of --config and --set"},
        {request->device != NULL && (functional || request->bounds),
         "--hits functional and --bounds need a card, not --device"},
        {request->measured == NULL && (request->column != NULL || request->by != NULL),
         "--column and --by need --calibrate"},
        {false, NULL},
    };
    return check_rules(rules, err);
}

/* What only workloads, or only profiles, have. */
static int check_target(const struct estimate_request *request, struct error *err)
{
    bool profile = profile_is_table(request->target);
    bool functional = strcmp(request->hits, "functional") == 0;
    const struct option_rule rules[] = {
        {!profile && request->traces != NULL, "--traces is for a profile, not for a workload"},
        {profile && request->bounds,
         "--bounds needs a workload: a profile has no instructions"},
        {profile && functional && request->traces == NULL,
         "--hits functional needs a workload, or --traces with a profile"},
        {false, NULL},
    };
    return check_rules(rules, err);
}

/* What else options are without being given. */
static void complete_request(struct estimate_request *request)
{
    if (request->by == NULL)
        request->by = "kernel";
    if (request->trips == NULL)
        request->trips = "1";
    if (request->device == NULL && request->listing != NULL)
        request->device = "gtx970";
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct estimate_request *request = data;
    request->target = operands[0];
    if (operands[0] != NULL && operands[1] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected one workload or profile, got \"%s\", too", operands[1]);
    bool listing = request->listing != NULL;
    if ((listing ? check_listing : check_workload)(request, err) != 0 ||
        (!listing && check_target(request, err) != 0))
        return -1;
    complete_request(request);
    if (listing)
        return estimate_listing(request, err);
    stop_init();
    return estimate_workload(request, err);
}

int command_estimate(int argc, char **argv, struct error *err)
{
    struct estimate_request request = {0};
    return cli_run(&command, argc, argv, &request, carry_out, err);
}
