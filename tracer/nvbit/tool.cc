// The callbacks of NVBit: the application's launches and copies become calls of
// the tracer.
#include <unistd.h>

#include <cstdlib>

#include "nvbit_tool.h"

#include "tracer/nvbit/launches.h"

namespace
{

const char *get_variable(const char *name)
{
    return getenv(name);
}

bool is_capturing(CUstream stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    CUDA_SAFECALL(cudaStreamIsCapturing(stream, &status));
    return status != cudaStreamCaptureStatusNone;
}

// A launch into a stream that is captured does not run: its graph will.
void on_launch(Context &context, CUcontext ctx, const Event &event, bool is_exit, bool refused)
{
    if (is_capturing(event.stream)) {
        if (!is_exit)
            prepare(context, ctx, event.func);
        return;
    }
    CUDA_SAFECALL(cudaDeviceSynchronize());
    if (is_exit) {
        end(context, event.stream, refused);
    } else if (instrument(context, ctx, event.func) == 0) {
        begin(context, ctx, event, 0);
        if (tracer_is_over(tool.target)) {
            finish();
            fflush(nullptr);
            _exit(0);
        }
    }
}

void on_graph_launch(Context &context, const Event &event, bool is_exit, bool refused)
{
    if (is_capturing(event.stream))
        return;
    CUDA_SAFECALL(cudaDeviceSynchronize());
    if (is_exit)
        end(context, event.stream, refused);
}

void on_copy(Context &context, const Event &event)
{
    traced([&](error *err) {
        return tracer_copy(tool.target, context.number, event.to_host, event.address,
                           event.bytes, err);
    });
}

// What the format has no line for becomes a comment.
void on_note(Context &context, const Event &event)
{
    char text[128];
    const auto address = static_cast<unsigned long long>(event.address),
               source = static_cast<unsigned long long>(event.source),
               bytes = static_cast<unsigned long long>(event.bytes);
    if (event.kind == Event::COPY_ON)
        snprintf(text, sizeof text, "# copy to 0x%016llx from 0x%016llx %llu", address, source,
                 bytes);
    else
        snprintf(text, sizeof text, "# set 0x%016llx %llu", address, bytes);
    traced([&](error *err) { return tracer_note(tool.target, context.number, text, err); });
}

// What the host does with such memory nobody tells.
void on_managed(Context &context, const Event &event)
{
    char text[64];
    snprintf(text, sizeof text, "# managed 0x%016llx %llu",
             static_cast<unsigned long long>(event.address),
             static_cast<unsigned long long>(event.bytes));
    traced([&](error *err) { return tracer_note(tool.target, context.number, text, err); });
    if (!tool.has_managed && tool.options.quiet == 0)
        fprintf(stderr,
                "hearth tracer: managed memory: accesses of the host to it, and what they "
                "move, are not in the traces\n");
    tool.has_managed = true;
}

void on_tensor_map(Context &context, const Event &event)
{
    const std::string text = context.maps.add(event);
    traced([&](error *err) {
        return tracer_note(tool.target, context.number, text.c_str(), err);
    });
}

void on_event(CUcontext ctx, const Event &event, bool is_exit, bool refused)
{
    Context &context = ready(ctx);
    switch (event.kind) {
    case Event::LAUNCH:
        on_launch(context, ctx, event, is_exit, refused);
        break;
    case Event::GRAPH_NODE:
        if (!is_exit && event.func != nullptr)
            prepare(context, ctx, event.func);
        break;
    case Event::GRAPH_LAUNCH:
        on_graph_launch(context, event, is_exit, refused);
        break;
    case Event::COPY:
        if (!is_exit)
            on_copy(context, event);
        break;
    case Event::COPY_ON:
    case Event::SET:
        if (!is_exit)
            on_note(context, event);
        break;
    case Event::MANAGED:
        if (!refused)
            on_managed(context, event);
        break;
    case Event::TENSOR_TILED:
    case Event::TENSOR_IM2COL:
        if (!refused)
            on_tensor_map(context, event);
        break;
    case Event::PROFILER_START:
    case Event::PROFILER_STOP:
        if (is_exit)
            traced([&](error *) {
                tracer_region(tool.target, event.kind == Event::PROFILER_START);
                return 0;
            });
        break;
    case Event::UNLOAD:
        if (!is_exit)
            for (CUfunction func : context.functions->forget(event.module))
                context.cubins->forget(func);
        break;
    case Event::OTHER:
        break;
    }
}

// No other thread's launch comes in between: each has a number of its own, is
// alone on the GPU, and ends what it began.
void hold(const Event &event, bool is_exit)
{
    if (event.kind != Event::LAUNCH)
        return;
    if (!is_exit) {
        pthread_mutex_lock(&tool.calling);
        tool.held++;
    } else if (tool.held > 0) {
        tool.held--;
        pthread_mutex_unlock(&tool.calling);
    }
}

} // namespace

