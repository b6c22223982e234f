/* Packed workloads, which hold launches and their list: traces/packed/ reads them. */
#include <string.h>

#include "traces/packed/frame.h"
#include "traces/readers/reader.h"

static bool probe(const struct source *source)
{
    return source->end - source->at >= FRAME_MAGIC_SIZE &&
           memcmp(source->at, FRAME_MAGIC, FRAME_MAGIC_SIZE) == 0;
}

const struct trace_reader trace_reader_packed = {
    .policy = {"packed", NULL, "a packed workload"},
    .probe = probe,
    .seeks = true,
};
