/* What launches of packed workloads have that only their text says, as far as heads of groups
 * tell it. */
#include <stdio.h>
#include <string.h>

#include "traces/extras.h"
#include "traces/packed/store.h"
#include "traces/text/line.h"
#include "traces/text/scan.h"

/* Calls SEE for each group that has a part of launch I, with that part, until it returns false.
 * Returns 0 or -1. */
static int for_parts(struct store *store, size_t i,
                     bool (*see)(void *data, const struct group *group,
                                 const struct group_item *item),
                     void *data, struct error *err)
{
    const struct store_launch *launch = &store->launches[i];
    bool more = true;
    for (uint32_t g = 0; g < launch->groups && more; g++) {
        const struct group *group =
            store_acquire(store, launch->group + g, 1 << FRAME_HEAD, err);
        if (group == NULL)
            return -1;
        more = see(data, group, &group->items[g == 0 ? launch->item : 0]);
        store_release(store, launch->group + g);
    }
    return 0;
}

/* ---- whether there are extras ------------------------------------------ */

struct wanted_extras {
    unsigned extras; /* a set of enum trace_extra */
    int has;
};

/* Text that is kept as it was may have any. */
static bool see_extras(void *data, const struct group *group, const struct group_item *item)
{
    struct wanted_extras *wanted = data;
    const struct part_info *info = &item->info;
    const struct bytes *text = &group->codes[info->code].text;
    bool numbers = text->size > 0 && memchr(text->data, LINE_VALUE, text->size) != NULL;
    bool active = (info->flags & PART_ACTIVE) != 0;
    wanted->has = info->lengths[CODER_LITERAL] > 0 ||
                  ((wanted->extras & TRACE_EXTRA_NUMBERS) != 0 && numbers) ||
                  ((wanted->extras & TRACE_EXTRA_ACTIVE) != 0 && active);
    return wanted->has == 0;
}

int store_has_extras(struct store *store, size_t i, unsigned extras, struct error *err)
{
    struct wanted_extras wanted = {.extras = extras};
    return for_parts(store, i, see_extras, &wanted, err) == 0 ? wanted.has : -1;
}

/* ---- what they are ----------------------------------------------------- */

/* Copies the opcode behind the mask of INST's lines to OPCODE, cut off where it has no room. */
static void get_opcode(const struct code *code, const struct code_inst *inst, size_t room,
                       char *opcode)
{
    const char *at = code_pre(code, inst) + inst->pre, *end = at + inst->post;
    uint64_t skip = 0;
    size_t n = 0;
    while (at < end && scan_is_blank(*at))
        at++;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        skip = 10 * skip + (uint64_t)(*at - '0');
    for (uint64_t i = 0; i <= skip && at < end; i++) {
        while (at < end && scan_is_blank(*at))
            at++;
        for (n = 0; at + n < end && !scan_is_blank(at[n]);)
            n++;
        if (i < skip)
            at += n;
    }
    snprintf(opcode, room, "%.*s", (int)(at < end ? n : 0), at);
}

static bool see_contents(void *data, const struct group *group, const struct group_item *item)
{
    unsigned *contents = data;
    const struct code *code = &group->codes[item->info.code];
    for (uint32_t i = 0; i < code->count; i++) {
        const struct code_inst *inst = &code->insts[i];
        char opcode[32];
        const char *after = code_pre(code, inst) + inst->pre;
        bool numbers = memchr(after, LINE_VALUE, (size_t)inst->post + inst->tail) != NULL;
        get_opcode(code, inst, sizeof opcode, opcode);
        *contents |= trace_content_of(opcode, numbers, (inst->flags & CODE_ADDRESSES) != 0);
    }
    return true;
}

int store_contents(struct store *store, size_t i, unsigned *contents, struct error *err)
{
    *contents = 0;
    return for_parts(store, i, see_contents, contents, err);
}
