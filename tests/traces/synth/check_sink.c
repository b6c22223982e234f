#include "tests/traces/synth/check_sink.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/synth/synth_workloads.h"

/* Check notes every assertion that holds, which is too slow for one an
 * instruction. */
#define REQUIRE(condition, ...)                                                                \
    do {                                                                                       \
        if (!(condition))                                                                      \
            ck_abort_msg(__VA_ARGS__);                                                         \
    } while (0)
#define WARP_SIZE   32
#define GLOBAL_FROM (UINT64_C(1) << 32)

static struct check_sink *of(struct trace_sink *sink)
{
    return (struct check_sink *)sink;
}

uint64_t check_hash(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static void on_alloc(void *data, uint64_t address, uint64_t bytes)
{
    struct check_sink *sink = data;
    sink->ranges = reallocarray(sink->ranges, sink->range_count + 1, sizeof *sink->ranges);
    ck_assert_uint_gt(bytes, 0);
    ck_assert_uint_eq(address % 512, 0);
    sink->ranges[sink->range_count][0] = address;
    sink->ranges[sink->range_count++][1] = address + bytes;
}

static bool is_allocated(struct check_sink *sink, uint64_t from, uint64_t to)
{
    const uint64_t *last = sink->ranges[sink->last_range];
    if (from >= last[0] && to <= last[1])
        return true;
    for (size_t i = 0; i < sink->range_count; i++)
        if (from >= sink->ranges[i][0] && to <= sink->ranges[i][1]) {
            sink->last_range = i;
            return true;
        }
    return false;
}

static int begin(struct trace_sink *sink, const char *note, struct error *err)
{
    ck_assert_ptr_null(strchr(note, '\n'));
    return 0;
}

static int copy(struct trace_sink *sink, bool to_host, uint64_t address, uint64_t bytes,
                struct error *err)
{
    ck_assert_ptr_null(of(sink)->header);
    ck_assert(is_allocated(of(sink), address, address + bytes));
    return 0;
}

static int line(struct trace_sink *sink, const char *text, struct error *err)
{
    ck_assert_ptr_null(of(sink)->header);
    of(sink)->waits += trace_note_kind(text) == TRACE_NOTE_WAIT;
    return 0;
}

static struct check_kernel *find_kernel(struct check_sink *sink, const char *name)
{
    for (size_t i = 0; i < sink->kernel_count; i++)
        if (strcmp(sink->kernels[i]->name, name) == 0)
            return sink->kernels[i];
    struct check_kernel *kernel = calloc(1, sizeof *kernel);
    kernel->name = strdup(name);
    sink->kernels = reallocarray(sink->kernels, sink->kernel_count + 1, sizeof *sink->kernels);
    return sink->kernels[sink->kernel_count++] = kernel;
}

static int begin_launch(struct trace_sink *base, const struct trace_header *header,
                        const struct trace_function *function, bool memory_only,
                        struct error *err)
{
    struct check_sink *sink = of(base);
    ck_assert_ptr_null(sink->header);
    ck_assert_uint_eq(header->id, sink->launch_count + 1);
    sink->header = header;
    sink->code_count = function != NULL ? function->count : 0;
    sink->blocks = 0;
    sink->launches =
        reallocarray(sink->launches, sink->launch_count + 1, sizeof *sink->launches);
    sink->launches[sink->launch_count++] =
        (struct check_launch){.kernel = find_kernel(sink, header->name)};
    sink->line_room = 0;
    return 0;
}

static int begin_block(struct trace_sink *base, const uint32_t index[3], struct error *err)
{
    struct check_sink *sink = of(base);
    const uint32_t *grid = sink->header->grid;
    uint64_t number = index[0] + (uint64_t)grid[0] * (index[1] + (uint64_t)grid[1] * index[2]);
    ck_assert_uint_eq(number, sink->blocks);
    sink->blocks++;
    sink->warps = 0;
    sink->all_barriers = UINT32_MAX;
    return 0;
}

static uint32_t threads(const struct check_sink *sink)
{
    const uint32_t *block = sink->header->block;
    return block[0] * block[1] * block[2];
}

static int begin_warp(struct trace_sink *base, uint32_t warp, uint64_t insts, struct error *err)
{
    struct check_sink *sink = of(base);
    REQUIRE(warp == sink->warps, "%s: the warps are not in order", sink->header->name);
    uint32_t left = threads(sink) - warp * WARP_SIZE;
    sink->lanes = left >= WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    sink->live = sink->lanes;
    sink->regs = sink->header->regs;
    sink->warps++;
    sink->barriers = 0;
    sink->pc = 0;
    memset(sink->written, 0, sizeof sink->written);
    return 0;
}

static bool same_inst(const struct trace_sink_inst *a, const struct trace_sink_inst *b)
{
    return strcmp(a->opcode, b->opcode) == 0 && a->width == b->width && a->imm == b->imm &&
           a->dst_count == b->dst_count && a->src_count == b->src_count &&
           memcmp(a->dst, b->dst, a->dst_count) == 0 &&
           memcmp(a->src, b->src, a->src_count) == 0;
}

/* A program counter has one instruction, in all launches of a kernel. */
static void check_place(struct check_sink *sink, const struct trace_sink_inst *inst)
{
    REQUIRE(inst->pc % 16 == 0, "%s: %x is no place of an instruction", sink->header->name,
            inst->pc);
    REQUIRE(inst->pc / 16 < CHECK_PCS, "%s: more code than there is room for",
            sink->header->name);
    const struct check_launch *launch = &sink->launches[sink->launch_count - 1];
    struct check_inst *place = (struct check_inst *)&launch->kernel->insts[inst->pc / 16];
    REQUIRE(!place->seen || same_inst(&place->inst, inst),
            "%s: %x is %s and %s, or with other registers", launch->kernel->name, inst->pc,
            place->seen ? place->inst.opcode : "", inst->opcode);
    place->seen = true;
    place->inst = *inst;
    sink->loops += inst->pc < sink->pc;
    sink->pc = inst->pc;
}

/* Registers that a destination stands for. */
static int registers_of(const struct trace_sink_inst *inst)
{
    static const struct {
        const char *start;
        int count;
    } wide[] = {{"HMMA.884", 2}, {"HMMA", 4}, {"CS2R", 2}, {"IMAD.WIDE", 2}, {"D", 2}};
    unsigned columns;
    if (sscanf(inst->opcode, "HGMMA.64x%ux", &columns) == 1)
        return (int)columns / 2;
    if (inst->width > 4)
        return inst->width / 4;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strncmp(inst->opcode, wide[i].start, strlen(wide[i].start)) == 0)
            return wide[i].count;
    return 1;
}

