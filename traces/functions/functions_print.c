/* Functions as text: printing. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "traces/functions/functions.h"

__attribute__((format(printf, 2, 3))) static void put(struct bytes *out, const char *format,
                                                      ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bytes_put(out, text, (size_t)n);
}

static void put_text(struct bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void put_size(struct bytes *out, const char *key, const uint32_t size[3])
{
    if (size[0] > 0)
        put(out, "%s %u %u %u\n", key, size[0], size[1], size[2]);
}

void functions_print_head(struct bytes *out)
{
    put_text(out, FUNCTIONS_HEAD "\n");
}

void functions_print(const struct trace_function *function, struct bytes *out)
{
    put_text(out, "function ");
    put_text(out, function->name);
    put_text(out, "\n");
    if (function->address != 0)
        put(out, "address 0x%" PRIx64 "\n", function->address);
    if (function->registers != TRACE_FUNCTION_UNKNOWN)
        put(out, "registers %u\n", function->registers);
    if (function->barriers != TRACE_FUNCTION_UNKNOWN)
        put(out, "barriers %u\n", function->barriers);
    put_size(out, "max_threads", function->max_threads);
    put_size(out, "cluster", function->cluster);
    if (function->constants > 0)
        put(out, "constants %u\n", function->constants);
    put(out, "code %u\n", function->count);
    for (uint32_t i = 0; i < function->count; i++)
        put(out, "%016" PRIx64 "%016" PRIx64 "\n", function->code[i].high,
            function->code[i].low);
}

void functions_print_use(const char *launch, uint32_t function, struct bytes *out)
{
    put(out, "launch %u ", function + 1);
    bytes_put(out, launch, strcspn(launch, "\n"));
    put_text(out, "\n");
}
