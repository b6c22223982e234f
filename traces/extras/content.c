#include <string.h>

#include "traces/extras.h"

unsigned trace_content_of(const char *opcode, bool numbers, bool addresses)
{
    static const struct {
        const char *name;
        unsigned content;
    } names[] = {
        {"BAR", TRACE_CONTENT_BARRIERS},          {"LDGSTS", TRACE_CONTENT_SHARED},
        {"SYNCS", TRACE_CONTENT_MBARRIERS},       {"UTMALDG", TRACE_CONTENT_TENSOR_COPIES},
        {"UTMASTG", TRACE_CONTENT_TENSOR_COPIES}, {"UTMAREDG", TRACE_CONTENT_TENSOR_COPIES},
        {"UTMAPF", TRACE_CONTENT_TENSOR_COPIES},  {"UBLKCP", TRACE_CONTENT_BLOCK_COPIES},
        {"UBLKRED", TRACE_CONTENT_BLOCK_COPIES},  {"UBLKPF", TRACE_CONTENT_BLOCK_COPIES},
        {"LDC", TRACE_CONTENT_CONSTANTS},         {"ULDC", TRACE_CONTENT_CONSTANTS}};
    size_t n = strcspn(opcode, ". ");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && memcmp(opcode, names[i].name, n) == 0)
            return (names[i].content == TRACE_CONTENT_CONSTANTS ? addresses : numbers)
                       ? names[i].content
                       : 0;
    return 0;
}
