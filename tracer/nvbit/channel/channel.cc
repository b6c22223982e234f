#include "tracer/nvbit/channel/channel.h"

#include <sched.h>

#include <cstring>

#include "tracer/records.h"

namespace
{

constexpr int CHANNEL_BYTES = 1 << 22;

} // namespace

// Sends a mark after all records, and everything that waits.
__global__ void hearth_flush(Ring *ring)
{
    uint64_t *at = ring_claim(ring, TRACER_RECORD_BYTES);
    at[0] = TRACER_RECORD_BYTES | static_cast<uint64_t>(TRACER_RECORD_MARK) << 16;
    at[1] = TRACER_MARK;
    at[2] = 0;
    at[3] = 0;
    ring_commit(ring, TRACER_RECORD_BYTES);
    ring_flush(ring);
}

// Memory of the host that the GPU writes to, at *ON_GPU there.
void *Channel::allocate(size_t size, void **on_gpu)
{
    void *memory = nullptr;
    CUDA_SAFECALL(cudaHostAlloc(&memory, size, cudaHostAllocMapped));
    CUDA_SAFECALL(cudaHostGetDevicePointer(on_gpu, memory, 0));
    return memory;
}

void Channel::start(Take taker)
{
    void *sent_there = nullptr, *bell_there = nullptr;
    take = taker;
    buffer.resize(CHANNEL_BYTES);
    sent = allocate(CHANNEL_BYTES, &sent_there);
    bell = static_cast<volatile uint32_t *>(allocate(sizeof *bell, &bell_there));
    *bell = 0;
    CUDA_SAFECALL(cudaMallocManaged(reinterpret_cast<void **>(&device), sizeof *device));
    device->head = device->tail = 0;
    device->bell = static_cast<volatile uint32_t *>(bell_there);
    device->buffer = static_cast<uint64_t *>(sent_there);
    device->size = CHANNEL_BYTES;
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
        const uint32_t size = __atomic_load_n(bell, __ATOMIC_ACQUIRE);
        if (size == 0) {
            sched_yield();
            continue;
        }
        memcpy(buffer.data(), sent, size);
        __atomic_store_n(bell, 0, __ATOMIC_RELEASE); // the GPU goes on
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
