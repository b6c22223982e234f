/* hearth estimate: times from an analytical model, without a simulation. */
#include <stdio.h>
#include <string.h>

#include "tools/commands/command.h"
#include "tools/commands/estimate/estimate_request.h"

#define MOST 1e12

static void describe_devices(FILE *out)
{
    for (const struct sim_bundled_config *b = estimate_bundled_devices; b->name != NULL; b++)
        fprintf(out, "      %-16s %s\n", b->name, b->description);
}

static const char *const formats[] = {"text", "csv", "json", NULL};

#define AT(member) CLI_AT(struct estimate_request, member)

static const struct cli_option table[] = {
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
    {0, "device", "DEVICE", "a file of parameters, or one of these:", CLI_TEXT, AT(device),
     .otherwise = "gtx970", .describe = describe_devices},
    {0, "format", "FORMAT", "of what is printed", CLI_CHOICE, AT(format), .initial = "text",
     .choices = formats},
};

static const struct cli_command command = {
    "hearth estimate",
    "--sass LISTING [OPTION]...",
    "Estimates times from latency bound, throughput bound and occupancy.",
    table,
    sizeof table / sizeof table[0],
    NULL,
    0,
};

static int check(const struct estimate_request *request, char **operands, struct error *err)
{
    if (request->listing == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "expected --sass LISTING; see hearth estimate --help");
    if (operands[0] != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--sass: expected nothing else, got \"%s\"", operands[0]);
    if (request->block == 0 &&
        (request->grid | request->regs | request->shmem | request->occupancy) != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--grid, --regs, --shmem and --occupancy need --block");
    return 0;
}

static int carry_out(void *data, char **operands, struct error *err)
{
    struct estimate_request *request = data;
    if (check(request, operands, err) != 0)
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
