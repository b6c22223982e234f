/* Checks the text of one launch, line by line; continues after errors. */
#define _GNU_SOURCE /* rawmemchr */
#include <stdlib.h>
#include <string.h>

#include "traces/base/map.h"
#include "traces/functions/encodings.h"
#include "traces/kernel.h"
#include "traces/readers/reader.h"
#include "traces/verify/verifier.h"

struct checker {
    struct trace_verify *verify;
    struct source *source;
    struct trace_header *header;
    struct walk walk; /* of raw text only for its errors */
    bool grouped;
    struct insts insts;
    struct line_reader reader;
    const struct trace_function *function; /* its code, or NULL */
    uint32_t checked;                      /* instructions that were compared with it */
    struct map seen; /* thread blocks of the grid: a bit each, by number / SEEN_BITS */
    uint64_t blocks_seen;
    uint64_t last;       /* number of the block before */
    bool disorder;       /* reported once a file */
    uint64_t told;       /* errors of this file */
    uint64_t after_exit; /* warps that continue after all lanes have exited */
    /* Of the warp. */
    uint32_t previous, alive; /* instruction; lanes */
    bool dead, dead_told;
};

#define SEEN_BITS 16

/* Compares instructions that the line at AT showed for the first time with the code. */
static void check_code(struct checker *checker, const char *at)
{
    const struct insts *insts = &checker->insts;
    const struct trace_function *function = checker->function;
    for (; function != NULL && checker->checked < insts->count; checker->checked++) {
        const struct trace_inst *inst = &insts->items[checker->checked];
        const char *opcode = insts->pool + inst->opcode;
        const struct trace_code *code = trace_function_code(function, inst->pc);
        uint32_t version = checker->header->binary_version;
        if (code == NULL)
            walk_wrong(&checker->walk, NULL, at, "the code of %s has no instruction at 0x%x",
                       function->name, inst->pc);
        else if (!encodings_fit(version, code->low, opcode))
            walk_wrong(&checker->walk, NULL, at, "the code has %s at 0x%x, the trace %s",
                       encodings_name(version, code->low), inst->pc, opcode);
        else if (!encodings_fit_register(code->low, inst))
            walk_wrong(&checker->walk, NULL, at, "%s at 0x%x writes R%u in the code, not R%u",
                       opcode, inst->pc, encodings_register(code->low), inst->dst[0]);
    }
}

/* Called for each error while the walk continues. */
static void wrong(struct walk *walk, const struct error *what)
{
    struct checker *checker = walk->data;
    if (checker->told++ < VERIFIER_MOST)
        verifier_tell_error(checker->verify, what);
}

static void note(struct checker *checker, const char *text)
{
    verifier_tell(checker->verify, false, checker->source->name, checker->source->line, "%s",
                  text);
}

/* ---- thread blocks ----------------------------------------------------- */

/* Notes that a block of the grid is there. */
static int see_block(struct checker *checker, const uint32_t index[3], const char *at,
                     struct error *err)
{
    const uint32_t *grid = checker->header->grid;
    uint64_t number = ((uint64_t)index[2] * grid[1] + index[1]) * grid[0] + index[0];
    uint64_t key = map_key(number / SEEN_BITS, 0);
    uint32_t seen = map_get(&checker->seen, key), bit = UINT32_C(1) << number % SEEN_BITS;
    seen = seen == MAP_NONE ? 0 : seen;
    if (seen & bit) {
        if (checker->grouped)
            walk_wrong(&checker->walk, err, at, "thread block %u,%u,%u is listed twice",
                       index[0], index[1], index[2]);
        return 0;
    }
    if (!map_set(&checker->seen, key, seen | bit))
        return error_no_memory_for(err, ERROR_TRACE, checker->source->name);
    checker->blocks_seen++;
    checker->verify->blocks++;
    if (checker->grouped && checker->last != UINT64_MAX && number < checker->last &&
        !checker->disorder) {
        checker->disorder = true;
        note(checker, "thread blocks are not in ascending order");
    }
    checker->last = number;
    return 0;
}

