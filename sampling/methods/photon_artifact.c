/* photon-artifact: photon by the rules of its published simulator, which does not compare
 * kernels and knows a basic block by its PC relative to the start of the kernel. Launches of
 * different kernels can therefore be joined. */
#include "sampling/methods/methods.h"
#include "sampling/methods/photon_match.h"

#define CORES 64 /* of the GPU that it simulates, the R9 Nano */

int sampling_photon_artifact(const struct sampling_input *input, struct sampling *selection,
                             struct error *err)
{
    static const struct photon_rules rules = {.add = bbv_add_pc, .cores = CORES};
    return photon_select(input, &rules, selection, err);
}
