#include "traces/synth/hopper/warp_group.h"

#include <string.h>

#include "traces/synth/hopper/assembler.h"

/* Codes of instructions as listings of sm_90 have them, without registers of results and
 * control bits. */
#define CODE_EXCH                                                                              \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000004060075b2, 0x8000100                                                          \
    }
#define CODE_ARRIVE                                                                            \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x000000ffff0079a7, 0x8100406                                                          \
    }
#define CODE_EXPECT                                                                            \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000002ff0079a7, 0x8000006                                                          \
    }
#define CODE_TRY                                                                               \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000003ff0075a7, 0x8000146                                                          \
    }
#define CODE_LOAD                                                                              \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000008220075b4, 0x8010000                                                          \
    }
#define CODE_STORE                                                                             \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000008220073b5, 0x8010000                                                          \
    }
#define CODE_SHARED                                                                            \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x00000000180079f0, 0x700818                                                           \
    }
#define CODE_REGISTERS                                                                         \
    (struct trace_code)                                                                        \
    {                                                                                          \
        0x0000000018007df0, 0x700818                                                           \
    }
#define CODE_PLAIN(code)                                                                       \
    (struct trace_code)                                                                        \
    {                                                                                          \
        code, 0x8000000                                                                        \
    }
#define CLOSES_NOT (7ull << 20) /* of a product's high word: no batch ends with it */

enum { SYNCS_WIDTH = 4, TYPE_HALF = 6, SWIZZLE_128 = 3, PROMOTION_256 = 3 };

struct trace_tensor_map wg_tensor(uint64_t address, uint32_t rank, const uint64_t *dims,
                                  const uint32_t *box)
{
    struct trace_tensor_map map = {.type = TYPE_HALF,
                                   .address = address,
                                   .rank = rank,
                                   .swizzle = SWIZZLE_128,
                                   .promotion = PROMOTION_256};
    uint64_t stride = 2;
    for (uint32_t i = 0; i < rank; i++) {
        map.dims[i] = dims[i];
        map.strides[i] = stride;
        map.steps[i] = 1;
        map.box[i] = i == 0 ? SWIZZLED : box[i];
        stride *= dims[i];
    }
    return map;
}

/* ---- barriers in memory ------------------------------------------------ */

/* The place of ADDRESS of WARP's block in the cluster's shared memory. */
static uint32_t in_cluster(const struct warp *warp, uint32_t address)
{
    const struct trace_launch_facts *facts = warp->launch->facts;
    return address | warp->block[0] % facts->cluster[0] << RANK_AT;
}

/* A SYNCS at AT with COUNT NUMBERS. */
static void sync_at(struct warp *warp, const char *opcode, struct trace_code code,
                    const struct lanes *at, int reg, const uint64_t *numbers, uint8_t count)
{
    struct trace_sink_inst inst = {.opcode = opcode,
                                   .width = SYNCS_WIDTH,
                                   .tail = numbers,
                                   .tail_count = warp->mask != 0 ? count : 0};
    if (reg != NONE)
        inst.src[inst.src_count++] = (uint8_t)reg;
    warp->code = code;
    warp_emit_lanes(warp, &inst, at);
}

/* The same on ADDRESS of all lanes. */
static void sync(struct warp *warp, const char *opcode, struct trace_code code,
                 uint32_t address, int reg, const uint64_t *numbers, uint8_t count)
{
    struct lanes at;
    EACH_LANE(warp, lane)
    at.at[lane] = in_cluster(warp, address);
    sync_at(warp, opcode, code, &at, reg, numbers, count);
}

void wg_make_barrier(struct warp *warp, uint32_t address, uint32_t arrivals)
{
    const uint64_t left = 0x100000 - arrivals;
    const uint64_t word = left << 43 | left << 1;
    OP(warp, "UMOV", NONE);
    OP(warp, "UMOV", NONE);
    sync(warp, "SYNCS.EXCH.64", CODE_EXCH, address, NONE, &word, 2);
}

/* TRYWAIT waits some time by itself; where that was too short, the loop sleeps and asks again.
 */
