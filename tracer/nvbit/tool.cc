// The callbacks of NVBit: the application's launches and copies become calls of
// the tracer.
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "nvbit_tool.h"

#include "tracer/nvbit/channel.h"
#include "tracer/nvbit/device.h"
#include "tracer/nvbit/events.h"
#include "tracer/nvbit/functions.h"

namespace
{

class Lock
{
  public:
    explicit Lock(pthread_mutex_t &locked) : mutex(locked)
    {
        pthread_mutex_lock(&mutex);
    }
    ~Lock()
    {
        pthread_mutex_unlock(&mutex);
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

  private:
    pthread_mutex_t &mutex;
};

struct Context {
    uint32_t number; // the tracer's
    Channel channel;
    DeviceState *state = nullptr;
    std::unique_ptr<Functions> functions;
    std::vector<uint32_t> open; // launches that have begun, the tracer's numbers
};

struct Tool {
    tracer_options options;
    tracer *target = nullptr;
    // Calls of the tracer; callbacks, which may come from several threads.
    pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_t calling = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    std::map<CUcontext, std::unique_ptr<Context>> contexts;
    bool busy = false;    // calls of the driver that are the tool's own
    std::string reported; // last
    int held = 0;         // launches that `calling` is held for, from entry to exit
};

// NVBit's callbacks have no argument for it. Never destroyed: threads of channels
// run, and contexts end, while the process exits.
Tool &tool = *new Tool;

const char *get_variable(const char *name)
{
    return getenv(name);
}

// Prints what went wrong; the same once, however often it comes in a row. Returns RC.
int report(int rc, const error &err)
{
    if (rc == 0 || err.kind == ERROR_NONE || tool.reported == err.text)
        return rc;
    tool.reported = err.text;
    fprintf(stderr, "hearth tracer: %s\n", err.text);
    return rc;
}

// Calls a function of the tracer that takes an error last.
template <typename Call> int traced(Call call)
{
    Lock lock(tool.tracing);
    error err = {};
    return report(call(&err), err);
}

void finish()
{
    traced([](error *err) { return tracer_finish(tool.target, err); });
    Lock lock(tool.tracing);
    tracer_destroy(tool.target);
    tool.target = nullptr;
}

// ---- contexts --------------------------------------------------------------

// Whether nobody takes what launches of CONTEXT would send.
bool is_deaf(const Context &context)
{
    return tool.options.mode != TRACER_PROFILE && !context.channel.is_started();
}

// The state of CTX, ready for launches.
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
    context.functions.reset(new Functions(tool.target, tool.options));
    return context;
}

// ---- launches --------------------------------------------------------------

// From CUDA 12 on what is launched may be a CUkernel in a CUfunction's place.
int attribute(CUfunction func, CUfunction_attribute which, int otherwise = 0)
{
    int value = otherwise;
    CUresult rc = cuFuncGetAttribute(&value, which, func);
#if HAS_KERNELS
    CUdevice device;
    if (rc == CUDA_ERROR_INVALID_HANDLE && cuCtxGetDevice(&device) == CUDA_SUCCESS)
        rc = cuKernelGetAttribute(&value, which, reinterpret_cast<CUkernel>(func), device);
#endif
    return rc == CUDA_SUCCESS ? value : otherwise;
}

int instrument(Context &context, CUcontext ctx, CUfunction func)
{
    const int version = attribute(func, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    return traced([&](error *err) {
        return context.functions->instrument(ctx, func, static_cast<uint32_t>(version),
                                             context.channel.address(),
                                             reinterpret_cast<uint64_t>(context.state), err);
    });
}

void say(const char *what, const tracer_launch &launch)
{
    if (tool.options.verbose > 0)
        fprintf(stderr, "hearth tracer: %s %s (%u,%u,%u) (%u,%u,%u)\n", what, launch.name,
                launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                launch.block[1], launch.block[2]);
}

// What the launch asks for, or else its function.
void add_facts(tracer_launch &launch, const Event &event)
{
    launch.dynamic_shmem = event.shared;
    launch.cooperative = event.cooperative;
    launch.carveout =
        event.carveout >= 0
            ? event.carveout
            : attribute(event.func, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1);
    for (int i = 0; i < 3; i++)
        launch.cluster[i] = event.cluster[i];
#if HAS_LAUNCH_EX
    if (launch.cluster[0] != 0)
        return;
    launch.cluster[0] =
        static_cast<uint32_t>(attribute(event.func, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH));
    launch.cluster[1] =
        static_cast<uint32_t>(attribute(event.func, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT));
    launch.cluster[2] =
        static_cast<uint32_t>(attribute(event.func, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH));
#endif
}

// Counts a launch, and sees to it that the GPU sends what is wanted of it. HANDLE
// is of a graph's node, else 0.
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
    add_facts(launch, event);
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
    SET_AT_LAUNCH(ctx, event.func, launch_value(number, wanted), event.stream, handle);
    if (handle == 0) // the code of a graph's kernels is chosen when it is made
        nvbit_enable_instrumented(ctx, event.func, wanted != TRACER_WANT_NOTHING);
}

// A kernel that a graph will launch. What of it is wanted is told at each launch.
void prepare(Context &context, CUcontext ctx, CUfunction func)
{
    if (instrument(context, ctx, func) == 0)
        nvbit_enable_instrumented(ctx, func, true);
}

// All launches that are open have ended: the GPU is idle. If the driver REFUSED,
// they did not run; of a deaf context they are dropped likewise.
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
    case Event::PROFILER_START:
    case Event::PROFILER_STOP:
        if (is_exit)
            traced([&](error *) {
                tracer_region(tool.target, event.kind == Event::PROFILER_START);
                return 0;
            });
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
    const Event event = event_of(cbid, params);
    hold(event, is_exit != 0);
    if (event.kind == Event::OTHER || tool.target == nullptr)
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
