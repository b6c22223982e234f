// Descriptions of tensors, which the host makes and TMA instructions take: by calls of the
// driver, or, as cuBLAS does, by itself.
#ifndef HEARTH_TRACER_TENSOR_MAPS_H
#define HEARTH_TRACER_TENSOR_MAPS_H

#include <map>
#include <string>

#include "tracer/nvbit/facts.h"

// Those of a context.
class TensorMaps
{
  public:
    // The line of the list for the map that the call of EVENT has made. Maps are numbered by
    // their lines, from 1.
    std::string add(const Event &event);
    // Appends "offset:number" to TEXT for each map in PARAMETER, and to LINES the lines of
    // those that no call has made: they get the next numbers.
    void find(const Parameter &parameter, std::vector<std::string> &lines, std::string &text);

  private:
    uint32_t number_of(const std::string &bytes) const;
    uint32_t decode(const Parameter &parameter, size_t at, std::vector<std::string> &lines);

    std::map<std::string, uint32_t> numbers; // by the bytes; of the last one with them
    uint32_t count = 0;
};

#endif
