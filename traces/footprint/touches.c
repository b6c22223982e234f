#include "traces/footprint/touches.h"
#include "traces/address.h"

#define LINE   (1u << LINE_SHIFT)
#define SECTOR (1u << SECTOR_SHIFT)
/* Local memory of a thread is a window of 16 MiB: so many 4-byte words. */
#define LOCAL_WINDOW     (UINT64_C(1) << 24)
#define LOCAL_WORDS_BITS 22
#define WORD             4u

__extension__ typedef unsigned __int128 bits128;

/* Adds BYTES, COVERED bytes and SECTORS of a line. Neighbouring lanes mostly touch the last
 * one, so the search goes backwards. */
static void add(struct footprint_touches *touches, uint64_t line, uint32_t sectors,
                bits128 bytes, bits128 covered)
{
    uint32_t i = touches->count;
    while (i > touches->first && touches->items[i - 1].line != line)
        i--;
    if (i == touches->first) {
        i = ++touches->count;
        touches->items[i - 1] = (struct footprint_touch){.line = line, .kind = touches->kind};
    }
    struct footprint_touch *touch = &touches->items[i - 1];
    touch->sectors |= (uint8_t)sectors;
    touch->bytes[0] |= (uint64_t)bytes;
    touch->bytes[1] |= (uint64_t)(bytes >> 64);
    touch->covered[0] |= (uint64_t)covered;
    touch->covered[1] |= (uint64_t)(covered >> 64);
}

/* WIDTH bytes from each of BYTES on, as far as the line goes. */
static bits128 widen(bits128 bytes, uint32_t width)
{
    uint32_t done = 1;
    for (; 2 * done <= width; done *= 2)
        bytes |= bytes << done;
    return bytes | bytes << (width - done);
}

/* Adds the sectors from byte FIRST to byte LAST, which may lie in the next
 * line, the BYTES in which accesses begin and those that they cover. */
static void add_span(struct footprint_touches *touches, uint64_t line, uint32_t first,
                     uint32_t last, bits128 bytes, bits128 covered)
{
    uint32_t from = first >> SECTOR_SHIFT, to = last >> SECTOR_SHIFT;
    uint32_t sectors = (2u << to) - (1u << from);
    if (touches->kind != TOUCH_WRITE)
        covered = 0;
    add(touches, line, sectors & ((1u << LINE_SECTORS) - 1), bytes, covered);
    if (to >= LINE_SECTORS) /* the last line of all addresses is followed by the first one */
        add(touches, (line & TOUCH_LOCAL) | ((line + 1) & (TOUCH_LOCAL - 1)),
            sectors >> LINE_SECTORS, 0, covered != 0 ? ((bits128)2 << (last - LINE)) - 1 : 0);
}

static void add_lane(struct footprint_touches *touches, uint64_t address, uint32_t width)
{
    uint32_t offset = address & (LINE - 1);
    bits128 byte = (bits128)1 << offset;
    add_span(touches, address >> LINE_SHIFT, offset, offset + width - 1, byte,
             widen(byte, width));
}

/* The first of every STRIDE bits, COUNT times, from bit OFFSET on. */
static bits128 comb(uint32_t offset, uint32_t stride, uint32_t count)
{
    /* By the logarithm of the stride. */
    static const uint64_t teeth[] = {UINT64_MAX,         0x5555555555555555,
                                     0x1111111111111111, 0x0101010101010101,
                                     0x0001000100010001, 0x0000000100000001};
    uint32_t width = count * stride;
    if ((stride & (stride - 1)) == 0) {
        uint64_t word = teeth[__builtin_ctz(stride)];
        bits128 all = (bits128)word << 64 | word;
        return (width < LINE ? all & (((bits128)1 << width) - 1) : all) << offset;
    }
    bits128 bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (bits128)1 << (offset + i * stride);
    return bits;
}

/* Lanes at most a sector apart leave no sector between them out: line by
 * line. */
