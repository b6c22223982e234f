#include "tracer/nvbit/state.h"

Tool &tool = *new Tool;

int report(int rc, const error &err)
{
    if (rc == 0 || err.kind == ERROR_NONE || tool.reported == err.text)
        return rc;
    tool.reported = err.text;
    fprintf(stderr, "hearth tracer: %s\n", err.text);
    return rc;
}

void finish()
{
    traced([](error *err) { return tracer_finish(tool.target, err); });
    Lock lock(tool.tracing);
    tracer_destroy(tool.target);
    tool.target = nullptr;
}

bool is_deaf(const Context &context)
{
    return tool.options.mode != TRACER_PROFILE && !context.channel.is_started();
}

Context &ready(CUcontext ctx)
{
    std::unique_ptr<Context> &slot = tool.contexts[ctx];
    if (slot == nullptr)
        slot.reset(new Context());
    Context &context = *slot;
    if (context.functions != nullptr)
        return context;
    traced([&](error *err) {
        const int number = tracer_context(tool.target, reinterpret_cast<uint64_t>(ctx), err);
        context.number = number < 0 ? 0 : static_cast<uint32_t>(number);
        return number < 0 ? -1 : 0;
    });
    CUDA_SAFECALL(
        cudaMallocManaged(reinterpret_cast<void **>(&context.state), sizeof *context.state));
    context.state->shared_base = nvbit_get_shmem_base_addr(ctx);
    context.state->local_base = nvbit_get_local_mem_base_addr(ctx);
    context.channel.start([](const void *data, size_t size) {
        traced([=](error *err) {
            return tool.target != nullptr ? tracer_records(tool.target, data, size, err) : 0;
        });
    });
    if (is_deaf(context))
        fprintf(stderr,
                "hearth tracer: cannot start a thread: launches of context %u are left out\n",
                context.number);
    context.cubins.reset(new Cubins(tool.target, tool.options));
    context.functions.reset(new Functions(tool.target, tool.options));
    return context;
}
