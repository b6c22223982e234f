#include "traces/packed/models/lines.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/packed/models/template.h"

#define MOST_LINES (1u << 24)

/* Where the numbers come from. */
enum line_choice {
    AS_IN_CONTEXT, /* those of this context's last line of the template */
    AS_BEFORE,     /* the last ones of the template, moved by the same differences */
    GIVEN,         /* differences to those of the context */
    CHOICES
};

void lines_finish(struct lines *lines)
{
    bytes_finish(&lines->text);
    free(lines->templates);
    free(lines->values);
    map_finish(&lines->by_text);
    map_finish(&lines->by_context);
    *lines = (struct lines){0};
}

static uint32_t fail(struct lines *lines)
{
    lines->failed = true;
    return MAP_NONE;
}

/* Room for COUNT zeros in `values`. */
static size_t add_values(struct lines *lines, size_t count)
{
    size_t at = lines->value_count;
    if (at + count > lines->value_capacity) {
        size_t capacity = 2 * (lines->value_capacity + count);
        void *more = reallocarray(lines->values, capacity, sizeof *lines->values);
        if (more == NULL) {
            lines->failed = true;
            return SIZE_MAX;
        }
        lines->values = more;
        lines->value_capacity = capacity;
    }
    if (count > 0) /* else there may be no array */
        memset(lines->values + at, 0, count * sizeof *lines->values);
    lines->value_count += count;
    return at;
}

/* Adds the template of LENGTH bytes that stands last in `text`. */
static uint32_t add_template(struct lines *lines, size_t at, size_t length, uint64_t key)
{
    int numbers = template_count(lines->text.data + at, length);
    if (numbers < 0 || lines->count == MOST_LINES)
        return fail(lines);
    if (lines->count == lines->capacity) {
        uint32_t capacity = lines->capacity > 0 ? 2 * lines->capacity : 32;
        void *more = reallocarray(lines->templates, capacity, sizeof *lines->templates);
        if (more == NULL)
            return fail(lines);
        lines->templates = more;
        lines->capacity = capacity;
    }
    size_t last = add_values(lines, 2 * (size_t)numbers);
    if (last == SIZE_MAX || !map_set(&lines->by_text, key, lines->count))
        return fail(lines);
    lines->templates[lines->count] = (struct lines_template){.at = at,
                                                             .length = length,
                                                             .numbers = (uint32_t)numbers,
                                                             .last = last,
                                                             .next = MAP_NONE};
    return lines->count++;
}

/* The template in `text` from AT on, added if it is new; *FRESH says whether it was. */
static uint32_t intern(struct lines *lines, size_t at, bool *fresh)
{
    *fresh = false;
    if (!bytes_reserve(&lines->text, 1)) /* the first template may be empty */
        return fail(lines);
    size_t length = lines->text.size - at;
    const uint8_t *text = lines->text.data + at;
    uint64_t key = XXH3_64bits(text, length);
    for (uint32_t i; (i = map_get(&lines->by_text, key)) != MAP_NONE; key++) {
        const struct lines_template *t = &lines->templates[i];
        if (t->length == length &&
            (length == 0 || memcmp(lines->text.data + t->at, text, length) == 0)) {
            lines->text.size = at;
            return i;
        }
    }
    *fresh = true;
    return add_template(lines, at, length, key);
}

/* Where the numbers of template I in CONTEXT are kept. */
static size_t context_values(struct lines *lines, uint32_t i, uint32_t context)
{
    uint64_t key = map_key(context, i);
    uint32_t at = map_get(&lines->by_context, key);
    if (at != MAP_NONE)
        return at;
    const struct lines_template *t = &lines->templates[i];
    size_t fresh = add_values(lines, t->numbers);
    if (fresh >= MAP_NONE || !map_set(&lines->by_context, key, (uint32_t)fresh)) {
        lines->failed = true;
        return SIZE_MAX;
    }
    for (uint32_t k = 0; k < t->numbers; k++)
        lines->values[fresh + k] = lines->values[t->last + k];
    return fresh;
}

static uint64_t foretell(const struct lines *lines, const struct lines_template *t,
                         size_t context, enum line_choice choice, uint32_t k)
{
    const uint64_t *last = lines->values + t->last;
    return choice == AS_BEFORE ? last[k] + last[t->numbers + k] : lines->values[context + k];
}

