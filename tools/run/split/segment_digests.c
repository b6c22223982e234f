#include "tools/run/split/segment_digests.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_text(FILE *out, const char *text)
{
    fprintf(out, " %s", text != NULL ? text : "-");
}

static void write_launch(const struct plan *plan, const struct plan_launch *launch, FILE *out)
{
    fprintf(out, "launch %s %s", plan_role_names[launch->role], plan_mode_names[launch->mode]);
    write_text(out, launch->step->prime);
    write_text(out, launch->step->intra);
    /* In a plain list the position may be the launch's number. */
    fprintf(out, " %" PRIu32 " %s\n", plan->written ? 0 : launch->position, launch->name);
}

static void write_state(const char *path, FILE *out)
{
    char digest[DIGEST_TEXT];
    fprintf(out, "restore %s\n", digest_file(path, digest) ? digest : path);
}

static void write_item(const struct plan *plan, const struct plan_item *item, FILE *out)
{
    switch (item->kind) {
    case PLAN_COPY:
        fprintf(out, "copy %" PRIu64 " %" PRIu64 " %d %d\n", item->copy.address,
                item->copy.bytes, item->copy.to_host, item->copy.on_device);
        break;
    case PLAN_FLUSH:
        fprintf(out, "flush %u %d\n", item->flush.levels, item->flush.drop);
        break;
    case PLAN_RESTORE:
        write_state(item->text, out);
        break;
    case PLAN_LAUNCH:
        write_launch(plan, &item->launch, out);
        break;
    default: /* names do not matter, and plans that save states are not split */
        break;
    }
}

size_t segment_digest_make(const struct plan *plan, size_t begin, char text[DIGEST_TEXT])
{
    struct digest_text digest;
    size_t item = begin;
    if (!digest_text_begin(&digest))
        return SIZE_MAX;
    do {
        write_item(plan, &plan->items[item++], digest.out);
    } while (item < plan->count && plan->items[item].kind != PLAN_SEGMENT);
    return digest_text_end(&digest, text) ? item : SIZE_MAX;
}

int segment_digests_init(struct segment_digests *digests, const struct plan *plan,
                         struct error *err)
{
    size_t most = 1, item = 0;
    for (size_t i = 0; i < plan->count; i++)
        most += plan->items[i].kind == PLAN_SEGMENT;
    *digests =
        (struct segment_digests){.items = calloc(most, sizeof *digests->items), .apart = true};
    if (digests->items == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < plan->count; i++)
        digests->apart &= plan->items[i].kind != PLAN_SAVE;
    while (item < plan->count) {
        struct segment_digest *segment = &digests->items[digests->count++];
        segment->begin = (uint32_t)item;
        item = segment_digest_make(plan, item, segment->text);
    }
    return item == SIZE_MAX ? error_no_memory(err) : 0;
}

void segment_digests_finish(struct segment_digests *digests)
{
    free(digests->items);
    *digests = (struct segment_digests){0};
}
