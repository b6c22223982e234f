/* Functions as text: reading. */
#define _GNU_SOURCE /* rawmemchr */
#include <stdlib.h>
#include <string.h>

#include "traces/functions/functions.h"
#include "traces/text/scan.h"

struct functions_reading {
    struct functions *functions;
    struct source *source;
    struct trace_function *function; /* whose code has not come yet, or NULL */
};

static int no_memory(const struct functions_reading *reading, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, reading->source->name);
}

/* Whether nothing follows AT in its line. */
static int expect_end(const struct functions_reading *reading, const char *at,
                      const char *expected, struct error *err)
{
    if (at != NULL && *scan_blanks(at) == '\n')
        return 0;
    return source_error(reading->source, err, at, "%s is expected", expected);
}

static int read_number(struct functions_reading *reading, const char *at, uint64_t most,
                       uint32_t *value, struct error *err)
{
    uint64_t number = 0;
    if (expect_end(reading, scan_decimal(at, most, &number), "a number in its range", err) != 0)
        return -1;
    *value = (uint32_t)number;
    return 0;
}

static int read_size(struct functions_reading *reading, const char *at, uint32_t size[3],
                     struct error *err)
{
    for (int i = 0; i < 3; i++) {
        uint64_t number = 0;
        at = scan_decimal(scan_blanks(at), UINT32_MAX, &number);
        if (at == NULL)
            break;
        size[i] = (uint32_t)number;
    }
    return expect_end(reading, at, "a size of three numbers", err);
}

static int read_name(struct functions_reading *reading, const char *at, struct error *err)
{
    const char *end = rawmemchr(at, '\n');
    while (end > at && scan_is_blank(end[-1]))
        end--;
    if (reading->function != NULL)
        return source_error(reading->source, err, NULL, "the function before has no code");
    if (end == at || memchr(at, '\0', (size_t)(end - at)) != NULL)
        return source_error(reading->source, err, at, "the name of a function is expected");
    struct trace_function *function = calloc(1, sizeof *function);
    if (function == NULL || (function->name = strndup(at, (size_t)(end - at))) == NULL) {
        free(function);
        return no_memory(reading, err);
    }
    function->registers = function->barriers = TRACE_FUNCTION_UNKNOWN;
    reading->function = function;
    return 0;
}

/* 32 digits, the higher word first. */
static int read_code_line(struct functions_reading *reading, const char *at, struct error *err)
{
    struct trace_function *function = reading->function;
    uint64_t words[2] = {0};
    for (int i = 0; i < 32; i++) {
        uint8_t digit = scan_hex_digit[(uint8_t)at[i]];
        if (digit > 15)
            return source_error(reading->source, err, at + i,
                                "an instruction of 32 hexadecimal digits is expected");
        words[i / 16] = words[i / 16] << 4 | digit;
    }
    if (!array_room(&function->code, function->count, sizeof *function->code))
        return no_memory(reading, err);
    function->code[function->count++] = (struct trace_code){words[1], words[0]};
    return expect_end(reading, at + 32, "an instruction of 32 hexadecimal digits", err);
}

static int read_code(struct functions_reading *reading, const char *at, struct error *err)
{
    uint32_t count;
    if (read_number(reading, at, TRACE_CODE_MOST, &count, err) != 0)
        return -1;
    if (count == 0)
        return source_error(reading->source, err, at, "a function has instructions");
    for (uint32_t i = 0; i < count; i++) {
        source_skip(reading->source);
        int rc = source_line(reading->source, err);
        if (rc == 0)
            return source_error(reading->source, err, NULL,
                                "the text ends after %u of %u instructions", i, count);
        if (rc < 0 || read_code_line(reading, reading->source->at, err) != 0)
            return -1;
    }
    uint32_t i = functions_add(reading->functions, reading->function);
    reading->function = NULL;
    return i != MAP_NONE ? 0 : no_memory(reading, err);
}

static int read_use(struct functions_reading *reading, const char *at, struct error *err)
{
    uint64_t number;
    const char *name = scan_decimal(at, reading->functions->count, &number);
    if (name == NULL || number == 0)
        return source_error(reading->source, err, at,
                            "the number of one of the %u functions before is expected",
                            reading->functions->count);
    name = scan_blanks(name);
    size_t length = (size_t)((const char *)rawmemchr(name, '\n') - name);
    char *launch = strndup(name, length);
    bool ok =
        launch != NULL && functions_add_use(reading->functions, launch, (uint32_t)number - 1);
    free(launch);
    return ok ? 0 : no_memory(reading, err);
}

/* Reads what follows the word at the start of a line. */
static int read_value(struct functions_reading *reading, const char *word, size_t length,
                      const char *at, struct error *err)
{
#define IS(text) (length == sizeof text - 1 && memcmp(word, text, length) == 0)
    struct trace_function *function = reading->function;
    if (IS("function"))
        return read_name(reading, at, err);
    if (IS("launch") && function == NULL)
        return read_use(reading, at, err);
    if (function == NULL)
        return source_error(reading->source, err, NULL, "'function NAME' is expected");
    if (IS("address"))
        return expect_end(reading, scan_0x_hex(at, 16, &function->address), "an address", err);
    if (IS("registers"))
        return read_number(reading, at, 255, &function->registers, err);
    if (IS("barriers"))
        return read_number(reading, at, 255, &function->barriers, err);
    if (IS("max_threads"))
        return read_size(reading, at, function->max_threads, err);
    if (IS("cluster"))
        return read_size(reading, at, function->cluster, err);
    if (IS("constants"))
        return read_number(reading, at, UINT32_MAX, &function->constants, err);
    if (IS("code"))
        return read_code(reading, at, err);
#undef IS
    return source_error(reading->source, err, word, "'%.*s' is not known",
                        length < 40 ? (int)length : 40, word);
}

static int read_line(struct functions_reading *reading, struct error *err)
{
    const char *word = scan_blanks(reading->source->at), *end = scan_token_end(word);
    if (*word == '\n' || *word == '#')
        return 0;
    return read_value(reading, word, (size_t)(end - word), scan_blanks(end), err);
}

static int read_head(struct source *source, struct error *err)
{
    int rc = source_line(source, err);
    if (rc < 0)
        return -1;
    const char *end = rc == 1 ? scan_token_end(source->at) : NULL;
    if (end != NULL && end == source->at + strlen("!functions")) {
        uint64_t version;
        const char *at = scan_decimal(scan_blanks(end), UINT64_MAX, &version);
        if (at != NULL && version != 1)
            return source_error(source, err, NULL,
                                "functions of version %lu; this program reads version 1",
                                (unsigned long)version);
    }
    if (rc == 0 || strncmp(source->at, FUNCTIONS_HEAD "\n", sizeof FUNCTIONS_HEAD) != 0)
        return source_error(source, err, NULL, "'" FUNCTIONS_HEAD "' is expected");
    source_skip(source);
    return 0;
}

int functions_read(struct functions *functions, struct source *source, bool file,
                   struct error *err)
{
    struct functions_reading reading = {functions, source, NULL};
    int rc = file ? read_head(source, err) : 0;
    while (rc == 0 && (rc = source_line(source, err)) == 1) {
        rc = read_line(&reading, err);
        if (rc == 0) /* after an error there may be no line */
            source_skip(source);
    }
    if (rc == 0 && reading.function != NULL)
        rc = source_error(source, err, NULL, "the last function has no code");
    trace_function_destroy(reading.function);
    return rc;
}