/* What is read was written before, and the header, or else the warp by itself, has as many
 * registers. */
static void check_registers(struct check_sink *sink, const struct trace_sink_inst *inst)
{
    const char *name = sink->header->name;
    if (strncmp(inst->opcode, "USETMAXREG", 10) == 0)
        sink->regs = inst->imm;
    REQUIRE(inst->dst_count <= 1, "%s: %s has more than one destination", sink->header->name,
            inst->opcode);
    REQUIRE(inst->src_count <= 4, "%s: %s has more than four sources", sink->header->name,
            inst->opcode);
    for (int i = 0; i < inst->src_count; i++)
        REQUIRE(inst->src[i] == TRACE_REG_ZERO || sink->written[inst->src[i]],
                "%s: %x %s reads R%d, which nothing wrote", name, inst->pc, inst->opcode,
                inst->src[i]);
    for (int i = 0; i < registers_of(inst) && inst->dst_count > 0; i++) {
        REQUIRE(inst->dst[0] == TRACE_REG_ZERO || inst->dst[0] + (uint32_t)i < sink->regs,
                "%s: %x %s writes R%d, but there are %u", name, inst->pc, inst->opcode,
                inst->dst[0] + i, sink->regs);
        sink->written[(uint8_t)(inst->dst[0] + i)] = true;
    }
}

static uint64_t address_of(const struct trace_sink_inst *inst, uint32_t n)
{
    return inst->mode == TRACE_ADDRESS_LIST ? inst->words[n]
                                            : inst->words[0] + n * inst->words[1];
}

static void add_line(struct check_sink *sink, uint64_t line)
{
    struct check_launch *launch = &sink->launches[sink->launch_count - 1];
    if (launch->line_count > 0 && launch->lines[launch->line_count - 1] == line)
        return;
    if (launch->line_count == sink->line_room) {
        sink->line_room = sink->line_room == 0 ? 1024 : 2 * sink->line_room;
        launch->lines = reallocarray(launch->lines, sink->line_room, sizeof *launch->lines);
    }
    launch->lines[launch->line_count++] = line;
}

