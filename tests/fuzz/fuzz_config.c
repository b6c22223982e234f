/* Any bytes as an option file: refused with a message, or accepted; what is
 * accepted prints, and what is printed is accepted and prints the same. */
#define _GNU_SOURCE /* memmem */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct sim_config *parse(const char *text, size_t size, struct error *err)
{
    *err = (struct error){ERROR_NONE, ""};
    return sim_config_parse("fuzz", text, size, NULL, NULL, err);
}

static char *print(const struct sim_config *config, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        abort();
    sim_config_print(config, out);
    fclose(out);
    return text;
}

static void feed_back(const char *text, size_t size)
{
    struct error err;
    size_t again_size;
    struct sim_config *again = parse(text, size, &err);
    if (again == NULL)
        abort();
    char *again_text = print(again, &again_size);
    if (size != again_size || memcmp(text, again_text, size) != 0)
        abort();
    free(again_text);
    sim_config_destroy(again);
}

/* Files that the bytes happen to name are none of the parser's business. */
static bool names_a_file(const uint8_t *data, size_t size)
{
    static const char nested[] = "-config";
    return memmem(data, size, nested, sizeof nested - 1) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err;
    size_t printed;
    if (names_a_file(data, size))
        return 0;
    struct sim_config *config = parse((const char *)data, size, &err);
    if (config == NULL) {
        if (err.kind != ERROR_USAGE || err.text[0] == '\0')
            abort();
        return 0;
    }
    char *text = print(config, &printed);
    feed_back(text, printed);
    free(text);
    sim_config_destroy(config);
    return 0;
}
