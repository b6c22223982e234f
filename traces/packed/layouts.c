#include <stdlib.h>
#include <string.h>

#include "traces/packed/models/template.h"
#include "traces/packed/text/print.h"

#define NUMBER       "\1d"
#define MOST_LAYOUTS (1u << 20)

static const char *const standard[LAYOUT_PLACES] = {
    [LAYOUT_BLOCK] = "\n#BEGIN_TB\n\nthread block = " NUMBER "," NUMBER "," NUMBER "\n",
    [LAYOUT_WARP] = "\nwarp = " NUMBER "\ninsts = " NUMBER "\n",
    [LAYOUT_END] = "\n#END_TB\n",
    [LAYOUT_FILE] = "",
};

const char *layouts_standard(enum layout_place place)
{
    return standard[place];
}

static bool append(struct layouts *layouts, const void *text, size_t length)
{
    if (layouts->count == layouts->capacity) {
        uint32_t capacity = layouts->capacity > 0 ? 2 * layouts->capacity : 16;
        if (capacity > MOST_LAYOUTS)
            return false;
        void *more = reallocarray(layouts->items, capacity, sizeof *layouts->items);
        if (more == NULL)
            return false;
        layouts->items = more;
        layouts->capacity = capacity;
    }
    layouts->items[layouts->count++] = (struct text_layout){layouts->text.size, length};
    bytes_put(&layouts->text, text, length);
    return !layouts->text.failed;
}

int layouts_init(struct layouts *layouts)
{
    *layouts = (struct layouts){0};
    bytes_reserve(&layouts->text, 256);
    for (int i = 0; i < LAYOUT_PLACES; i++)
        if (!append(layouts, standard[i], strlen(standard[i]))) {
            layouts_finish(layouts);
            return -1;
        }
    return 0;
}

void layouts_finish(struct layouts *layouts)
{
    bytes_finish(&layouts->text);
    free(layouts->items);
    *layouts = (struct layouts){0};
}

uint32_t layouts_add(struct layouts *layouts, struct coder *flow, const void *text,
                     size_t length)
{
    for (uint32_t i = 0; i < layouts->count; i++) {
        const struct text_layout *layout = &layouts->items[i];
        if (layout->length == length &&
            (length == 0 || memcmp(layouts->text.data + layout->at, text, length) == 0))
            return i;
    }
    coder_number(flow, CODER_LAYOUT_DEF, length, false);
    bytes_put(&flow->out[CODER_LAYOUT_DEF], text, length);
    return append(layouts, text, length) ? layouts->count - 1 : UINT32_MAX;
}

bool layouts_read(struct layouts *layouts, struct coder *flow)
{
    struct byte_reader *in = &flow->in[CODER_LAYOUT_DEF];
    uint64_t length = reader_number(in);
    const uint8_t *text = reader_take(in, length);
    return text != NULL && template_count(text, length) >= 0 && append(layouts, text, length);
}