void wg_wait(struct warp *warp, uint32_t address, uint32_t parity, int reg, bool turns)
{
    const uint64_t word = (uint64_t)parity << 31;
    uint32_t first = warp->pc, mask = warp->mask;
    for (int turn = turns ? 0 : 1; turn < 2; turn++) {
        warp->pc = first;
        warp->mask = mask;
        sync(warp, "SYNCS.PHASECHK.TRANS64.TRYWAIT", CODE_TRY, address, reg, &word, 1);
        warp->mask = turn == 0 ? mask : 0;
        warp->code = CODE_PLAIN(0x0000c3500000795d);
        OP(warp, "NANOSLEEP.SYNCS", NONE);
        sync(warp, "SYNCS.PHASECHK.TRANS64", CODE_TRY, address, reg, &word, 1);
        OP(warp, "BRA", NONE);
    }
    warp->mask = mask;
    if (warp->synth->assembler != NULL)
        assembler_note_loop(warp->synth->assembler, first, warp->pc - TRACE_CODE_BYTES);
}

void wg_arrive(struct warp *warp, uint32_t address, bool active)
{
    uint32_t saved = warp_predicate(warp, active ? ONE_LANE : 0);
    sync(warp, "SYNCS.ARRIVE.TRANS64.RED.A1T0", CODE_ARRIVE, address, RZ, NULL, 0);
    warp->mask = saved;
}

void wg_arrive_all(struct warp *warp, uint32_t address, uint32_t blocks, bool active)
{
    struct lanes at;
    uint32_t saved = warp_predicate(warp, active ? (1u << blocks) - 1 : 0);
    EACH_LANE(warp, lane)
    at.at[lane] = address | lane << RANK_AT;
    sync_at(warp, "SYNCS.ARRIVE.TRANS64.RED.A1T0", CODE_ARRIVE, &at, RZ, NULL, 0);
    warp->mask = saved;
}

void wg_expect(struct warp *warp, uint32_t address, uint32_t bytes, int reg)
{
    const uint64_t number = bytes;
    sync(warp, "SYNCS.ARRIVE.TRANS64", CODE_EXPECT, address, reg, &number, 1);
}

/* ---- copies ------------------------------------------------------------ */

/* Numbers of 32 bits, two to a word. */
struct copy_numbers {
    uint64_t words[TRACE_MAX_TAIL / 2];
    uint8_t count;
};

static void add(struct copy_numbers *numbers, uint32_t number)
{
    uint8_t i = numbers->count++;
    numbers->words[i / 2] |= (uint64_t)number << 32 * (i % 2);
}

/* COUNT: how many of place and barrier its registers have. */
static void issue(struct warp *warp, const char *opcode, struct trace_code code,
                  const struct wg_copy *copy, uint32_t count)
{
    const uint32_t first[] = {in_cluster(warp, copy->place), in_cluster(warp, copy->barrier)};
    struct copy_numbers numbers = {0};
    for (uint32_t i = 0; i < count; i++)
        add(&numbers, first[i]);
    for (uint32_t i = 0; i < copy->dimensions; i++)
        add(&numbers, copy->coordinates[i]);
    while (numbers.count < 2 + copy->dimensions)
        add(&numbers, 0);
    add(&numbers, (uint32_t)(PARAMETERS + copy->map));
    add(&numbers, (uint32_t)((PARAMETERS + copy->map) >> 32));
    if (copy->blocks > 1)
        add(&numbers, ((1u << copy->blocks) - 1) << 16);
    struct lanes at;
    EACH_LANE(warp, lane)
    at.at[lane] = PARAMETERS + copy->map;
    struct trace_sink_inst inst = {.opcode = opcode,
                                   .width = SYNCS_WIDTH,
                                   .tail = numbers.words,
                                   .tail_count = warp->mask != 0 ? numbers.count : 0};
    OP(warp, "UIADD3", NONE);
    warp->code = code;
    warp_emit_lanes(warp, &inst, &at);
}

void wg_load(struct warp *warp, const struct wg_copy *copy)
{
    static const char *const opcodes[][2] = {{"UTMALDG.2D", "UTMALDG.2D.MULTICAST"},
                                             {"UTMALDG.3D", "UTMALDG.3D.MULTICAST"},
                                             {"UTMALDG.4D", "UTMALDG.4D.MULTICAST"}};
    issue(warp, opcodes[copy->dimensions - 2][copy->blocks > 1], CODE_LOAD, copy, 2);
}

void wg_store(struct warp *warp, const struct wg_copy *copy)
{
    static const char *const opcodes[] = {"UTMASTG.2D", "UTMASTG.3D", "UTMASTG.4D"};
    issue(warp, opcodes[copy->dimensions - 2], CODE_STORE, copy, 1);
}

