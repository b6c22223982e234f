#include "tests/sampling/intra/sampled.h"

#include <math.h>

struct sim_result launch_hooked(const struct launch_text *text, const struct sim_hooks *hooks)
{
    struct error err = {0};
    struct sim_result result;
    struct bench bench = bench_create(NO_SETS);
    struct trace_kernel *kernel = test_kernel(text);
    ck_assert_msg(sim_launch(bench.sim, kernel, hooks, &result, &err) == 0, "%s", err.text);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return result;
}

static struct intra *watch(const struct intra_spec *spec, const struct sim *sim,
                           const struct trace_kernel *kernel, const struct launch_text *text)
{
    struct error err = {0};
    struct intra *intra = intra_begin(spec, sim, kernel, NULL, &err);
    ck_assert_msg(intra != NULL, "%s", err.text);
    if (!intra_wants_ahead(intra))
        return intra;
    struct trace_kernel *ahead = test_kernel(text);
    ck_assert_msg(intra_read_ahead(intra, ahead, &err) == 0, "%s", err.text);
    trace_kernel_close(ahead);
    return intra;
}

struct sampled sample_launch(const struct launch_text *text, const char *method)
{
    struct error err = {0};
    struct sampled sampled = {.full = launch_on(NO_SETS, text)};
    struct intra_spec spec;
    ck_assert_msg(intra_parse(&spec, method, &err) == 0, "%s", err.text);
    struct trace_kernel *kernel = test_kernel(text);
    struct bench bench = bench_create(NO_SETS);
    struct intra *intra = watch(&spec, bench.sim, kernel, text);
    struct sim_hooks hooks = {.data = intra};
    intra_hook(intra, &hooks);
    ck_assert_msg(sim_launch(bench.sim, kernel, &hooks, &sampled.result, &err) == 0, "%s",
                  err.text);
    ck_assert_int_eq(intra_end(intra, &sampled.result, &sampled.outcome, &err), 0);
    intra_destroy(intra);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return sampled;
}

double sampled_error(const struct sampled *sampled)
{
    return (double)result_cycles(&sampled->result) / (double)result_cycles(&sampled->full) - 1;
}

uint64_t launch_places(const struct launch_text *text)
{
    struct error err = {0};
    struct sim_places room;
    struct trace_kernel *kernel = test_kernel(text);
    struct bench bench = bench_create(NO_SETS);
    ck_assert_int_eq(sim_places(bench.sim, kernel, &room, &err), 0);
    ck_assert_uint_eq(room.sms, 1);
    trace_kernel_close(kernel);
    bench_destroy(&bench);
    return room.blocks;
}
