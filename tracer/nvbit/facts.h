// What is asked for at a launch beyond its dimensions.
#ifndef HEARTH_TRACER_FACTS_H
#define HEARTH_TRACER_FACTS_H

#include <string>

#include "tracer/nvbit/events.h"
#include "tracer/nvbit/tensor_maps.h"
#include "tracer/tracer.h"

// An attribute of FUNC, which from CUDA 12 on may be a CUkernel in a CUfunction's place.
int attribute(CUfunction func, CUfunction_attribute which, int otherwise = 0);

// Fills what LAUNCH has of facts: what the launch of EVENT asks for, or else its function. MORE
// holds the text. MAPS are those that the context has.
void add_facts(tracer_launch &launch, std::string &more, const Event &event,
               const TensorMaps &maps);

#endif