/* ---- grouped ----------------------------------------------------------- */

static int check_index(struct walk *walk, const char *value, struct error *err)
{
    return see_block(walk->data, walk->index, value, err);
}

static int begin_warp(struct walk *walk, const char *value, struct error *err)
{
    struct checker *checker = walk->data;
    uint32_t threads = header_threads(checker->header), first = 32 * walk->warp;
    uint32_t lanes = threads - first < 32 ? threads - first : 32;
    checker->alive = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    checker->dead = checker->dead_told = false;
    checker->previous = INSTS_NONE;
    return 0;
}

/* Numbers of a line without addresses are those of a barrier; else they belong to lanes that
 * execute the instruction. */
static void check_numbers(struct checker *checker, const struct line *line,
                          const struct trace_extras *extras, const char *start)
{
    bool memory = checker->insts.texts[line->record.inst].has_addresses;
    const char *end = rawmemchr(start, '\n');
    const char *at = memchr(start, LINE_VALUE, (size_t)(end - start));
    if (extras->number_count > (memory ? TRACE_MAX_TAIL : TRACE_MAX_VALUES))
        walk_wrong(&checker->walk, NULL, at, "at most %d numbers are expected",
                   TRACE_MAX_VALUES);
    else if (extras->number_count > 0 && memory && line->record.mask == 0)
        walk_wrong(&checker->walk, NULL, at, "numbers, although no lane executes it");
}

/* Checks what readers of records pass over: active masks and numbers. */
static void check_extras(struct checker *checker, const struct line *line, const char *start)
{
    struct trace_extras extras;
    const char *wrong = trace_extras_read(&extras, start);
    const char *end = rawmemchr(start, '\n'), *mark = end - 9;
    if (wrong != NULL)
        walk_wrong(&checker->walk, NULL, extras.failed_at, "%s", wrong);
    else if (extras.has_active && (line->record.mask & ~extras.active) != 0)
        walk_wrong(&checker->walk, NULL, mark + 1,
                   "lanes that were not active execute the instruction");
    else if (extras.has_active && !checker->header->active_masks)
        walk_wrong(&checker->walk, NULL, mark + 1,
                   "an active mask, although the header has no '-active masks = 1'");
    else
        check_numbers(checker, line, &extras, start);
}

/* Looks for lanes that go on although an EXIT took them. */
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

static const char *check_inst(struct walk *walk, const char *at, struct error *err)
{
    struct checker *checker = walk->data;
    struct line line;
    uint64_t words[LINE_MAX_WORDS];
    const char *next = line_read(&checker->reader, at, checker->previous, &line, words);
    if (next == NULL)
        return walk_bad_line(walk, &checker->reader, err);
    checker->previous = line.record.inst;
    checker->verify->records++;
    check_code(checker, at);
    check_extras(checker, &line, at);
    check_exit(checker, &line);
    return next;
}

static const struct walk_ops ops = {
    .index = check_index, .begin_warp = begin_warp, .inst = check_inst, .wrong = wrong};

static int check_grouped(struct checker *checker, struct error *err)
{
    int rc;
    while ((rc = walk_next(&checker->walk, err)) > WALK_END)
        ;
    return rc;
}

/* ---- raw --------------------------------------------------------------- */

static int check_raw_line(struct checker *checker, struct error *err)
{
    struct line line;
    uint64_t words[LINE_MAX_WORDS];
    uint32_t id[4];
    const char *at = checker->source->at;
    const char *rest = line_read_ids(&checker->reader, at, id), *next = NULL;
    if (rest == NULL ||
        (next = line_read(&checker->reader, rest, checker->previous, &line, words)) == NULL) {
        walk_bad_line(&checker->walk, &checker->reader, err);
        return 0;
    }
    checker->previous = line.record.inst;
    checker->verify->records++;
    check_code(checker, rest);
    check_extras(checker, &line, rest);
    if (id[3] >= checker->walk.warps)
        walk_wrong(&checker->walk, err, at, "warp %u; blocks have %u warps", id[3],
                   checker->walk.warps);
    if (header_has_block(checker->header, id))
        return see_block(checker, id, at, err);
    const uint32_t *grid = checker->header->grid;
    return walk_wrong(&checker->walk, err, at, HEADER_NOT_IN_GRID, id[0], id[1], id[2], grid[0],
                      grid[1], grid[2]);
}