static enum line_choice choose(const struct lines *lines, const struct lines_template *t,
                               size_t context, const uint64_t *numbers)
{
    const enum line_choice order[] = {t->choice, AS_IN_CONTEXT, AS_BEFORE};
    for (int i = 0; i < 3; i++) {
        uint32_t k = 0;
        while (k < t->numbers && order[i] != GIVEN &&
               foretell(lines, t, context, order[i], k) == numbers[k])
            k++;
        if (k == t->numbers)
            return order[i];
    }
    return GIVEN;
}

/* Codes the numbers of a line of template I. */
static void code_numbers(struct lines *lines, struct coder *flow, uint32_t i, uint32_t context,
                         uint64_t *numbers, const bool reading)
{
    struct lines_template *t = &lines->templates[i];
    size_t at = t->numbers > 0 ? context_values(lines, i, context) : SIZE_MAX;
    if (at == SIZE_MAX)
        return;
    enum line_choice choice = reading ? AS_IN_CONTEXT : choose(lines, t, at, numbers);
    bool hit =
        coder_hit(flow, CODER_ITEM_HITS, choice == t->choice && choice != GIVEN, reading);
    choice = hit ? t->choice : (enum line_choice)coder_byte(flow, CODER_ITEM, choice, reading);
    uint64_t *last = lines->values + t->last;
    for (uint32_t k = 0; k < t->numbers; k++) {
        uint64_t expected = foretell(lines, t, at, choice, k);
        if (choice != GIVEN)
            numbers[k] = expected;
        else
            numbers[k] =
                expected + coder_signed(flow, CODER_ITEM, numbers[k] - expected, reading);
    }
    for (uint32_t k = 0; k < t->numbers; k++) {
        last[t->numbers + k] = numbers[k] - last[k];
        lines->values[at + k] = last[k] = numbers[k];
    }
    t->choice = choice < GIVEN ? (uint8_t)choice : t->choice;
}

static uint32_t *next_of(struct lines *lines)
{
    return lines->count == 0 || lines->previous == MAP_NONE
               ? &lines->first
               : &lines->templates[lines->previous].next;
}

uint32_t lines_write(struct lines *lines, struct coder *flow, uint32_t context,
                     const char *line, size_t length)
{
    uint64_t numbers[TEMPLATE_MAX_NUMBERS];
    if (lines->count == 0)
        lines->previous = lines->first = MAP_NONE;
    size_t at = lines->text.size;
    bool fresh;
    template_split(line, length, &lines->text, numbers);
    uint32_t expected = *next_of(lines);
    uint32_t i = intern(lines, at, &fresh);
    if (i == MAP_NONE || lines->text.failed)
        return fail(lines);
    if (!coder_hit(flow, CODER_ITEM_HITS, i == expected, false))
        coder_number(flow, CODER_ITEM, fresh ? 0 : 1 + (uint64_t)i, false);
    if (fresh) {
        bytes_put(&flow->out[CODER_TEXT], lines->text.data + at, lines->text.size - at);
        bytes_byte(&flow->out[CODER_TEXT], '\n');
    }
    *next_of(lines) = i;
    lines->previous = i;
    code_numbers(lines, flow, i, context, numbers, false);
    return lines->failed ? MAP_NONE : i;
}

/* Takes a new template from the texts. */
static uint32_t read_template(struct lines *lines, struct coder *flow)
{
    struct byte_reader *in = &flow->in[CODER_TEXT];
    const uint8_t *end =
        in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
    if (end == NULL)
        return fail(lines);
    size_t at = lines->text.size;
    bool fresh;
    bytes_put(&lines->text, in->at, (size_t)(end - in->at));
    in->at = end + 1;
    return lines->text.failed ? fail(lines) : intern(lines, at, &fresh);
}

uint32_t lines_read(struct lines *lines, struct coder *flow, uint32_t context,
                    struct bytes *line)
{
    uint64_t numbers[TEMPLATE_MAX_NUMBERS];
    if (lines->count == 0)
        lines->previous = lines->first = MAP_NONE;
    uint32_t i = *next_of(lines);
    if (!coder_hit(flow, CODER_ITEM_HITS, false, true)) {
        uint64_t n = coder_number(flow, CODER_ITEM, 0, true);
        i = n == 0              ? read_template(lines, flow)
            : n <= lines->count ? (uint32_t)(n - 1)
                                : MAP_NONE;
    }
    if (i == MAP_NONE)
        return fail(lines);
    *next_of(lines) = i;
    lines->previous = i;
    code_numbers(lines, flow, i, context, numbers, true);
    if (lines->failed)
        return MAP_NONE;
    const struct lines_template *t = &lines->templates[i];
    template_join(lines->text.data + t->at, t->length, numbers, line);
    return i;
}
