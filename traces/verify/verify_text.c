/* The text of one launch, line by line; goes on behind what is wrong. */
#define _GNU_SOURCE /* rawmemchr */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernel.h"
#include "traces/verify/verifier.h"

struct checker {
    struct trace_verify *verify;
    struct source *source;
    struct trace_header *header;
    struct insts insts;
    struct line_reader reader;
    uint64_t blocks, blocks_seen;
    uint32_t warps;
    uint8_t *seen;       /* a bit a block of the grid */
    uint64_t last;       /* number of the block before */
    bool disorder;       /* told of once a file */
    uint64_t told;       /* errors of this file */
    uint64_t after_exit; /* warps that go on after all lanes have left */
    /* Where the check is. */
    bool grouped, in_block, has_index, in_warp;
    uint32_t warps_seen, warp;
    uint64_t announced, found;
    long warp_line;
    uint32_t previous, alive;
    bool dead, dead_told;
};

__attribute__((format(printf, 3, 4))) static void tell(struct checker *checker, bool error,
                                                       const char *format, ...)
{
    char text[ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (error && checker->told++ >= VERIFIER_MOST)
        return;
    verifier_tell(checker->verify, error, checker->source->name, checker->source->line, "%s",
                  text);
}

/* ---- header ------------------------------------------------------------ */

static bool begin(struct checker *checker)
{
    struct error err = {0};
    struct source *source = checker->source;
    bool exact;
    if (header_read(checker->header, source, &err) != 0) {
        verifier_tell_error(checker->verify, &err);
        return false;
    }
    const struct trace_header *header = checker->header;
    if (!header->has_id)
        tell(checker, false, "the header has no '-kernel id'");
    if (header->name == NULL || *header->name == '\0')
        tell(checker, false, "the header has no '-kernel name'");
    const struct opcode_table *table = opcode_table_for(header->binary_version, &exact);
    if (!exact)
        tell(checker, false, "binary version %u is not known; opcodes are taken as %s's",
             header->binary_version, opcode_table_name(table));
    checker->blocks = header_blocks(header);
    checker->warps = header_warps(header);
    checker->seen = calloc(checker->blocks / 8 + 1, 1);
    return checker->seen != NULL && insts_init(&checker->insts, table) == 0;
}

/* ---- instructions ------------------------------------------------------ */

/* Lanes that go on although an EXIT took them. */
static void check_exit(struct checker *checker, const struct line *line)
{
    const struct trace_inst *inst = &checker->insts.items[line->record.inst];
    if (checker->dead && !checker->dead_told) {
        checker->after_exit++;
        checker->dead_told = true;
    }
    if (inst->flags & TRACE_INST_EXIT && line->record.mask != 0) {
        checker->alive &= ~line->record.mask;
        checker->dead = checker->alive == 0;
    }
}

static void start_warp(struct checker *checker)
{
    uint32_t threads = header_threads(checker->header), first = 32 * checker->warp;
    uint32_t lanes = threads - first < 32 ? threads - first : 32;
    checker->alive = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    checker->dead = checker->dead_told = false;
    checker->previous = INSTS_NONE;
    checker->found = 0;
}

/* Reads the current line as an instruction and leaves it. */
static bool check_instruction(struct checker *checker, struct line *line)
{
    struct source *source = checker->source;
    uint64_t words[LINE_MAX_WORDS];
    const char *next = line_read(&checker->reader, source->at, checker->previous, line, words);
    if (next == NULL) {
        const char *at = checker->reader.failed_at;
        int length = (int)(scan_token_end(at) - at);
        tell(checker, true, "%s, not '%.*s'", checker->reader.expected,
             length < 40 ? length : 40, at);
        source_skip(source);
        return false;
    }
    checker->previous = line->record.inst;
    checker->verify->records++;
    return true;
}

/* ---- grouped ----------------------------------------------------------- */

static bool has_key(const char *line, const char *key, const char **value)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) != 0)
        return false;
    line = scan_blanks(line + n);
    *value = *line == '=' ? scan_blanks(line + 1) : NULL;
    return *line == '=';
}

