// What is asked for at a launch beyond its dimensions.
#ifndef HEARTH_TRACER_FACTS_H
#define HEARTH_TRACER_FACTS_H

#include <string>
#include <vector>

#include "tracer/nvbit/events.h"
#include "tracer/tracer.h"

// An attribute of FUNC, which from CUDA 12 on may be a CUkernel in a CUfunction's place.
int attribute(CUfunction func, CUfunction_attribute which, int otherwise = 0);

// Parameters of a kernel.
struct Parameter {
    const void *data;
    size_t size, offset; // bytes; from the start of all
};

// Those of the launch of EVENT, as far as they are known: each, or all in one piece.
std::vector<Parameter> parameters_of(const Event &event);

// Fills what LAUNCH has of facts: what the launch of EVENT asks for, or else its function. MORE
// holds the text. MAPS are the tensor maps in its parameters, as in the list.
void add_facts(tracer_launch &launch, std::string &more, const Event &event,
               const std::string &maps);

#endif
