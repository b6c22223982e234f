#include "estimate/listing.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/number.h"

/* A listing does not say otherwise: Maxwell, whose listings have braces. */
#define VERSION 52
/* Groups of Maxwell's code: a control word and three instructions of 8 bytes. */
#define GROUP 3

struct listing_reading {
    struct listing_code *listing;
    const char *file, *wanted;
    uint32_t version;
    bool inside;    /* the function is the one that is read */
    bool brace;     /* after '{', before '}' */
    bool addresses; /* the listing has them */
    long line;
    struct error *err;
};

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* ---- functions and versions ---- */

static int begin_function(struct listing_reading *reading, const char *name)
{
    struct listing_code *listing = reading->listing;
    reading->inside = reading->wanted == NULL || strcmp(name, reading->wanted) == 0;
    if (!reading->inside)
        return 0;
    if (listing->count > 0)
        return error_set(reading->err, ERROR_USAGE, reading->file, reading->line, 0,
                         "the listing has several functions: name one with --function, \"%s\" "
                         "or another",
                         name);
    snprintf(listing->name, sizeof listing->name, "%s", name);
    return 0;
}

/* Lines that are no instructions. Returns 1 if LINE is one, -1 on error. */
static int read_heading(struct listing_reading *reading, const char *line)
{
    const char *at = strstr(line, "Function :");
    uint64_t version;
    if (at != NULL)
        return begin_function(reading, at + 10 + strspn(at + 10, " \t")) != 0 ? -1 : 1;
    at = strstr(line, "sm_");
    if (at != NULL && strchr(line, ';') == NULL) {
        at += 3;
        if (number_next(&at, 9999, &version))
            reading->version = (uint32_t)version;
        return 1;
    }
    return *line == '.' || *line == '\0' || strncmp(line, "//", 2) == 0 ||
           (strchr(line, ';') == NULL && strchr(line, '{') == NULL);
}

/* ---- instructions ---- */

static struct listing_inst *append(struct listing_reading *reading)
{
    struct listing_code *listing = reading->listing;
    if (listing->count == listing->capacity) {
        size_t capacity = listing->capacity ? 2 * listing->capacity : 64;
        struct listing_inst *insts = realloc(listing->insts, capacity * sizeof *listing->insts);
        if (insts == NULL) {
            error_no_memory_for(reading->err, ERROR_TRACE, reading->file);
            return NULL;
        }
        listing->insts = insts;
        listing->capacity = capacity;
    }
    struct listing_inst *inst = &listing->insts[listing->count];
    memset(inst, 0, sizeof *inst);
    inst->line = reading->line;
    return inst;
}

/* The address at the beginning of LINE, moved past: a comment such as 0008 in C's marks. */
static bool read_address(char **line, uint32_t *address)
{
    char *at = *line, *end;
    if (strncmp(at, "/*", 2) != 0 || !isxdigit((unsigned char)at[2]) || at[3] == 'x')
        return false;
    *address = (uint32_t)strtoul(at + 2, &end, 16);
    if (strncmp(end, "*/", 2) != 0)
        return false;
    *line = end + 2 + strspn(end + 2, " \t");
    return true;
}

static uint32_t maxwell_address(size_t number)
{
    return (uint32_t)(8 * (number + number / GROUP + 1));
}

static bool has_effect(const struct listing_inst *inst)
{
    bool itself = inst->branch && inst->has_target && inst->target == inst->address;
    return !itself && strncmp(inst->opcode, "NOP", 3) != 0;
}

/* TEXT up to its semicolon is an instruction. */
static int read_inst(struct listing_reading *reading, char *text, uint32_t address,
                     size_t number)
{
    struct listing_inst *inst = append(reading);
    if (inst == NULL)
        return -1;
    if (listing_line_read(inst, text, reading->version, reading->file, reading->err) != 0)
        return -1;
    inst->address = reading->addresses ? address : maxwell_address(number);
    reading->listing->count += has_effect(inst);
    return 0;
}

