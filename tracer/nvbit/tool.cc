// The callbacks of NVBit: the application's launches and copies become calls of
// the tracer.
#include <unistd.h>

#include <cstdlib>

#include "nvbit_tool.h"

#include "tracer/nvbit/copies.h"
#include "tracer/nvbit/launches.h"
#include "tracer/nvbit/listed.h"

namespace
{

// Calls of the driver that are the tool's own: no callback is for them, and a capture of the
// application does not forbid them.
class Busy
{
  public:
    Busy()
    {
        tool.busy = true;
        exchange();
    }
    ~Busy()
    {
        exchange();
        tool.busy = false;
    }
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

  private:
    void exchange()
    {
        if (is_relaxed)
            CUDA_SAFECALL(cudaThreadExchangeStreamCaptureMode(&mode));
    }

    const bool is_relaxed = tool.captures > 0;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
};

const char *get_variable(const char *name)
{
    return getenv(name);
}

// Also true where the driver will refuse what is launched, because another stream is captured.
bool is_capturing(CUstream stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess)
        return status != cudaStreamCaptureStatusNone;
    cudaGetLastError(); // it has been seen
    return true;
}

// Whether EVENT becomes a part of a graph.
bool is_captured(const Event &event)
{
    return tool.captures > 0 && event.stream != nullptr && is_capturing(event.stream);
}

// Waits for what runs in STREAM. Waiting for the device would end captures of other streams.
void wait_for(CUstream stream)
{
    CUDA_SAFECALL(tool.captures == 0 ? cudaDeviceSynchronize() : cudaStreamSynchronize(stream));
}

// A launch into a stream that is captured does not run: its graph will.
void on_launch(Context &context, CUcontext ctx, const Event &event, bool is_exit, bool refused)
{
    if (is_capturing(event.stream)) {
        if (!is_exit)
            prepare(context, ctx, event.func);
        return;
    }
    wait_for(event.stream);
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
    wait_for(event.stream);
    if (!is_exit) {
        context.graphs.begin(event.exec);
        return;
    }
    if (!refused)
        list_events(context, context.graphs.end());
    end(context, event.stream, refused);
}

void on_graph(Graphs &graphs, const Event &event)
{
    if (event.kind == Event::GRAPH_MADE)
        graphs.set(event.exec, event.graph);
    else
        graphs.change(
            event.exec, event.node,
            event.kind == Event::GRAPH_COPY
                ? copy_event_of(*static_cast<const CUDA_MEMCPY3D *>(event.params))
                : set_event_of(*static_cast<const CUDA_MEMSET_NODE_PARAMS *>(event.params)));
}

// A capture is over at its end, also if that fails.
void on_capture(const Event &event, bool refused)
{
    if (event.kind == Event::CAPTURE_BEGIN && !refused)
        tool.captures++;
    if (event.kind == Event::CAPTURE_END && tool.captures > 0)
        tool.captures--;
}

void on_region(const Event &event)
{
    traced([&](error *) {
        tracer_region(tool.target, event.kind == Event::PROFILER_START);
        return 0;
    });
}

void on_unload(Context &context, CUmodule module)
{
    for (CUfunction func : context.functions->forget(module))
        context.cubins->forget(func);
}

void on_event(CUcontext ctx, const Event &event, bool is_exit, bool refused, const char *name)
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
    case Event::CAPTURE_BEGIN:
    case Event::CAPTURE_END:
        on_capture(event, refused);
        break;
    case Event::COPY:
    case Event::COPY_ON:
    case Event::ROWS:
    case Event::BATCH:
    case Event::SET:
    case Event::MANAGED:
    case Event::TENSOR_TILED:
    case Event::TENSOR_IM2COL:
        if (!refused && !is_captured(event))
            list_event(context, event);
        break;
    case Event::GRAPH_MADE:
    case Event::GRAPH_COPY:
    case Event::GRAPH_SET:
        if (!refused)
            on_graph(context.graphs, event);
        break;
    case Event::UNKNOWN_COPY:
    case Event::UNKNOWN_LAUNCH:
        say_what_is_missing(event, name);
        break;
    case Event::PROFILER_START:
    case Event::PROFILER_STOP:
        if (is_exit)
            on_region(event);
        break;
    case Event::UNLOAD:
        if (!is_exit)
            on_unload(context, event.module);
        break;
    case Event::OTHER:
        break;
    }
}

bool is_launch(const Event &event)
{
    return event.kind == Event::LAUNCH || event.kind == Event::GRAPH_LAUNCH;
}

// No other thread's launch comes in between: each has numbers of its own, is alone on the GPU,
// and ends what it began. Callbacks of a graph's kernels come in between.
class Turn
{
  public:
    Turn(const Event &event, bool is_exit) : ends(is_launch(event) && is_exit)
    {
        if (!is_launch(event) || is_exit)
            return;
        pthread_mutex_lock(&tool.launching);
        depth++;
    }
    ~Turn()
    {
        if (!ends || depth == 0)
            return;
        depth--;
        pthread_mutex_unlock(&tool.launching);
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    const bool ends;
    static thread_local unsigned depth; // of launches that this thread has begun
};

thread_local unsigned Turn::depth = 0;

// No callback of another thread changes what a kernel is instrumented with before it is
// launched.
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
    pthread_mutex_lock(&tool.launching);
    pthread_mutex_lock(&tool.calling);
    pthread_mutex_lock(&tool.tracing);
    if (tool.target != nullptr)
        tracer_before_fork(tool.target);
}

void after_fork()
{
    pthread_mutex_unlock(&tool.tracing);
    pthread_mutex_unlock(&tool.calling);
    pthread_mutex_unlock(&tool.launching);
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
    tool.launching = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
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
        if (err.kind == ERROR_USAGE)
            _exit(err.kind);
        return; // the application goes on, untraced
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
    if (tool.target == nullptr)
        return;
    Busy busy;
    ready(ctx);
}

void nvbit_at_ctx_term(CUcontext ctx)
{
    Lock lock(tool.calling);
    auto found = tool.contexts.find(ctx);
    if (found == tool.contexts.end())
        return;
    Busy busy;
    found->second->channel.stop();
    tool.contexts.erase(found);
}

void nvbit_at_cuda_event(CUcontext ctx, int is_exit, nvbit_api_cuda_t cbid, const char *name,
                         void *params, CUresult *status)
{
    const Event event = event_of(cbid, params, is_exit != 0);
    Turn turn(event, is_exit != 0);
    Lock lock(tool.calling);
    if (tool.busy)
        return;
    hold(event, is_exit != 0);
    if (event.kind == Event::OTHER || tool.target == nullptr || ctx == nullptr)
        return;
    const bool refused = is_exit != 0 && status != nullptr && *status != CUDA_SUCCESS;
    Busy busy;
    on_event(ctx, event, is_exit != 0, refused, name);
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
    Busy busy;
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
    list_events(context, context.graphs.next_kernel(event.programmatic));
    if (instrument(context, ctx, func) == 0)
        begin(context, ctx, event, launch_handle);
}
#endif
