// A warp in lockstep, of one thread: lanes are coroutines that meet in
// __ballot_sync() and its kin.
#ifndef HEARTH_TRACER_STUB_WARP_H
#define HEARTH_TRACER_STUB_WARP_H

#include <cstdint>
#include <functional>

// Runs BODY for each lane of MASK, whose __activemask() it is. FIRST_THREAD is
// lane 0's number in the block.
void warp_run(uint32_t mask, unsigned first_thread, const std::function<void(int lane)> &body);

#endif