// ---- processes -------------------------------------------------------------

namespace
{

// No launch is open, and nothing half written, when the process forks.
void before_fork()
{
    pthread_mutex_lock(&tool.calling);
    pthread_mutex_lock(&tool.tracing);
    if (tool.target != nullptr)
        tracer_before_fork(tool.target);
}

void after_fork()
{
    pthread_mutex_unlock(&tool.tracing);
    pthread_mutex_unlock(&tool.calling);
}

// The child has no CUDA of the parent's: it must not complete the parent's files.
void in_child()
{
    if (tool.target != nullptr)
        tracer_in_child(tool.target);
    tool.target = nullptr;
    tool.tracing =
        PTHREAD_MUTEX_INITIALIZER; // a recursive one knows its thread: another one now
    tool.calling = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

} // namespace

// ---- callbacks -------------------------------------------------------------

void nvbit_at_init()
{
    error err = {};
    setenv("CUDA_MANAGED_FORCE_DEVICE_ALLOC", "1", 1);
    int rc = tracer_options_read(&tool.options, get_variable, &err);
    if (rc == 0)
        tool.target = tracer_create(&tool.options, NVBIT_VERSION, &err);
    if (tool.target == nullptr) {
        report(-1, err);
        _exit(err.kind);
    }
    pthread_atfork(before_fork, after_fork, in_child);
    if (tool.options.quiet == 0)
        fprintf(stderr, "hearth tracer: loaded by NVBit %s into process %d\n", NVBIT_VERSION,
                static_cast<int>(getpid()));
    if (tool.options.verbose > 0)
        tracer_options_print(&tool.options, stderr);
}

void nvbit_at_term()
{
    if (tool.target != nullptr)
        finish();
}

// Up to 1.5.x there is no nvbit_tool_init(): the first event makes ready.
void nvbit_at_ctx_init(CUcontext ctx)
{
    Lock lock(tool.calling);
    tool.contexts[ctx].reset(new Context());
}

extern "C" void nvbit_tool_init(CUcontext ctx)
{
    Lock lock(tool.calling);
    tool.busy = true;
    ready(ctx);
    tool.busy = false;
}

void nvbit_at_ctx_term(CUcontext ctx)
{
    Lock lock(tool.calling);
    auto found = tool.contexts.find(ctx);
    if (found == tool.contexts.end())
        return;
    tool.busy = true;
    found->second->channel.stop();
    tool.contexts.erase(found);
    tool.busy = false;
}

void nvbit_at_cuda_event(CUcontext ctx, int is_exit, nvbit_api_cuda_t cbid, const char *,
                         void *params, CUresult *status)
{
    Lock lock(tool.calling);
    if (tool.busy)
        return;
    const Event event = event_of(cbid, params, is_exit != 0);
    hold(event, is_exit != 0);
    if (event.kind == Event::OTHER || tool.target == nullptr || ctx == nullptr)
        return;
    const bool refused = is_exit != 0 && status != nullptr && *status != CUDA_SUCCESS;
    tool.busy = true;
    on_event(ctx, event, is_exit != 0, refused);
    tool.busy = false;
}

#if TRACER_GRAPHS
// A kernel of a graph is about to be launched; it ends with its graph.
void nvbit_at_graph_node_launch(CUcontext ctx, CUfunction func, CUstream stream,
                                uint64_t launch_handle)
{
    Lock lock(tool.calling);
    func_config_t config = {};
    Event event = {};
    if (tool.busy || tool.target == nullptr)
        return;
    tool.busy = true;
    nvbit_get_func_config(ctx, func, &config);
    event.func = func;
    event.grid[0] = config.gridDimX;
    event.grid[1] = config.gridDimY;
    event.grid[2] = config.gridDimZ;
    event.block[0] = config.blockDimX;
    event.block[1] = config.blockDimY;
    event.block[2] = config.blockDimZ;
    event.shared = config.shmem_dynamic_nbytes;
    event.stream = stream;
    event.carveout = -1;
    Context &context = ready(ctx);
    if (instrument(context, ctx, func) == 0)
        begin(context, ctx, event, launch_handle);
    tool.busy = false;
}
#endif
