// The machine code of the application's kernels, as the driver loaded it.
#ifndef HEARTH_TRACER_CUBINS_H
#define HEARTH_TRACER_CUBINS_H

#include <unordered_map>

#include "tracer/nvbit/compat.h"
#include "tracer/tracer.h"

class Cubins
{
  public:
    Cubins(tracer *destination, const tracer_options &tool_options)
        : target(destination), options(tool_options)
    {
    }

    // The tracer's number of the code of FUNC, which is read at the first call; 0: there is
    // none, which is said once.
    uint32_t code_of(CUcontext ctx, CUfunction func, uint32_t binary_version);

    void forget(CUfunction func)
    {
        numbers.erase(func);
    }

  private:
    uint32_t read(CUcontext ctx, CUfunction func, uint32_t binary_version, error *err);

    tracer *target;
    const tracer_options &options;
    std::unordered_map<CUfunction, uint32_t> numbers;
    bool has_complained = false;
};

#endif
