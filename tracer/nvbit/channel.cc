#include "tracer/nvbit/channel.h"

#include <sched.h>

#include "tracer/records.h"

namespace
{

constexpr int CHANNEL_BYTES = 1 << 22;

} // namespace

// Sends a mark behind all that was sent, and everything that waits.
__global__ void hearth_flush(ChannelDev *channel)
{
    tracer_record mark = {};
    mark.size = sizeof mark;
    mark.kind = TRACER_RECORD_MARK;
    mark.block = TRACER_MARK;
    channel->push(&mark, sizeof mark);
    channel->flush();
}

void Channel::start(int id, Take taker)
{
    take = taker;
    buffer.resize(CHANNEL_BYTES);
    CUDA_SAFECALL(cudaMallocManaged(reinterpret_cast<void **>(&device), sizeof *device));
    host.init(id, CHANNEL_BYTES, device, nullptr);
    started = pthread_create(&thread, nullptr, run, this) == 0;
    if (started)
        nvbit_set_tool_pthread(thread);
}

void *Channel::run(void *channel)
{
    static_cast<Channel *>(channel)->receive();
    return nullptr;
}

// The bytes that come are whole records: a warp's go into the buffer together.
void Channel::receive()
{
    while (!stopping) {
        uint32_t size = host.recv(buffer.data(), CHANNEL_BYTES);
        if (size == 0) {
            sched_yield();
            continue;
        }
        take(buffer.data(), size);
        // A mark is the last of what a flush sends.
        if (size >= sizeof(tracer_record)) {
            tracer_record last;
            memcpy(&last, buffer.data() + size - sizeof last, sizeof last);
            if (last.kind == TRACER_RECORD_MARK && last.block == TRACER_MARK)
                marks++;
        }
    }
}

void Channel::drain(CUstream stream)
{
    if (!started)
        return;
    void *arguments[] = {&device};
    drains++;
    CUDA_SAFECALL(cudaLaunchKernel(reinterpret_cast<const void *>(hearth_flush), dim3(1),
                                   dim3(1), arguments, 0, stream));
    while (marks < drains)
        sched_yield();
    CUDA_SAFECALL(cudaStreamSynchronize(stream));
}

void Channel::stop()
{
    if (!started)
        return;
    stopping = true;
    pthread_join(thread, nullptr);
    nvbit_unset_tool_pthread(thread);
    started = false;
}
