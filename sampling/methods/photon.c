/* photon: the kernel level of "Photon: A Fine-grained Sampled Simulation Methodology for GPU
 * Workloads" (Liu et al., 2023), section 4.3. As in section 2, a basic block is known by its PC
 * and its length; PCs of a profile are relative to the kernel, which is therefore part of its
 * identity. Projection, normalisation and distance, which the paper does not give, are those of
 * its published simulator. */
#include "sampling/methods/methods.h"
#include "sampling/methods/photon_match.h"

int sampling_photon(const struct sampling_input *input, struct sampling *selection,
                    struct error *err)
{
    const struct photon_rules rules = {.add = bbv_add_block,
                                       .cores = (double)input->options->cores};
    return photon_select(input, &rules, selection, err);
}
