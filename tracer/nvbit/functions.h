// Functions of the application: their instructions, and the calls that are inserted before
// them.
#ifndef HEARTH_TRACER_FUNCTIONS_H
#define HEARTH_TRACER_FUNCTIONS_H

#include <unordered_map>
#include <vector>

#include "tracer/nvbit/compat.h"
#include "tracer/tracer.h"

class Functions
{
  public:
    Functions(tracer *destination, const tracer_options &tool_options)
        : target(destination), options(tool_options)
    {
    }

    // Instruments FUNC and what it may call, once. CHANNEL and STATE are what the
    // functions on the GPU get. Returns 0, or -1 with ERR filled.
    int instrument(CUcontext ctx, CUfunction func, uint32_t binary_version, uint64_t channel,
                   uint64_t state, error *err);

    // The functions of MODULE, which is being unloaded: what comes with their handles is new.
    std::vector<CUfunction> forget(CUmodule module);

  private:
    struct Place; // where an instruction is, and what it calls with
    int instrument_one(Place &place, error *err);
    int trace(Place &place, error *err);
    void count(Place &place);
    void begin_run(Place &place, Instr *instr, uint32_t length);

    tracer *target;
    const tracer_options &options;
    std::unordered_map<CUfunction, CUmodule> known;
};

#endif
