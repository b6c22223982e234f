#include "tools/run/results/rows/row_texts.h"

#include <stdlib.h>
#include <string.h>

int row_texts_init(struct row_texts *texts, size_t count, struct error *err)
{
    *texts = (struct row_texts){.items = calloc(count, sizeof *texts->items), .count = count};
    if (texts->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const char *name = row_column(i).name;
        json_key_init(&texts->items[i].key, name);
        texts->items[i].name_length = strlen(name);
    }
    return 0;
}

void row_texts_finish(struct row_texts *texts)
{
    free(texts->items);
    *texts = (struct row_texts){0};
}

static bool is_zero(const struct value *value)
{
    return value->kind == VALUE_NONE || (value->kind == VALUE_COUNT && value->count == 0) ||
           (value->kind == VALUE_RATIO && value->ratio == 0);
}

void row_texts_fill(struct row_texts *texts, const struct row *row)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct row_text *item = &texts->items[i];
        const struct value value = row_value(row, i);
        item->kind = value.kind;
        item->zero = is_zero(&value);
        if (value.kind == VALUE_COUNT && value.count == 0) { /* most are */
            item->text = "0";
            item->length = 1;
            continue;
        }
        item->text = value_text(&value, item->buffer);
        item->length = strlen(item->text);
        if (item->text == value.text)
            item->text = memcpy(item->buffer, value.text, sizeof value.text);
    }
}
