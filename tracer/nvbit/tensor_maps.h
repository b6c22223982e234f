// Descriptions of tensors, which the host makes and TMA instructions take.
#ifndef HEARTH_TRACER_TENSOR_MAPS_H
#define HEARTH_TRACER_TENSOR_MAPS_H

#include <map>
#include <string>

#include "tracer/nvbit/events.h"

// Those of a context.
class TensorMaps
{
  public:
    // The line of the list for the map that the call of EVENT has made. Maps are numbered by
    // their lines, from 1.
    std::string add(const Event &event);
    bool empty() const
    {
        return count == 0;
    }
    // Appends "place:number" to TEXT for each map in the SIZE bytes at DATA, which are OFFSET
    // bytes behind the start of all.
    void find(const void *data, size_t size, size_t offset, std::string &text) const;

  private:
    std::map<std::string, uint32_t> numbers; // by the bytes; of the last one with them
    uint32_t count = 0;
};

#endif