static void add_row(struct footprint_touches *touches, uint64_t address, uint32_t stride,
                    uint32_t lanes, uint32_t width)
{
    while (lanes > 0) {
        uint32_t offset = address & (LINE - 1);
        uint32_t count = (LINE - 1 - offset) / stride + 1;
        if (count > lanes)
            count = lanes;
        bits128 bytes = comb(offset, stride, count);
        add_span(touches, address >> LINE_SHIFT, offset,
                 offset + (count - 1) * stride + width - 1, bytes, widen(bytes, width));
        address += (uint64_t)count * stride;
        lanes -= count;
    }
}

static void add_strided(struct footprint_touches *touches, uint64_t base, uint64_t stride,
                        uint32_t lanes, uint32_t width)
{
    if (stride == 0) {
        lanes = 1;
        stride = 1;
    } else if (-stride <= SECTOR) { /* downwards */
        base += (lanes - 1) * stride;
        stride = -stride;
    }
    if (stride <= SECTOR) {
        add_row(touches, base, (uint32_t)stride, lanes, width);
        return;
    }
    for (uint32_t i = 0; i < lanes; i++)
        add_lane(touches, base + i * stride, width);
}

static void begin(struct footprint_touches *touches, uint8_t kind)
{
    touches->first = touches->count;
    touches->kind = kind;
}

static uint32_t end(const struct footprint_touches *touches)
{
    uint32_t sectors = 0;
    for (uint32_t i = touches->first; i < touches->count; i++)
        sectors += (uint32_t)__builtin_popcount(touches->items[i].sectors);
    return sectors;
}

uint32_t touches_add_global(struct footprint_touches *touches,
                            const struct trace_record *record, const uint64_t *addresses,
                            uint32_t width, uint8_t kind)
{
    const uint64_t *words = addresses + record->address;
    uint32_t lanes = (uint32_t)__builtin_popcount(record->mask);
    uint64_t room[32];
    begin(touches, kind);
    if (record->mode == TRACE_ADDRESS_STRIDE) {
        add_strided(touches, words[0], words[1], lanes, width);
        return end(touches);
    }
    const uint64_t *list = address_lanes(record, words, room);
    for (uint32_t i = 0; i < lanes; i++)
        add_lane(touches, list[i], width);
    return end(touches);
}

/* One lane: its words are a line each. */
static void add_private(struct footprint_touches *touches, uint64_t window, uint64_t offset,
                        uint32_t lane, uint32_t width)
{
    uint32_t words = width >= WORD ? width / WORD : 1, bytes = width >= WORD ? WORD : width;
    uint32_t at = lane * WORD + offset % WORD;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t word = (offset / WORD + w) & ((UINT64_C(1) << LOCAL_WORDS_BITS) - 1);
        bits128 byte = (bits128)1 << at;
        add_span(touches, window | word, at, at + bytes - 1, w == 0 ? byte : 0,
                 widen(byte, bytes));
    }
}

uint32_t touches_add_local(struct footprint_touches *touches, const struct trace_record *record,
                           const uint64_t *addresses, uint32_t width, uint8_t kind,
                           uint64_t base, uint64_t place)
{
    uint64_t room[32];
    const uint64_t *lanes = address_lanes(record, addresses + record->address, room);
    uint64_t window = TOUCH_LOCAL | ((place << LOCAL_WORDS_BITS) & (TOUCH_LOCAL - 1));
    uint32_t n = 0;
    begin(touches, kind);
    for (uint32_t mask = record->mask; mask != 0; mask &= mask - 1, n++) {
        uint64_t address = lanes[n];
        /* LDL and STL have offsets, generic accesses addresses in the window. */
        if (address - base < LOCAL_WINDOW)
            address -= base;
        add_private(touches, window, address & (LOCAL_WINDOW - 1),
                    (uint32_t)__builtin_ctz(mask), width);
    }
    return end(touches);
}
