/* Listings of cuobjdump -sass and nvdisasm -hex:
 *
 *             Function : NAME                     or   .text.NAME:
 *     .headerflags  @"EF_CUDA_SM90 ..."
 *     /\*0010*\/  @P0 IADD3 R1, R2 ;  /\* 0x<low word> *\/
 *                                   /\* 0x<high word> *\/
 */
#define _GNU_SOURCE /* rawmemchr */
#include <stdlib.h>
#include <string.h>

#include "traces/functions/candidates.h"
#include "traces/text/scan.h"

struct listing {
    struct candidates *candidates;
    struct source *source;
    struct trace_function *function; /* that is being read; NULL: it is not wanted */
    struct candidate item;
    uint32_t version; /* that the lines before gave */
    bool half;        /* the high word of the last instruction comes next */
};

static int no_memory(const struct listing *listing, struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, listing->source->name);
}

/* Whether LINE begins with TEXT; then *AFTER is what follows it. */
static bool begins(const char *line, const char *text, const char **after)
{
    size_t n = strlen(text);
    *after = line + n;
    return strncmp(line, text, n) == 0;
}

static int end_function(struct listing *listing, struct error *err)
{
    struct trace_function *function = listing->function;
    if (listing->half)
        return source_error(listing->source, err, NULL,
                            "the second word of an instruction is missing");
    if (function == NULL)
        return 0;
    struct candidate item = listing->item;
    listing->function = NULL;
    listing->item.opcodes = NULL;
    if (function->count > 0)
        return candidates_add(listing->candidates, function, &item) ? 0
                                                                    : no_memory(listing, err);
    trace_function_destroy(function);
    free(item.opcodes);
    return 0;
}

static int begin_function(struct listing *listing, const char *name, size_t length,
                          struct error *err)
{
    if (end_function(listing, err) != 0)
        return -1;
    const char *end = name + strnlen(name, length);
    while (name < end && scan_is_blank(*name))
        name++;
    while (name < end && scan_is_blank(end[-1]))
        end--;
    char *text = strndup(name, (size_t)(end - name));
    if (text == NULL)
        return no_memory(listing, err);
    listing->item = (struct candidate){.version = listing->version};
    if (*text == '\0' || !candidates_want(listing->candidates, text)) {
        free(text);
        return 0;
    }
    struct trace_function *function = calloc(1, sizeof *function);
    if (function == NULL) {
        free(text);
        return no_memory(listing, err);
    }
    function->name = text;
    function->registers = function->barriers = TRACE_FUNCTION_UNKNOWN;
    listing->function = function;
    return 0;
}

/* ---- instructions ------------------------------------------------------ */

/* The word in the comment at AT. Returns its end, or NULL. */
static const char *read_word(const char *at, uint64_t *word)
{
    if (!begins(at, "/*", &at))
        return NULL;
    at = scan_blanks(at);
    if (!begins(at, "0x", &at) || (at = scan_hex(at, 16, word)) == NULL)
        return NULL;
    at = scan_blanks(at);
    return begins(at, "*/", &at) ? at : NULL;
}

/* The last comment of LINE that holds a word, or NULL. */
static const char *last_word(const char *line, const char *end, uint64_t *word)
{
    for (const char *at = end; at > line; at--)
        if (at[-1] == '/' && at[0] == '*')
            return read_word(at - 1, word);
    return NULL;
}

/* The opcode in the text of an instruction: after its predicate. */
static uint32_t read_opcode(struct listing *listing, const char *at)
{
    while (*at == '{' || scan_is_blank(*at))
        at++;
    if (*at == '@')
        at = scan_blanks(scan_token_end(at));
    size_t length = (size_t)(scan_token_end(at) - at);
    while (length > 0 && (at[length - 1] == ';' || at[length - 1] == ','))
        length--;
    return candidates_opcode(listing->candidates, at, length);
}

