#include "traces/text/line_address.h"

#include "traces/text/scan.h"

/* The modes of the file. */
enum { LIST_ALL, BASE_STRIDE, BASE_DELTA, MODES };

static const char *fail(struct line_address *list, const char *at, const char *expected)
{
    list->failed_at = at;
    list->expected = expected;
    return NULL;
}

/* One "0x..." after blanks. The prefix is required: it distinguishes an address
 * from an immediate. */
static inline const char *read_address(struct line_address *list, const char *at,
                                       uint64_t *address)
{
    at = scan_blanks(at);
    const char *end = NULL;
    if (at[0] == '0' && at[1] == 'x')
        end = scan_hex(at + 2, 16, address);
    if (end == NULL || !scan_is_end(*end))
        return fail(list, at, "an address 0x... of at most 64 bits is expected");
    return end;
}

static inline const char *read_distance(struct line_address *list, const char *at,
                                        int64_t *distance)
{
    at = scan_blanks(at);
    const char *end = scan_signed(at, distance);
    if (end == NULL || !scan_is_end(*end))
        return fail(list, at, "a signed decimal address distance is expected");
    return end;
}

static const char *read_list(struct line_address *list, const char *at, int lanes)
{
    for (int i = 0; i < lanes && at != NULL; i++)
        at = read_address(list, at, &list->words[i]);
    return at;
}

static const char *read_deltas(struct line_address *list, const char *at, int lanes)
{
    at = read_address(list, at, &list->words[0]);
    for (int i = 1; i < lanes && at != NULL; i++) {
        int64_t delta = 0;
        at = read_distance(list, at, &delta);
        list->words[i] = list->words[i - 1] + (uint64_t)delta;
    }
    return at;
}

static const char *read_stride(struct line_address *list, const char *at)
{
    int64_t stride = 0;
    at = read_address(list, at, &list->words[0]);
    if (at != NULL)
        at = read_distance(list, at, &stride);
    list->words[1] = (uint64_t)stride;
    return at;
}

/* Picks the shortest form of LANES addresses. */
static void shorten(struct line_address *list, int lanes)
{
    list->mode = TRACE_ADDRESS_LIST;
    list->count = (uint32_t)lanes;
    if (lanes < 3)
        return;
    const uint64_t *w = list->words;
    uint64_t stride = w[1] - w[0];
    for (int i = 2; i < lanes; i++)
        if (w[i] - w[i - 1] != stride)
            return;
    list->words[1] = stride;
    list->mode = TRACE_ADDRESS_STRIDE;
    list->count = 2;
}

const char *line_address_read(const char *at, uint32_t mask, struct line_address *list)
{
    int lanes = __builtin_popcount(mask);
    uint64_t mode;
    const char *end = scan_decimal(at, MODES - 1, &mode);
    if (end == NULL || !scan_is_end(*end))
        return fail(list, at, "an address mode 0, 1 or 2 is expected");
    list->mode = TRACE_ADDRESS_NONE;
    list->count = 0;
    if (lanes == 0)
        return end; /* "1 0x0 0", or nothing */
    if (mode == BASE_STRIDE) {
        end = read_stride(list, end);
        list->mode = lanes > 1 ? TRACE_ADDRESS_STRIDE : TRACE_ADDRESS_LIST;
        list->count = lanes > 1 ? 2 : 1;
        return end;
    }
    end = mode == LIST_ALL ? read_list(list, end, lanes) : read_deltas(list, end, lanes);
    if (end != NULL)
        shorten(list, lanes);
    return end;
}
