#include "tools/commands/trace/info_extras.h"

#include <inttypes.h>
#include <stdio.h>

/* Contents by their bits: columns, and words for them. */
static const struct {
    const char *column, *words;
} contents[TRACE_CONTENTS] = {
    {"barrier_values", "barriers (BAR)"},
    {"shared_addresses", "shared addresses (LDGSTS)"},
    {"constant_addresses", "constants (LDC, ULDC)"},
    {"mbarrier_values", "barriers in memory (SYNCS)"},
    {"tensor_values", "tensor copies (UTMA*)"},
    {"block_values", "block copies (UBLK*)"},
};

/* ---- counting ---------------------------------------------------------- */

static void add_map(struct info_extras *extras, const char *line)
{
    struct trace_tensor_map map;
    if (!trace_note_tensor_map(line, &map))
        return;
    extras->tiled += !map.im2col;
    extras->im2col += map.im2col;
}

void info_extras_note(struct info_extras *extras, const char *line)
{
    struct trace_wait wait;
    switch (trace_note_kind(line)) {
    case TRACE_NOTE_LAUNCH:
        extras->has_next = trace_note_launch(line, &extras->next);
        break;
    case TRACE_NOTE_TENSOR_MAP:
        add_map(extras, line);
        break;
    case TRACE_NOTE_WAIT:
        extras->waits += trace_note_wait(line, &wait);
        break;
    case TRACE_NOTE_COPY:
        extras->device_copies++;
        break;
    case TRACE_NOTE_SET:
        extras->sets++;
        break;
    case TRACE_NOTE_MANAGED:
        extras->managed++;
        break;
    case TRACE_NOTE_WRITTEN:
        extras->written++;
        break;
    case TRACE_NOTE_PREDICATES:
    case TRACE_NOTE_OTHER:
        break;
    }
}

static void add_facts(struct info_extras *extras, const struct trace_launch_facts *facts)
{
    const uint32_t *cluster = facts->cluster;
    extras->facts++;
    extras->dynamic += facts->dynamic_shmem > 0;
    extras->clusters += cluster[0] > 1 || cluster[1] > 1 || cluster[2] > 1;
    extras->cooperative += facts->cooperative;
    extras->carveouts += facts->carveout >= 0;
    extras->windows += facts->has_window;
    extras->programmatic += facts->programmatic == 1;
    extras->with_maps += facts->map_count > 0;
}

void info_extras_launch(struct info_extras *extras, const struct trace_header *header,
                        struct info_launch *launch)
{
    launch->active = header->active_masks;
    launch->has_facts = extras->has_next && extras->next.launch == header->id;
    if (launch->has_facts) {
        launch->facts = extras->next;
        add_facts(extras, &launch->facts);
    }
    extras->has_next = false;
    extras->launches++;
    extras->active += launch->active;
    for (int i = 0; i < TRACE_CONTENTS; i++)
        extras->contents[i] += launch->contents >> i & 1;
}

/* ---- printing ---------------------------------------------------------- */

void info_extras_print(const struct info_extras *extras)
{
    printf("active masks  of %zu of %zu launches\nregisters     of launches:", extras->active,
           extras->launches);
    for (int i = 0; i < TRACE_CONTENTS; i++)
        printf("%s %s %zu", i > 0 ? "," : "", contents[i].words, extras->contents[i]);
    printf(
        "\nfacts         of %zu launches: dynamic shared memory %zu, clusters %zu, cooperative "
        "%zu, carve-out %zu, L2 window %zu, programmatic %zu\n",
        extras->facts, extras->dynamic, extras->clusters, extras->cooperative,
        extras->carveouts, extras->windows, extras->programmatic);
    printf("tensor maps   %zu tiled, %zu im2col, in the parameters of %zu launches\n",
           extras->tiled, extras->im2col, extras->with_maps);
    printf("other memory  copies on the device %zu, memsets %zu, managed allocations %zu, "
           "other writes %zu\n",
           extras->device_copies, extras->sets, extras->managed, extras->written);
    printf("waiting loops %zu\n", extras->waits);
}

void info_extras_print_names(void)
{
    fputs(",active_masks", stdout);
    for (int i = 0; i < TRACE_CONTENTS; i++)
        printf(",%s", contents[i].column);
    fputs(",dynamic_shmem,cluster,cooperative,carveout,l2_window,tensor_maps,programmatic",
          stdout);
}

void info_extras_print_row(const struct info_launch *launch)
{
    const struct trace_launch_facts *facts = &launch->facts;
    printf(",%d", launch->active);
    for (int i = 0; i < TRACE_CONTENTS; i++)
        printf(",%u", launch->contents >> i & 1);
    if (!launch->has_facts) {
        fputs(",,,,,,,", stdout);
        return;
    }
    printf(",%u,%ux%ux%u,%d,%d,", facts->dynamic_shmem, facts->cluster[0], facts->cluster[1],
           facts->cluster[2], facts->cooperative, facts->carveout);
    if (facts->has_window)
        printf("%" PRIu64, facts->window.bytes);
    printf(",%u,", facts->map_count);
    if (facts->programmatic >= 0)
        printf("%d", facts->programmatic);
}
