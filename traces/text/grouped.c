/* Traces whose thread blocks stand together, warp after warp. */
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"

/* Where the reader stands inside a block. */
struct grouped_position {
    bool has_index;
    uint32_t warp;
    bool in_warp;
    uint64_t announced, found; /* instructions of the warp */
    uint32_t previous;         /* instruction, for the guess */
};

/* Whether LINE is "KEY = ..."; *VALUE is set to what follows. */
static bool has_key(const char *line, const char *key, const char **value)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return false;
    line = scan_blanks(line + n);
    if (*line != '=')
        return false;
    *value = scan_blanks(line + 1);
    return true;
}

static int read_index(struct trace_kernel *kernel, const char *at,
                      struct grouped_position *position, struct error *err)
{
    const char *start = at;
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        const char *end = scan_decimal(at, UINT32_MAX, &value);
        if (end == NULL || (i < 2 ? *end != ',' : *scan_blanks(end) != '\n'))
            return source_error(&kernel->source, err, at, "'thread block = x,y,z' is expected");
        kernel->builder.index[i] = (uint32_t)value;
        at = end + 1;
    }
    position->has_index = true;
    return kernel_check_index(kernel, kernel->builder.index, start, err);
}

/* Ends the current warp, if there is one. */
static int end_warp(struct trace_kernel *kernel, struct grouped_position *position,
                    struct error *err)
{
    if (!position->in_warp)
        return 0;
    position->in_warp = false;
    if (position->found != position->announced)
        return source_error(&kernel->source, err, NULL,
                            "warp %u has %lu instructions, 'insts = %lu' was announced",
                            position->warp, (unsigned long)position->found,
                            (unsigned long)position->announced);
    return builder_end_warp(&kernel->builder, &kernel->spill, err);
}

static int read_warp(struct trace_kernel *kernel, const char *at,
                     struct grouped_position *position, struct error *err)
{
    uint64_t warp;
    if (end_warp(kernel, position, err) != 0)
        return -1;
    const char *end = scan_decimal(at, UINT32_MAX, &warp);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(&kernel->source, err, at, "'warp = W' is expected");
    if (warp >= kernel->warps)
        return source_error(&kernel->source, err, at, "warp %lu; blocks have %u warps",
                            (unsigned long)warp, kernel->warps);
    if (kernel->builder.warps[warp].seen)
        return source_error(&kernel->source, err, at, "warp %lu is listed twice",
                            (unsigned long)warp);
    builder_warp(&kernel->builder, &kernel->spill, (uint32_t)warp);
    *position = (struct grouped_position){.has_index = position->has_index,
                                          .warp = (uint32_t)warp,
                                          .in_warp = true,
                                          .previous = INSTS_NONE};
    return 0;
}

static int too_many(const struct trace_kernel *kernel, const struct grouped_position *position,
                    struct error *err)
{
    return source_error(&kernel->source, err, NULL,
                        "warp %u has more instructions than 'insts = %lu'", position->warp,
                        (unsigned long)position->announced);
}

/* Reads one instruction line. */
static inline int read_instruction(struct trace_kernel *kernel,
                                   struct grouped_position *position, struct error *err)
{
    struct source *source = &kernel->source;
    struct builder *builder = &kernel->builder;
    struct line line;
    if (builder_reserve(builder, &kernel->spill, err) != 0)
        return -1;
    const char *next = line_read(&kernel->reader, source->at, position->previous, &line,
                                 builder->words + builder->word_count);
    if (next == NULL)
        return kernel_line_error(kernel, err);
    if (kernel_wants(kernel, &kernel->insts.items[line.record.inst])) {
        kernel_strip(kernel, &line);
        builder_add(builder, line.record.inst, line.record.mask, line.record.mode);
    }
    position->previous = line.record.inst;
    position->found++;
    source_advance(source, next);
    return 0;
}

/* Whether an instruction line may start with C, be it a program counter or a
 * decimal number. */
static inline bool starts_instruction(char c)
{
    return scan_hex_digit[(uint8_t)c] < 16;
}

/* "insts = N" and the N lines. They are read here in one go; what interrupts
 * them, a blank line or an error, is left to the caller. */