static int add_inst(struct listing *listing, const char *text, uint64_t low, struct error *err)
{
    struct trace_function *function = listing->function;
    uint32_t n = function->count;
    if (n == TRACE_CODE_MOST)
        return source_error(listing->source, err, NULL, "a function has too many instructions");
    if (!array_room(&function->code, n, sizeof *function->code) ||
        !array_room(&listing->item.opcodes, n, sizeof *listing->item.opcodes))
        return no_memory(listing, err);
    uint32_t opcode = read_opcode(listing, text);
    if (opcode == MAP_NONE)
        return no_memory(listing, err);
    function->code[n] = (struct trace_code){.low = low};
    listing->item.opcodes[n] = opcode;
    function->count++;
    listing->half = true;
    return 0;
}

/* A line with the instruction at PC; TEXT follows the PC. */
static int read_inst(struct listing *listing, uint64_t pc, const char *text, struct error *err)
{
    const char *end = rawmemchr(text, '\n');
    uint64_t low;
    if (listing->function == NULL)
        return 0;
    if (listing->half || pc != (uint64_t)listing->function->count * TRACE_CODE_BYTES)
        return source_error(listing->source, err, NULL,
                            "the instruction at 0x%x is expected: instructions have 16 bytes, "
                            "as on Volta and later GPUs",
                            listing->function->count * TRACE_CODE_BYTES -
                                (listing->half ? TRACE_CODE_BYTES : 0));
    if (last_word(text, end, &low) == NULL)
        return source_error(listing->source, err, NULL,
                            "the listing lacks the bytes of instructions: cuobjdump -sass and "
                            "nvdisasm -hex print them");
    return add_inst(listing, text, low, err);
}

/* A line that begins with a comment. */
static int read_comment(struct listing *listing, const char *line, struct error *err)
{
    uint64_t number;
    const char *at = scan_hex(line + 2, 8, &number);
    if (at != NULL && begins(at, "*/", &at))
        return read_inst(listing, number, at, err);
    if (read_word(line, &number) == NULL || !listing->half)
        return 0;
    struct trace_function *function = listing->function;
    function->code[function->count - 1].high = number;
    listing->half = false;
    return 0;
}

/* ---- lines ------------------------------------------------------------- */

/* The GPU's version in the digits at AT; 0: there are none. */
static uint32_t read_version(const char *at)
{
    uint64_t version;
    return scan_decimal(at, 9999, &version) != NULL ? (uint32_t)version : 0;
}

static void read_flags(struct listing *listing, const char *line)
{
    static const char sm[] = "EF_CUDA_SM";
    const char *end = rawmemchr(line, '\n');
    const char *at = memmem(line, (size_t)(end - line), sm, strlen(sm));
    uint32_t version = at != NULL ? read_version(at + strlen(sm)) : 0;
    if (version != 0)
        listing->item.version = listing->version = version;
}

static int read_line(struct listing *listing, struct error *err)
{
    const char *line = scan_blanks(listing->source->at), *at;
    const char *end = rawmemchr(line, '\n');
    if (begins(line, "/*", &at))
        return read_comment(listing, line, err);
    if (begins(line, "Function : ", &at))
        return begin_function(listing, at, (size_t)(end - at), err);
    const char *colon = scan_token_end(line);
    if (begins(line, ".text.", &at) && at < colon && colon[-1] == ':')
        return begin_function(listing, at, (size_t)(colon - 1 - at), err);
    if (begins(line, "code for sm_", &at))
        listing->version = read_version(at);
    if (begins(line, ".headerflags", &at))
        read_flags(listing, at);
    return 0;
}

int candidates_read_listing(struct candidates *candidates, struct source *source,
                            struct error *err)
{
    struct listing listing = {.candidates = candidates, .source = source};
    uint64_t before = candidates->seen;
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        rc = read_line(&listing, err);
        if (rc != 0)
            break;
        source_skip(source);
    }
    if (rc == 0)
        rc = end_function(&listing, err);
    trace_function_destroy(listing.function);
    free(listing.item.opcodes);
    if (rc == 0 && candidates->seen == before)
        rc = error_set(err, ERROR_TRACE, source->name, 0, 0,
                       "the file has no function: " CANDIDATES_FILE " is expected");
    return rc;
}
