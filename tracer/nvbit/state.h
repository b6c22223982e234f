// What the tool knows of the process: its contexts, and the tracer.
#ifndef HEARTH_TRACER_STATE_H
#define HEARTH_TRACER_STATE_H

#include <map>
#include <memory>
#include <set>
#include <string>

#include "tracer/nvbit/channel/channel.h"
#include "tracer/nvbit/cubins.h"
#include "tracer/nvbit/device.h"
#include "tracer/nvbit/functions.h"
#include "tracer/nvbit/graphs.h"
#include "tracer/nvbit/tensor_maps.h"

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
    std::unique_ptr<Cubins> cubins;
    TensorMaps maps;
    Graphs graphs;
    std::vector<uint32_t> open; // launches that have begun, the tracer's numbers
};

struct Tool {
    tracer_options options;
    tracer *target = nullptr;
    // Calls of the tracer; callbacks, which may come from several threads; launches of kernels
    // and graphs, from their entry to their exit. The last is locked first, then callbacks.
    pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_t calling = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_t launching = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    std::map<CUcontext, std::unique_ptr<Context>> contexts;
    unsigned captures = 0;         // of streams that have begun
    bool busy = false;             // calls of the driver that are the tool's own
    std::string reported;          // last
    std::set<std::string> missing; // what has been said that is not in the traces
    int held = 0;                  // launches that `calling` is held for, from entry to exit
};

// NVBit's callbacks have no argument for it. Never destroyed: threads of channels
// run, and contexts end, while the process exits.
extern Tool &tool;

// Prints what went wrong; the same once, however often it comes in a row. Returns RC.
int report(int rc, const error &err);

// Calls a function of the tracer that takes an error last.
template <typename Call> int traced(Call call)
{
    Lock lock(tool.tracing);
    error err = {};
    return report(call(&err), err);
}

// Completes the traces; nothing is traced any more.
void finish();
// Whether nobody takes what launches of CONTEXT would send.
bool is_deaf(const Context &context);
// The state of CTX, ready for launches.
Context &ready(CUcontext ctx);

#endif
