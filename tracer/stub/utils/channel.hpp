// NVBit's channel between threads: a buffer that is handed over when it is full
// or flushed.
#ifndef HEARTH_TRACER_STUB_CHANNEL_HPP
#define HEARTH_TRACER_STUB_CHANNEL_HPP

#include <sched.h>

#include <new>

#include "nvbit.h"

class ChannelDev
{
  public:
    void push(void *packet, uint32_t size)
    {
        if (used + size > buffer.size())
            flush();
        memcpy(buffer.data() + used, packet, size);
        used += size;
    }

    void flush()
    {
        if (used == 0)
            return;
        __atomic_store_n(&bell, used, __ATOMIC_RELEASE);
        while (__atomic_load_n(&bell, __ATOMIC_ACQUIRE) != 0)
            sched_yield();
        used = 0;
    }

  private:
    friend class ChannelHost;
    std::vector<char> buffer;
    uint32_t used, bell;
};

class ChannelHost
{
  public:
    ChannelHost() = default;
    ChannelHost(const ChannelHost &) = delete;
    ChannelHost &operator=(const ChannelHost &) = delete;
    ~ChannelHost()
    {
        if (device != nullptr)
            device->~ChannelDev();
    }

    void init(int, int size, ChannelDev *channel, void *(*)(void *), void * = nullptr)
    {
        device = new (channel) ChannelDev();
        device->buffer.resize(static_cast<size_t>(size));
        device->used = device->bell = 0;
    }

    uint32_t recv(void *data, uint32_t most)
    {
        uint32_t size = __atomic_load_n(&device->bell, __ATOMIC_ACQUIRE);
        if (size == 0 || size > most)
            return 0;
        memcpy(data, device->buffer.data(), size);
        __atomic_store_n(&device->bell, 0, __ATOMIC_RELEASE);
        return size;
    }

  private:
    ChannelDev *device = nullptr;
};

#endif
