/* hearth sweep: many workloads on many configurations. */
#include <string.h>

#include "tools/commands/command.h"
#include "tools/sweep/sweep.h"
#include "tools/sweep/sweep_work.h"
#include "traces/base/process/heap.h"

#define MOST_MIB 1e9

struct sweep_command {
    struct sweep_request request;
    const char *status, *job;
    bool share;
};

#define AT(member) CLI_AT(struct sweep_command, member)

static const struct cli_option table[] = {
    {'o', "output", "DIR",
     "folder of the tables; the same command continues a sweep that was stopped", CLI_TEXT,
     AT(request.output)},
    {0, "store", "DIR",
     "folder of the jobs and their results; sweeps with the same store share results", CLI_TEXT,
     AT(request.store), .otherwise = "store in the folder of the tables"},
    {0, "engine", "ENGINE",
     "where jobs are executed: as processes of this machine; not at all: list writes a "
     "command for each job to DIR/commands; or by Slurm, as job arrays",
     CLI_CHOICE, AT(request.engine), .choices = sweep_engine_names, .initial = "local"},
    {0, "jobs", "N", "jobs that run at a time", CLI_WHOLE, AT(request.processes), 1, 1024,
     .otherwise = "the usable cores, divided by the threads"},
    {0, "threads", "N", "threads of each simulation", CLI_WHOLE, AT(request.threads), 1, 1024,
     .initial = "1"},
    {0, "memory", "MIB",
     "memory for all jobs together; a job is taken to need what others of its workload needed",
     CLI_DECIMAL, AT(request.memory), 1, MOST_MIB, .otherwise = "what is available"},
    {0, "workers", "N",
     "with list and slurm: processes that share the segments of each sampled run", CLI_WHOLE,
     AT(request.workers), 1, 1024, .initial = "1"},
    {0, "wait", NULL,
     "with slurm: wait until all jobs have ended, and submit those again that were lost",
     CLI_FLAG, AT(request.wait)},
    {0, "time", "MINUTES", "with slurm: time limit of each job; simulations continue later",
     CLI_WHOLE, AT(request.minutes), 1, 525600},
    {0, "sbatch", "OPTION",
     "with slurm: an option for sbatch, with its dashes, such as that of the partition",
     CLI_LIST, CLI_LIST_AT(struct sweep_command, request.slurm, request.slurm_count)},
    {0, "retry", NULL, "do failed jobs again", CLI_FLAG, AT(request.retry)},
    {0, "status", "DIR", "only print how far the sweep in this folder is", CLI_TEXT,
     AT(status)},
    {0, "job", "FOLDER",
     "execute one job of a store, and what it needs, unless it is done: for schedulers",
     CLI_TEXT, AT(job)},
    {0, "share", NULL, "with --job, of a run: only execute segments that no other process does",
     CLI_FLAG, AT(share)},
    {'q', "quiet", NULL, "no progress and summary", CLI_FLAG, AT(request.quiet)},
};

static const struct cli_command command = {
    "hearth sweep",
    "SPEC -o DIR [OPTION]...\n"
    "--status DIR\n"
    "--job FOLDER [--share] [--threads N]",
    "Simulates workloads on cards with all combinations of options, in full or sampled, as\n"
    "the file SPEC says, and writes tables of the results.",
    table,
    sizeof table / sizeof table[0],
};

/* The commands that jobs are. */
static const struct command_part parts[] = {
    {"trace", command_trace, ""},
    {"sample", command_sample, ""},
    {"warm", command_warm, ""},
    {"run", command_run, ""},
};

static int execute(int argc, char **argv, struct error *err)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (argc > 0 && strcmp(parts[i].name, argv[0]) == 0)
            return parts[i].run(argc, argv, err);
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "the file \"job\" has no command");
}

static int sweep(void *data, char **operands, struct error *err)
{
    struct sweep_command *work = data;
    size_t given = operands[0] != NULL;
    if (given + (work->status != NULL) + (work->job != NULL) != 1 ||
        (given && operands[1] != NULL))
        return error_set(
            err, ERROR_USAGE, NULL, 0, 0,
            "expected one specification, --status or --job; see hearth sweep --help");
    if (work->status != NULL)
        return sweep_status(work->status, err);
    if (work->job != NULL) {
        const struct sweep_work job = {work->request.threads, work->share, execute};
        return sweep_work_run(&job, work->job, err);
    }
    if (work->request.output == NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-o DIR is missing; see hearth sweep --help");
    const struct sweep_request *request = &work->request;
    if (strcmp(request->engine, "slurm") != 0 &&
        (request->wait || request->minutes > 0 || request->slurm_count > 0))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--wait, --time and --sbatch are for --engine slurm");
    if (strcmp(request->engine, "local") == 0 && request->workers > 1)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--workers is for --engine list and slurm; local shares segments by "
                         "itself");
    work->request.spec = operands[0];
    return sweep_run(&work->request, err);
}

int command_sweep(int argc, char **argv, struct error *err)
{
    struct sweep_command work = {0};
    return cli_run(&command, argc, argv, &work, sweep, err);
}
