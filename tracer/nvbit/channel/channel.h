// The way of records from the GPU to the tracer: one for each context.
#ifndef HEARTH_TRACER_CHANNEL_H
#define HEARTH_TRACER_CHANNEL_H

#include <pthread.h>

#include <atomic>
#include <functional>
#include <vector>

#include "tracer/nvbit/channel/ring.h"
#include "tracer/nvbit/compat.h"

class Channel
{
  public:
    // Takes whole records, on the channel's own thread.
    using Take = std::function<void(const void *data, size_t size)>;

    // Allocates on the GPU: the context must be ready. Without a thread, is_started() is
    // false, and nothing may be sent.
    void start(Take take);
    // Waits until everything that was sent up to now has been taken. The GPU must
    // be idle. STREAM is where the kernel that sees to it runs. Nothing if it is not
    // started: nobody would take it.
    void drain(CUstream stream);
    void stop();
    bool is_started() const
    {
        return started;
    }
    // What is given to the functions on the GPU.
    uint64_t address() const
    {
        return reinterpret_cast<uint64_t>(device);
    }

  private:
    static void *run(void *channel);
    static void *allocate(size_t size, void **on_gpu);
    void receive();

    Ring *device = nullptr;
    void *sent = nullptr;              // the ring's buffer
    volatile uint32_t *bell = nullptr; // the ring's
    pthread_t thread;
    Take take;
    std::vector<char> buffer;
    std::atomic<bool> stopping{false};
    std::atomic<uint64_t> marks{0}; // that came
    uint64_t drains = 0;
    bool started = false;
};

#endif