void wg_wait_stores(struct warp *warp)
{
    OP(warp, "UTMACMDFLUSH", NONE);
    OP(warp, "DEPBAR.LE", NONE);
}

void wg_fence(struct warp *warp)
{
    OP(warp, "FENCE.VIEW.ASYNC.S", NONE);
}

/* ---- products ---------------------------------------------------------- */

void wg_product(struct warp *warp, uint32_t n, int d, int a, int c, bool closes)
{
    static const char *const opcodes[] = {
        "HGMMA.64x64x16.F32",  "HGMMA.64x80x16.F32",  "HGMMA.64x96x16.F32",
        "HGMMA.64x112x16.F32", "HGMMA.64x128x16.F32", "HGMMA.64x144x16.F32",
        "HGMMA.64x160x16.F32", "HGMMA.64x176x16.F32", "HGMMA.64x192x16.F32",
        "HGMMA.64x208x16.F32", "HGMMA.64x224x16.F32", "HGMMA.64x240x16.F32",
        "HGMMA.64x256x16.F32"};
    const char *opcode = opcodes[(n - 64) / 16];
    warp->code = a == NONE ? CODE_SHARED : CODE_REGISTERS;
    if (closes)
        warp->code.high &= ~CLOSES_NOT;
    if (a == NONE)
        OP(warp, opcode, d, c);
    else {
        warp->code.low = (warp->code.low & ~(UINT64_C(255) << 24)) | (uint64_t)a << 24;
        OP(warp, opcode, d, a, c);
    }
}

void wg_arrive_products(struct warp *warp)
{
    OP(warp, "WARPGROUP.ARRIVE", NONE);
}

void wg_wait_products(struct warp *warp, uint32_t open)
{
    OP_IMM(warp, "WARPGROUP.DEPBAR.LE", open, NONE);
}

/* ---- warps ------------------------------------------------------------- */

void wg_registers(struct warp *warp, uint32_t count, bool more)
{
    OP_IMM(warp, more ? "USETMAXREG.TRY_ALLOC.CTAPOOL" : "USETMAXREG.DEALLOC.CTAPOOL", count,
           NONE);
}

static struct trace_code named(uint32_t number, uint32_t threads, uint64_t high)
{
    return (struct trace_code){(uint64_t)number << 54 | (uint64_t)threads << 42 | 0x7b1d, high};
}

void wg_barrier(struct warp *warp, uint32_t number, uint32_t threads)
{
    warp->code = named(number, threads, 0x10000);
    OP_IMM(warp, "BAR.SYNC.DEFER_BLOCKING", number, NONE);
}

void wg_barrier_of(struct warp *warp, uint32_t number, uint32_t threads, int a, int b,
                   bool waits)
{
    struct trace_sink_inst inst = {.opcode = waits ? "BAR.SYNC.DEFER_BLOCKING" : "BAR.ARV",
                                   .src_count = 2,
                                   .src = {(uint8_t)a, (uint8_t)b},
                                   .value_count = 2,
                                   .values = {number, threads}};
    warp->code = (struct trace_code){(uint64_t)a << 24 | (uint64_t)b << 32 | 0x731d,
                                     waits ? 0x10000 : 0x2000};
    warp_emit(warp, &inst);
}

void wg_meet_cluster(struct warp *warp)
{
    OP(warp, "UCGABAR_ARV", NONE);
    OP(warp, "UCGABAR_WAIT", NONE);
}

void wg_prologue(struct warp *warp)
{
    OP(warp, "MOV", 1);
    OP(warp, "S2R", 0);
    OP(warp, "S2UR", NONE);
    OP(warp, "SHF.R.U32.HI", 2, RZ, 0);
    OP(warp, "SHFL.IDX", 2, 2);
    OP(warp, "LOP3.LUT", 3, 0, RZ);
    OP(warp, "ISETP.NE.AND", NONE, 2, RZ);
}

struct branch wg_begin_barriers(struct warp *warp)
{
    struct branch branch = warp_if(warp, warp->index == 0 ? UINT32_MAX : 0);
    OP(warp, "ELECT", NONE);
    warp->mask &= ONE_LANE;
    return branch;
}

void wg_end_barriers(struct warp *warp, struct branch branch)
{
    OP(warp, "MEMBAR.ALL.CTA", NONE);
    warp_end_if(warp, branch);
    warp->code = named(0, 0, 0x10000);
    OP(warp, "BAR.SYNC.DEFER_BLOCKING", NONE);
}