/* A line, which may open or close a pair of instructions that issue together. */
static int read_line(struct listing_reading *reading, char *line, size_t *number)
{
    uint32_t address = 0;
    line = trim(line);
    bool has_address = read_address(&line, &address);
    int heading = has_address ? 0 : read_heading(reading, line);
    if (heading != 0 || !reading->inside)
        return heading < 0 ? -1 : 0;
    reading->addresses |= has_address;
    bool opens = *line == '{';
    line += opens;
    line += strspn(line, " \t");
    char *end = strchr(line, ';');
    if (end == NULL)
        return *line == '\0' && opens
                   ? 0
                   : error_set(reading->err, ERROR_TRACE, reading->file, reading->line, 0,
                               "expected an instruction and \";\"");
    bool closes = strchr(end, '}') != NULL;
    *end = '\0';
    size_t before = reading->listing->count;
    if (read_inst(reading, line, address, (*number)++) != 0)
        return -1;
    if (opens && reading->listing->count > before)
        reading->listing->insts[before].dual = true;
    if (reading->brace && !closes)
        return error_set(reading->err, ERROR_TRACE, reading->file, reading->line, 0,
                         "expected \"}\" after the second instruction of a pair");
    reading->brace = opens;
    return 0;
}

/* ---- loops ---- */

size_t listing_find(const struct listing_code *listing, uint32_t address)
{
    size_t i = 0;
    while (i < listing->count && listing->insts[i].address < address)
        i++;
    return i;
}

static int compare_loops(const void *a, const void *b)
{
    const struct listing_loop *x = a, *y = b;
    if (x->head != y->head)
        return x->head < y->head ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

static int find_loops(struct listing_code *listing, const char *file, struct error *err)
{
    listing->loops = calloc(listing->count + 1, sizeof *listing->loops);
    if (listing->loops == NULL)
        return error_no_memory_for(err, ERROR_TRACE, file);
    for (size_t i = 0; i < listing->count; i++) {
        const struct listing_inst *inst = &listing->insts[i];
        size_t head = inst->has_target ? listing_find(listing, inst->target) : LISTING_NONE;
        if (head <= i)
            listing->loops[listing->loop_count++] = (struct listing_loop){head, i};
    }
    qsort(listing->loops, listing->loop_count, sizeof *listing->loops, compare_loops);
    for (size_t a = 0; a < listing->loop_count; a++)
        for (size_t b = a + 1; b < listing->loop_count; b++) {
            const struct listing_loop *outer = &listing->loops[a], *inner = &listing->loops[b];
            if (inner->head <= outer->end && inner->end >= outer->end)
                return error_set(err, ERROR_TRACE, file, listing->insts[inner->end].line, 0,
                                 "a loop that is neither inside nor outside of another one is "
                                 "not supported");
        }
    return 0;
}

/* ---- files ---- */

static int read_lines(struct listing_reading *reading, FILE *in)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    int result = 0;
    while (result == 0 && getline(&line, &room, in) > 0) {
        reading->line++;
        result = read_line(reading, line, &number);
    }
    if (result == 0 && !feof(in)) /* also if memory ran out */
        result = error_set(reading->err, ERROR_TRACE, reading->file, 0, 0, "cannot be read: %s",
                           strerror(errno));
    free(line);
    return result;
}

int listing_read(struct listing_code *listing, const char *path, const char *name,
                 struct error *err)
{
    memset(listing, 0, sizeof *listing);
    struct listing_reading reading = {.listing = listing,
                                      .file = path,
                                      .wanted = name,
                                      .version = VERSION,
                                      .inside = name == NULL,
                                      .err = err};
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return error_set(err, ERROR_TRACE, path, 0, 0, "%s", strerror(errno));
    int result = read_lines(&reading, in);
    fclose(in);
    if (result == 0 && listing->count == 0)
        result = name != NULL ? error_set(err, ERROR_USAGE, path, 0, 0,
                                          "the listing has no function \"%s\"", name)
                              : error_set(err, ERROR_TRACE, path, 0, 0,
                                          "the listing has no instructions");
    return result == 0 ? find_loops(listing, path, err) : -1;
}

void listing_finish(struct listing_code *listing)
{
    free(listing->insts);
    free(listing->loops);
    memset(listing, 0, sizeof *listing);
}
