#include "tools/trace.h"
int trace_verify(int argc, char **argv, struct error *err)
{
    return 0;
}
