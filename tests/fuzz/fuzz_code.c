/* Any bytes are a listing, a cubin or a functions.code, or an error. The first byte says which:
 * 1 a cubin, 2 a functions.code; else a listing. */
#include <stdint.h>
#include <stdlib.h>

#include "traces/functions/candidates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read can be printed and read again, and is then the same. */
static void print_and_read(const struct functions *functions)
{
    struct bytes text = {0};
    struct source source;
    struct functions again = {0};
    struct error err = {0};
    functions_print_head(&text);
    for (uint32_t i = 0; i < functions->count; i++)
        functions_print(functions->items[i], &text);
    for (uint32_t i = 0; i < functions->use_count; i++)
        functions_print_use(functions->uses[i].launch, functions->uses[i].function, &text);
    if (text.failed || source_open_text(&source, "again", text.data, text.size, &err) != 0)
        abort();
    if (functions_read(&again, &source, true, &err) != 0 || again.count != functions->count)
        abort();
    source_finish(&source);
    functions_finish(&again);
    bytes_finish(&text);
}

static void read_text(const uint8_t *data, size_t size, bool listing)
{
    struct source source;
    struct candidates candidates = {0};
    struct functions functions = {0};
    struct error err = {0};
    if (source_open_text(&source, "input", data, size, &err) != 0)
        return;
    int rc = listing ? candidates_read_listing(&candidates, &source, &err)
                     : functions_read(&functions, &source, true, &err);
    if ((rc == 0) != (err.kind == ERROR_NONE))
        abort();
    if (rc == 0)
        print_and_read(listing ? &candidates.functions : &functions);
    source_finish(&source);
    candidates_finish(&candidates);
    functions_finish(&functions);
}

static void read_cubin(const uint8_t *data, size_t size)
{
    struct candidates candidates = {0};
    struct error err = {0};
    int rc = candidates_read_cubin(&candidates, data, size, "input", &err);
    if ((rc == 0) != (err.kind == ERROR_NONE))
        abort();
    candidates_finish(&candidates);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 1)
        read_cubin(data + 1, size - 1);
    else if (size > 0)
        read_text(data + 1, size - 1, data[0] != 2);
    return 0;
}