static void end_warp(struct checker *checker)
{
    if (checker->in_warp && checker->found != checker->announced)
        tell(checker, true,
             "warp %u (line %ld) has %lu instructions, 'insts = %lu' was announced",
             checker->warp, checker->warp_line, (unsigned long)checker->found,
             (unsigned long)checker->announced);
    checker->in_warp = false;
}

static void end_block(struct checker *checker)
{
    end_warp(checker);
    if (checker->in_block && !checker->has_index)
        tell(checker, true, "a block without 'thread block = x,y,z'");
    checker->in_block = checker->has_index = false;
}

static void see_block(struct checker *checker, const uint64_t index[3])
{
    const uint32_t *grid = checker->header->grid;
    if (index[0] >= grid[0] || index[1] >= grid[1] || index[2] >= grid[2]) {
        tell(checker, true, "thread block %lu,%lu,%lu is not in the grid of (%u,%u,%u)",
             (unsigned long)index[0], (unsigned long)index[1], (unsigned long)index[2], grid[0],
             grid[1], grid[2]);
        return;
    }
    uint64_t number = (index[2] * grid[1] + index[1]) * grid[0] + index[0];
    if (checker->seen[number / 8] >> number % 8 & 1) {
        if (checker->grouped)
            tell(checker, true, "thread block %lu,%lu,%lu is listed twice",
                 (unsigned long)index[0], (unsigned long)index[1], (unsigned long)index[2]);
        return;
    }
    checker->seen[number / 8] |= (uint8_t)(1 << number % 8);
    checker->blocks_seen++;
    checker->verify->blocks++;
    if (checker->grouped && checker->last != UINT64_MAX && number < checker->last &&
        !checker->disorder) {
        checker->disorder = true;
        tell(checker, false, "thread blocks are not in ascending order");
    }
    checker->last = number;
}

static void check_index(struct checker *checker, const char *at)
{
    uint64_t index[3];
    for (int i = 0; i < 3; i++) {
        const char *end = scan_decimal(at, UINT32_MAX, &index[i]);
        if (end == NULL || (i < 2 ? *end != ',' : *scan_blanks(end) != '\n')) {
            tell(checker, true, "'thread block = x,y,z' is expected");
            return;
        }
        at = end + 1;
    }
    if (checker->has_index)
        tell(checker, true, "a second 'thread block' in a block: #END_TB is missing");
    checker->has_index = true;
    checker->warps_seen = 0;
    see_block(checker, index);
}

static void check_warp(struct checker *checker, const char *at)
{
    uint64_t warp;
    end_warp(checker);
    const char *end = scan_decimal(at, UINT32_MAX, &warp);
    if (end == NULL || *scan_blanks(end) != '\n' || warp >= checker->warps) {
        tell(checker, true, "'warp = W' with W below %u is expected", checker->warps);
        return;
    }
    if (checker->warps_seen >> warp & 1)
        tell(checker, true, "warp %lu is listed twice in its block", (unsigned long)warp);
    checker->warps_seen |= UINT32_C(1) << warp;
    checker->warp = (uint32_t)warp;
    checker->warp_line = checker->source->line;
    checker->in_warp = true;
    checker->announced = UINT64_MAX;
    start_warp(checker);
}

static void check_insts(struct checker *checker, const char *at)
{
    uint64_t count;
    const char *end = scan_decimal(at, UINT64_MAX, &count);
    if (end == NULL || *scan_blanks(end) != '\n')
        tell(checker, true, "'insts = N' is expected");
    else if (!checker->in_warp || checker->announced != UINT64_MAX)
        tell(checker, true, "'insts = N' is expected behind 'warp = W' only");
    else
        checker->announced = count;
}

