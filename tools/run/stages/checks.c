#include "tools/run/stages/stages.h"

bool run_has_followers(const struct run *run)
{
    const struct trace_workload *workload = input_workload(&run->input);
    return workload != NULL && trace_workload_programmatic(workload) &&
           sim_overlaps_followers(run->results->config);
}

const char *run_overlap(const struct run *run)
{
    if (run->results->config->options.gpgpu_concurrent_kernel_sm)
        return "gpgpu_concurrent_kernel_sm";
    return run_has_followers(run) ? "hearth_programmatic" : NULL;
}

int run_check_overlap(const struct run *run, const char *overlap, struct error *err)
{
    const struct sim_options *options = &run->results->config->options;
    if (overlap == NULL)
        return 0;
    if (options->gpgpu_flush_l2_cache)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "launches that overlap (%s) cannot have L2 flushed before each: use "
                         "--flush l1 or none, and !flush in a plan",
                         overlap);
    if (run->request->intervals != 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--intervals: launches that overlap (%s) have no series", overlap);
    if (run->request->events != NULL)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events: not of launches that overlap (%s)", overlap);
    if (run->request->warps)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warps: not of launches that overlap (%s)", overlap);
    return 0;
}

int run_check_streams(const struct run *run, struct error *err)
{
    bool overlap = run->results->config->options.gpgpu_concurrent_kernel_sm;
    return run_check_overlap(run, overlap ? "gpgpu_concurrent_kernel_sm" : NULL, err);
}

bool run_is_limited(const struct sim_config *config)
{
    const struct run_limits limits = run_limits_of(&config->options);
    return run_limits_any(&limits);
}

int run_check_split(const struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    const char *option = request->segments != NULL ? "--segments" : "--join";
    if (request->segments == NULL && request->join == NULL)
        return 0;
    if (request->output == NULL || request->launches != NULL || request->events != NULL ||
        request->warps || (request->segments != NULL && request->join != NULL))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: not with --launches, --trace-events, --warps or %s", option,
                         request->segments != NULL ? "--join" : "--segments");
    if (run_is_limited(run->results->config))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "%s: limits count over the plan in its order", option);
    return 0;
}

int run_take_events(struct run *run, struct error *err)
{
    const struct run_request *request = run->request;
    if (request->warps && request->resume)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--warps: not with --resume, which may find launches finished");
    if (request->events == NULL)
        return 0;
    if (request->resume)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "--trace-events: not with --resume, which may find the launch "
                         "finished");
    return event_spec_parse(request->events, sim_config_sms(run->results->config),
                            &run->events.spec, err);
}