static int read_insts(struct trace_kernel *kernel, const char *at,
                      struct grouped_position *position, struct error *err)
{
    struct source *source = &kernel->source;
    const char *end = scan_decimal(at, UINT64_MAX, &position->announced);
    if (end == NULL || *scan_blanks(end) != '\n')
        return source_error(source, err, at, "'insts = N' is expected");
    if (!position->in_warp || position->found > 0)
        return source_error(source, err, NULL,
                            "'insts = N' is expected behind 'warp = W' only");
    source_skip(source);
    int rc = 0;
    while (position->found < position->announced && (rc = source_line(source, err)) == 1 &&
           starts_instruction(*source->at))
        if (read_instruction(kernel, position, err) != 0)
            return -1;
    return rc < 0 ? -1 : 0;
}

/* One line that is not an end. Leaves it. */
static int read_line(struct trace_kernel *kernel, const char *line,
                     struct grouped_position *position, struct error *err)
{
    struct source *source = &kernel->source;
    const char *value;
    if (scan_is_cluster(line)) {
        source_skip(source);
        return 0;
    }
    if (starts_instruction(*line)) {
        if (!position->in_warp)
            return source_error(source, err, line,
                                "'warp = W' and 'insts = N' are expected before instructions");
        if (position->found == position->announced)
            return too_many(kernel, position, err);
        return read_instruction(kernel, position, err);
    }
    if (has_key(line, "insts", &value))
        return read_insts(kernel, value, position, err);
    int rc = 0;
    if (has_key(line, "warp", &value))
        rc = read_warp(kernel, value, position, err);
    else if (has_key(line, "thread block", &value))
        rc = read_index(kernel, value, position, err);
    else if (strncmp(line, "#BEGIN_TB", 9) == 0)
        rc = source_error(source, err, line, "#END_TB is expected before the next #BEGIN_TB");
    else if (*line != '\n' && *line != '#')
        rc = source_error(source, err, line,
                          "'warp = W', 'insts = N', an instruction or #END_TB is expected");
    if (rc == 0)
        source_skip(source);
    return rc;
}

/* Steps behind the next #BEGIN_TB. Returns 1, 0 at the end, -1 on error. */
static int find_block(struct trace_kernel *kernel, struct error *err)
{
    struct source *source = &kernel->source;
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (strncmp(line, "#BEGIN_TB", 9) == 0)
            break;
        if (*line != '\n' && *line != '#')
            return source_error(source, err, line, "#BEGIN_TB is expected");
        source_skip(source);
    }
    if (rc == 0 && kernel->blocks_read < kernel->blocks)
        return source_error(source, err, NULL,
                            "the trace ends after %lu of the grid's %lu thread blocks",
                            (unsigned long)kernel->blocks_read, (unsigned long)kernel->blocks);
    if (rc == 1 && kernel->blocks_read == kernel->blocks)
        return source_error(source, err, NULL, "more thread blocks than the %lu of the grid",
                            (unsigned long)kernel->blocks);
    if (rc == 1)
        source_skip(source);
    return rc;
}

static int next_block(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err)
{
    struct source *source = &kernel->source;
    struct grouped_position position = {0};
    int rc = find_block(kernel, err);
    if (rc != 1)
        return rc;
    builder_begin(&kernel->builder, kernel_block_limit(kernel));
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (strncmp(line, "#END_TB", 7) == 0)
            break;
        if (read_line(kernel, line, &position, err) != 0)
            return -1;
    }
    if (rc < 0 || end_warp(kernel, &position, err) != 0)
        return -1;
    if (rc == 0)
        return source_error(source, err, NULL, "#END_TB is expected, the trace ends");
    if (!position.has_index)
        return source_error(source, err, NULL, "a block without 'thread block = x,y,z'");
    source_skip(source);
    *block = builder_end(&kernel->builder, kernel, kernel->warps, err);
    kernel->blocks_read++;
    return *block == NULL ? -1 : 1;
}

static void finish(struct trace_kernel *kernel)
{
}

const struct kernel_layout kernel_grouped = {next_block, finish};
