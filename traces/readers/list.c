/* Lists of launches and copies, and plans: any text that is no trace.
 * traces/workload/workload.c reads them. */
#include <string.h>

#include "traces/readers/reader.h"

static bool probe(const struct source *source)
{
    for (const char *at = source->at; at < source->end; at++)
        if ((uint8_t)*at < 0x20 && memchr("\t\n\r", *at, 3) == NULL)
            return false;
    return reader_first(source) != '\0';
}

const struct trace_reader trace_reader_list = {
    .policy = {"list", NULL, "a list of launches or other text"},
    .probe = probe,
};