/* A grouped line; *LEFT tells whether it was left. */
static void check_grouped(struct checker *checker, const char *line, bool *left)
{
    const char *value;
    struct line record;
    *left = false;
    if (strncmp(line, "#BEGIN_TB", 9) == 0) {
        if (checker->in_block)
            tell(checker, true, "#END_TB is missing before this #BEGIN_TB");
        end_block(checker);
        checker->in_block = true;
    } else if (strncmp(line, "#END_TB", 7) == 0) {
        if (!checker->in_block)
            tell(checker, true, "#END_TB without #BEGIN_TB");
        end_block(checker);
    } else if (*line == '\n' || *line == '#') {
        return;
    } else if (!checker->in_block) {
        tell(checker, true, "#BEGIN_TB is expected");
    } else if (has_key(line, "thread block", &value)) {
        check_index(checker, value);
    } else if (scan_is_cluster(line)) {
        return;
    } else if (has_key(line, "warp", &value)) {
        check_warp(checker, value);
    } else if (has_key(line, "insts", &value)) {
        check_insts(checker, value);
    } else if (!checker->in_warp || checker->announced == UINT64_MAX) {
        tell(checker, true, "'warp = W' and 'insts = N' are expected before instructions");
    } else {
        checker->found++;
        *left = true;
        if (check_instruction(checker, &record)) {
            check_exit(checker, &record);
            source_skip(checker->source);
        }
    }
}

/* ---- raw --------------------------------------------------------------- */

static void check_raw(struct checker *checker, const char *line, bool *left)
{
    struct line record;
    *left = *line != '\n' && *line != '#';
    if (!*left || !check_instruction(checker, &record))
        return;
    const uint64_t index[3] = {record.ids[0], record.ids[1], record.ids[2]};
    if (record.ids[3] >= checker->warps)
        tell(checker, true, "warp %u; blocks have %u warps", record.ids[3], checker->warps);
    see_block(checker, index);
    source_skip(checker->source);
}

/* ---- all --------------------------------------------------------------- */

static void check_body(struct checker *checker)
{
    struct source *source = checker->source;
    struct error err = {0};
    int rc;
    bool decided = false;
    while ((rc = source_line(source, &err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (!decided && *line != '\n' && (*line != '#' || line[1] == 'B')) {
            decided = true;
            checker->grouped = *line == '#';
            checker->reader =
                (struct line_reader){.insts = &checker->insts,
                                     .version = checker->header->version,
                                     .lineinfo = checker->header->lineinfo,
                                     .ids = !checker->grouped || checker->header->version < 30};
        }
        bool left = false;
        if (decided && checker->grouped)
            check_grouped(checker, line, &left);
        else if (decided)
            check_raw(checker, line, &left);
        if (!left)
            source_skip(source);
    }
    verifier_tell_error(checker->verify, &err);
    if (checker->in_block) {
        tell(checker, true, "#END_TB is missing, the trace ends");
        end_block(checker);
    }
}

static void tell_unknown(struct checker *checker)
{
    const struct insts *insts = &checker->insts;
    for (uint32_t i = 0; i < insts->count; i++) {
        const char *opcode = insts->pool + insts->items[i].opcode;
        uint32_t k = 0;
        while (k < i && strcmp(insts->pool + insts->items[k].opcode, opcode) != 0)
            k++;
        if (insts->items[i].flags & TRACE_INST_UNKNOWN && k == i)
            verifier_tell(checker->verify, false, checker->source->name, 0,
                          "opcode %s is not known: its class comes from a rule", opcode);
    }
}

static void tell_totals(struct checker *checker)
{
    const char *name = checker->source->name;
    if (checker->blocks_seen < checker->blocks)
        verifier_tell(checker->verify, true, name, 0, "%lu of the grid's %lu thread blocks",
                      (unsigned long)checker->blocks_seen, (unsigned long)checker->blocks);
    if (checker->told > VERIFIER_MOST)
        verifier_tell(checker->verify, true, name, 0, "%lu more errors",
                      (unsigned long)(checker->told - VERIFIER_MOST));
    if (checker->after_exit > 0)
        verifier_tell(checker->verify, false, name, 0,
                      "%lu warps go on after an EXIT took all their lanes; Accel-Sim "
                      "deadlocks on them",
                      (unsigned long)checker->after_exit);
    tell_unknown(checker);
}

void verifier_text(struct trace_verify *verify, struct source *source,
                   struct trace_header *header)
{
    struct checker *checker = calloc(1, sizeof *checker);
    if (checker == NULL)
        return;
    *checker = (struct checker){
        .verify = verify, .source = source, .header = header, .last = UINT64_MAX};
    if (begin(checker)) {
        check_body(checker);
        tell_totals(checker);
    }
    if (checker->insts.items != NULL)
        insts_finish(&checker->insts);
    free(checker->seen);
    free(checker);
}