static void check_addresses(struct check_sink *sink, const struct trace_sink_inst *inst)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(inst->mask);
    REQUIRE((inst->mode == TRACE_ADDRESS_NONE) == (inst->width == 0 || inst->mask == 0),
            "%s: addresses without lanes, or lanes without", sink->header->name);
    if (strncmp(inst->opcode, "UTMA", 4) == 0) /* where a tensor map is */
        return;
    for (uint32_t n = 0; n < lanes && inst->mode != TRACE_ADDRESS_NONE; n++) {
        uint64_t at = address_of(inst, n);
        if (strncmp(inst->opcode, "SYNCS", 5) != 0) /* whose addresses only some readers get */
            sink->hash = check_hash(sink->hash, at);
        REQUIRE(at % inst->width == 0, "%s: %x %s at %lx is not aligned", sink->header->name,
                inst->pc, inst->opcode, (unsigned long)at);
        bool of_cluster =
            strncmp(inst->opcode, "SYNCS", 5) == 0; /* a block's rank from bit 24 on */
        uint64_t shared = of_cluster ? at & 0xffffff : at;
        bool inside = at < GLOBAL_FROM ? shared + inst->width <= sink->header->shmem
                                       : is_allocated(sink, at, at + inst->width);
        REQUIRE(inside, "launch %zu %s: %x %s at %lx is outside", sink->launch_count,
                sink->header->name, inst->pc, inst->opcode, (unsigned long)at);
        if (sink->keep_lines && at >= GLOBAL_FROM)
            add_line(sink, at / 128);
    }
}

static int inst(struct trace_sink *base, const struct trace_sink_inst *inst, struct error *err)
{
    struct check_sink *sink = of(base);
    REQUIRE(sink->live != 0, "%s: an instruction after the last EXIT", sink->header->name);
    REQUIRE((inst->mask & ~sink->live) == 0, "%s: %x %s has lanes that left",
            sink->header->name, inst->pc, inst->opcode);
    check_place(sink, inst);
    check_registers(sink, inst);
    sink->launches[sink->launch_count - 1].warp_insts++;
    sink->hash = check_hash(check_hash(sink->hash, inst->pc), inst->mask);
    for (const char *at = inst->opcode; *at != '\0'; at++)
        sink->hash = check_hash(sink->hash, (uint64_t)*at);
    check_addresses(sink, inst);
    if (strcmp(inst->opcode, "EXIT") == 0)
        sink->live &= ~inst->mask;
    sink->barriers +=
        strncmp(inst->opcode, "BAR", 3) == 0 && inst->imm == 0 && inst->value_count == 0;
    return 0;
}

/* Every lane has left, and the warps met at the same barriers. */
static int end_warp(struct trace_sink *base, struct error *err)
{
    struct check_sink *sink = of(base);
    REQUIRE(sink->live == 0, "%s: lanes that did not leave", sink->header->name);
    if (sink->all_barriers == UINT32_MAX)
        sink->all_barriers = sink->barriers;
    REQUIRE(sink->barriers == sink->all_barriers, "%s: %u and %u barriers", sink->header->name,
            sink->barriers, sink->all_barriers);
    return 0;
}

static int end_block(struct trace_sink *base, struct error *err)
{
    REQUIRE(of(base)->warps == ((threads(of(base)) + WARP_SIZE - 1) / WARP_SIZE),
            "%s: warps are missing", of(base)->header->name);
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int end_launch(struct trace_sink *base, struct error *err)
{
    struct check_sink *sink = of(base);
    const uint32_t *grid = sink->header->grid;
    ck_assert_uint_eq(sink->blocks, (uint64_t)grid[0] * grid[1] * grid[2]);
    struct check_launch *launch = &sink->launches[sink->launch_count - 1];
    size_t count = 0;
    if (launch->line_count > 0)
        qsort(launch->lines, launch->line_count, sizeof *launch->lines, compare);
    for (size_t i = 0; i < launch->line_count; i++)
        if (count == 0 || launch->lines[count - 1] != launch->lines[i])
            launch->lines[count++] = launch->lines[i];
    launch->line_count = count;
    sink->header = NULL;
    return 0;
}

static int end(struct trace_sink *base, struct error *err)
{
    of(base)->end = true;
    return 0;
}

static void destroy(struct trace_sink *base)
{
}

static const struct trace_sink_ops ops = {
    begin, copy,     line,      begin_launch, begin_block, begin_warp,
    inst,  end_warp, end_block, end_launch,   end,         destroy,
};

void check_sink_init(struct check_sink *sink, bool keep_lines)
{
    *sink = (struct check_sink){.base.ops = &ops, .keep_lines = keep_lines};
}

void check_sink_finish(struct check_sink *sink)
{
    for (size_t i = 0; i < sink->kernel_count; i++) {
        free(sink->kernels[i]->name);
        free(sink->kernels[i]);
    }
    for (size_t i = 0; i < sink->launch_count; i++)
        free(sink->launches[i].lines);
    free(sink->kernels);
    free(sink->launches);
    free(sink->ranges);
}

void check_sink_run(struct check_sink *sink, const char *name, double scale, uint64_t seed,
                    const char *arch)
{
    struct error err = {0};
    struct synth synth = {.on_alloc = on_alloc, .on_alloc_data = sink};
    const struct trace_synth_options options = {scale, seed, arch};
    ck_assert_msg(synth_run(&synth, name, &options, &sink->base, &err) == 0, "%s", err.text);
    ck_assert(sink->end);
}
