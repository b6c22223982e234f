/* Whether launches of packed workloads have what only their text says. */
#include <string.h>

#include "traces/extras.h"
#include "traces/packed/store.h"
#include "traces/text/line.h"

/* Whether ITEM of GROUP, a part of a launch, has some of EXTRAS, as far as its head says: text
 * that is kept as it was may have any. */
static bool part_has(const struct group *group, const struct group_item *item, unsigned extras)
{
    const struct part_info *info = &item->info;
    const struct bytes *text = &group->codes[info->code].text;
    bool numbers = text->size > 0 && memchr(text->data, LINE_VALUE, text->size) != NULL;
    return info->lengths[CODER_LITERAL] > 0 ||
           ((extras & TRACE_EXTRA_NUMBERS) != 0 && numbers) ||
           ((extras & TRACE_EXTRA_ACTIVE) != 0 && (info->flags & PART_ACTIVE) != 0);
}

int store_has_extras(struct store *store, size_t i, unsigned extras, struct error *err)
{
    const struct store_launch *launch = &store->launches[i];
    int has = 0;
    for (uint32_t g = 0; g < launch->groups && has == 0; g++) {
        const struct group *group =
            store_acquire(store, launch->group + g, 1 << FRAME_HEAD, err);
        if (group == NULL)
            return -1;
        has = part_has(group, &group->items[g == 0 ? launch->item : 0], extras);
        store_release(store, launch->group + g);
    }
    return has;
}
