// Descriptions of tensors, which the host makes and TMA instructions take.
#ifndef HEARTH_TRACER_TENSOR_MAPS_H
#define HEARTH_TRACER_TENSOR_MAPS_H

#include <string>

#include "tracer/nvbit/events.h"

// The line of the list for the map that the call of EVENT has made.
std::string describe_tensor_map(const Event &event);

#endif
