#include "tracer/nvbit/launches.h"

#include "tracer/nvbit/facts.h"
#include "tracer/nvbit/listed.h"

namespace
{

void say(const char *what, const tracer_launch &launch)
{
    if (tool.options.verbose > 0)
        fprintf(stderr, "hearth tracer: %s %s (%u,%u,%u) (%u,%u,%u)\n", what, launch.name,
                launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                launch.block[1], launch.block[2]);
}

// The code of FUNC; 0: none, or none is wanted.
uint32_t code_of(Context &context, CUcontext ctx, CUfunction func)
{
    const auto version =
        static_cast<uint32_t>(attribute(func, CU_FUNC_ATTRIBUTE_BINARY_VERSION));
    Lock lock(tool.tracing);
    return context.cubins->code_of(ctx, func, version);
}

void set_code(Context &context, CUcontext ctx, CUfunction func, uint32_t number)
{
    const uint32_t code = code_of(context, ctx, func);
    if (code != 0)
        traced([&](error *err) { return tracer_execute(tool.target, number, code, err); });
}

} // namespace

int instrument(Context &context, CUcontext ctx, CUfunction func)
{
    const int version = attribute(func, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    return traced([&](error *err) {
        return context.functions->instrument(ctx, func, static_cast<uint32_t>(version),
                                             context.channel.address(),
                                             reinterpret_cast<uint64_t>(context.state), err);
    });
}

void begin(Context &context, CUcontext ctx, const Event &event, uint64_t handle)
{
    const int shared = attribute(event.func, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    const int regs = attribute(event.func, CU_FUNC_ATTRIBUTE_NUM_REGS);
    const int version = attribute(event.func, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    tracer_launch launch = {};
    launch.context = context.number;
    launch.name = nvbit_get_func_name(ctx, event.func, true);
    for (int i = 0; i < 3; i++) {
        launch.grid[i] = event.grid[i];
        launch.block[i] = event.block[i];
    }
    launch.shmem = static_cast<uint32_t>(shared) + event.shared;
    launch.regs = static_cast<uint32_t>(regs);
    launch.binary_version = static_cast<uint32_t>(version);
    launch.stream = reinterpret_cast<uint64_t>(event.stream);
    launch.shmem_base = context.state->shared_base;
    launch.local_base = context.state->local_base;
    std::string more;
    add_facts(launch, more, event, list_maps(context, event));
    uint32_t number = 0;
    unsigned wanted = TRACER_WANT_NOTHING;
    traced([&](error *err) {
        return tracer_begin_launch(tool.target, &launch, &number, &wanted, err);
    });
    if (wanted != TRACER_WANT_NOTHING)
        context.open.push_back(number); // what is deaf is dropped at its end
    if (is_deaf(context))
        wanted = TRACER_WANT_NOTHING;
    say(wanted != TRACER_WANT_NOTHING ? "traces" : "passes over", launch);
    if (wanted != TRACER_WANT_NOTHING) {
        if (tool.options.mode == TRACER_PROFILE && context.open.size() == COUNT_SLOTS + 1)
            fprintf(
                stderr,
                "hearth tracer: a graph of more than %u kernels: they are counted together\n",
                COUNT_SLOTS);
        context.state->counts[number % COUNT_SLOTS] = tracer_counts();
    }
    if (wanted != TRACER_WANT_NOTHING)
        set_code(context, ctx, event.func, number);
    SET_AT_LAUNCH(ctx, event.func, launch_value(number, wanted), event.stream, handle);
    if (handle == 0) // the code of a graph's kernels is chosen when it is made
        nvbit_enable_instrumented(ctx, event.func, wanted != TRACER_WANT_NOTHING);
}

void prepare(Context &context, CUcontext ctx, CUfunction func)
{
    if (instrument(context, ctx, func) == 0) {
        nvbit_enable_instrumented(ctx, func, true);
        code_of(context, ctx, func); // not while the graph runs
    }
}

void end(Context &context, CUstream stream, bool refused)
{
    refused |= is_deaf(context);
    if (tool.options.mode != TRACER_PROFILE && !refused && !context.open.empty())
        context.channel.drain(stream);
    for (uint32_t number : context.open)
        traced([&](error *err) {
            if (refused)
                return tracer_drop_launch(tool.target, number, err);
            if (tool.options.mode == TRACER_PROFILE &&
                tracer_counted(tool.target, number,
                               &context.state->counts[number % COUNT_SLOTS], err) != 0)
                return -1;
            return tracer_end_launch(tool.target, number, err);
        });
    context.open.clear();
}