static int check_raw(struct checker *checker, struct error *err)
{
    struct source *source = checker->source;
    int rc;
    while ((rc = source_line(source, err)) == 1) {
        const char *line = scan_blanks(source->at);
        if (*line != '\n' && *line != '#' && check_raw_line(checker, err) != 0)
            return -1;
        source_skip(source);
    }
    return rc;
}

/* ---- all --------------------------------------------------------------- */

/* What the header lacks. */
static void check_header(struct checker *checker, const struct opcode_table *table, bool exact)
{
    const struct trace_header *header = checker->header;
    if (!header->has_id)
        note(checker, "the header has no '-kernel id'");
    if (header->name == NULL || *header->name == '\0')
        note(checker, "the header has no '-kernel name'");
    if (!exact)
        verifier_tell(checker->verify, false, checker->source->name, checker->source->line,
                      "binary version %u is not known; opcodes are taken as %s's",
                      header->binary_version, opcode_table_name(table));
}

static void tell_unknown(void *data, const char *opcode, uint64_t count)
{
    const struct checker *checker = data;
    verifier_tell(checker->verify, false, checker->source->name, 0,
                  "opcode %s is not known: its class comes from a rule", opcode);
}

static void tell_totals(struct checker *checker)
{
    const char *name = checker->source->name;
    uint64_t blocks = header_blocks(checker->header);
    bool told = checker->grouped && checker->walk.blocks < blocks;
    if (checker->blocks_seen < blocks && !told)
        verifier_tell(checker->verify, true, name, 0, "%lu of the grid's %lu thread blocks",
                      (unsigned long)checker->blocks_seen, (unsigned long)blocks);
    if (checker->told > VERIFIER_MOST)
        verifier_tell(checker->verify, true, name, 0, "%lu more errors",
                      (unsigned long)(checker->told - VERIFIER_MOST));
    if (checker->after_exit > 0)
        verifier_tell(checker->verify, false, name, 0,
                      "%lu warps go on after an EXIT took all their lanes; Accel-Sim "
                      "deadlocks on them",
                      (unsigned long)checker->after_exit);
    insts_unknown(&checker->insts, tell_unknown, checker);
}

/* Returns -1 with ERR filled if the text cannot be read on. */
static int check(struct checker *checker, const struct verifier_code *code, struct error *err)
{
    bool exact;
    if (header_read(checker->header, checker->source, NULL, err) != 0)
        return -1;
    const struct trace_header *header = checker->header;
    const struct opcode_table *table = opcode_table_for(header->binary_version, &exact);
    check_header(checker, table, exact);
    if (insts_init(&checker->insts, table) != 0)
        return error_no_memory_for(err, ERROR_TRACE, checker->source->name);
    if (code->functions != NULL)
        checker->function = functions_find(code->functions, header->name, code->launch);
    checker->grouped = checker->source->reader != &trace_reader_raw;
    walk_init(&checker->walk, &ops, checker, checker->source, header);
    checker->previous = INSTS_NONE;
    checker->reader = (struct line_reader){.insts = &checker->insts,
                                           .version = header->version,
                                           .lineinfo = header->lineinfo,
                                           .ids = checker->grouped && header->version < 30};
    int rc = checker->grouped ? check_grouped(checker, err) : check_raw(checker, err);
    tell_totals(checker);
    return rc;
}

void verifier_text(struct trace_verify *verify, struct source *source,
                   const struct verifier_code *code, struct trace_header *header)
{
    struct checker checker = {
        .verify = verify, .source = source, .header = header, .last = UINT64_MAX};
    struct error err = {0};
    if (check(&checker, code, &err) != 0)
        verifier_tell_error(verify, &err);
    insts_finish(&checker.insts);
    map_finish(&checker.seen);
}
