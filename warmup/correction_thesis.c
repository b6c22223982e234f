/* The formula exactly as the thesis gives it: unique lines are divided by the bytes of a line.
 * DRAM - L2 is the difference of two options, which is negative for most cards. */
#include "warmup/correction.h"

void correction_make_thesis(const struct correction_input *input, struct correction *correction)
{
    *correction = (struct correction){
        .accesses = (double)input->reuse.lines,
        .controllers = correction_controllers(input),
        .forward = input->reuse.forward,
        .penalty = (double)input->dram_latency - (double)input->l2_latency,
    };
    correction->delta = correction->accesses / (correction->controllers * input->line) *
                        correction->forward * correction->penalty;
    correction->cycles = (double)input->cycles - correction->delta;
}
