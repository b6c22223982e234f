/* The formula as the thesis's scripts compute it (util/cold_start: mem_access, mem_controller,
 * reuse, merge.py). Each copy from the host counts as an access, controllers are summed in
 * single precision, and reuse is counted in the addresses that the script reads. */
#include "warmup/correction.h"

void correction_make_artifact(const struct correction_input *input,
                              struct correction *correction)
{
    *correction = (struct correction){
        .accesses = (double)(input->reuse.lines + input->reuse.copies),
        .controllers = (float)correction_controllers(input),
        .forward = input->reuse.forward_artifact,
        .penalty = (double)input->dram_latency - (double)input->l2_latency,
    };
    correction->delta = correction->accesses / (correction->controllers * input->line) *
                        correction->forward * correction->penalty;
    correction->cycles = (double)input->cycles - correction->delta;
}
