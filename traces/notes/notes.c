#include "traces/notes.h"

#include <string.h>

#include "traces/base/number.h"
#include "traces/notes/values.h"
#include "traces/text/scan.h"

enum trace_note_kind trace_note_kind(const char *line)
{
    static const struct {
        const char *word;
        enum trace_note_kind kind;
    } words[] = {{"launch", TRACE_NOTE_LAUNCH},   {"tensormap", TRACE_NOTE_TENSOR_MAP},
                 {"waits", TRACE_NOTE_WAIT},      {"predicates", TRACE_NOTE_PREDICATES},
                 {"copy", TRACE_NOTE_COPY},       {"set", TRACE_NOTE_SET},
                 {"managed", TRACE_NOTE_MANAGED}, {"written", TRACE_NOTE_WRITTEN}};
    if (strncmp(line, "# ", 2) != 0)
        return TRACE_NOTE_OTHER;
    size_t n = strcspn(line + 2, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == n && memcmp(line + 2, words[i].word, n) == 0 &&
            line[2 + n] == ' ')
            return words[i].kind;
    return TRACE_NOTE_OTHER;
}

/* ---- launches ---------------------------------------------------------- */

/* "window=ADDRESS,BYTES,RATIO,HIT,MISS persisting=BYTES" */
static bool read_window(const char *line, struct trace_launch_facts *facts)
{
    uint64_t number;
    const char *at = values_find(line, "window=");
    facts->has_window = at != NULL;
    if (at == NULL)
        return true;
    unsigned n = number_prefix(at, true, &facts->window.address);
    at += n;
    if (n == 0 || *at++ != ',' || !number_next(&at, UINT64_MAX, &facts->window.bytes) ||
        *at++ != ',' || (n = number_prefix_decimal(at, &facts->window.hit_ratio)) == 0)
        return false;
    at += n;
    if (*at++ != ',' || !number_next(&at, 2, &number))
        return false;
    facts->window.hit = (unsigned)number;
    if (*at++ != ',' || !number_next(&at, 2, &number))
        return false;
    facts->window.miss = (unsigned)number;
    return values_list(line, "persisting=", 1, &facts->window.persisting) == 1;
}

/* "maps=OFFSET:NUMBER,..." */
static bool read_maps(const char *line, struct trace_launch_facts *facts)
{
    const char *at = values_find(line, "maps=");
    for (facts->map_count = 0; at != NULL && facts->map_count < TRACE_NOTE_MOST_MAPS;) {
        uint64_t offset, number;
        if (!number_next(&at, UINT32_MAX, &offset) || *at++ != ':' ||
            !number_next(&at, UINT32_MAX, &number) || number == 0)
            return false;
        facts->maps[facts->map_count].offset = (uint32_t)offset;
        facts->maps[facts->map_count++].number = (uint32_t)number;
        at = *at == ',' ? at + 1 : NULL;
    }
    return true;
}

bool trace_note_launch(const char *line, struct trace_launch_facts *facts)
{
    uint32_t cooperative, carveout, programmatic;
    *facts = (struct trace_launch_facts){0};
    const char *at = line + strlen("# launch ");
    if (!number_next(&at, UINT64_MAX, &facts->launch) ||
        !values_one(line, "dynamic=", UINT32_MAX, &facts->dynamic_shmem) ||
        values_list32(line, "cluster=", 3, facts->cluster) != 3 ||
        !values_one(line, "cooperative=", 1, &cooperative) ||
        values_list32(line, "carveout=", 1, &carveout) != 1)
        return false;
    facts->cooperative = cooperative != 0;
    facts->carveout = (int32_t)carveout;
    facts->programmatic = -1;
    if (values_find(line, "programmatic=") != NULL) {
        if (!values_one(line, "programmatic=", 1, &programmatic))
            return false;
        facts->programmatic = (int32_t)programmatic;
    }
    return read_window(line, facts) && read_maps(line, facts);
}

/* Whether ADDRESS is that of one of the maps if parameters begin at BASE. */
static bool is_map(const struct trace_launch_facts *facts, uint64_t base, uint64_t address)
{
    for (uint32_t i = 0; i < facts->map_count; i++)
        if (base + facts->maps[i].offset == address)
            return true;
    return false;
}

bool trace_note_map_base(const struct trace_launch_facts *facts, const uint64_t *addresses,
                         size_t count, uint64_t *base)
{
    size_t found = 0;
    for (uint32_t i = 0; count > 0 && i < facts->map_count; i++) {
        uint64_t candidate = addresses[0] - facts->maps[i].offset;
        size_t fits = 1;
        while (fits < count && is_map(facts, candidate, addresses[fits]))
            fits++;
        if (fits == count) {
            *base = candidate;
            found++;
        }
    }
    return found == 1;
}

bool trace_launch_maps_base(const struct trace_launch_maps *maps, const uint64_t *addresses,
                            size_t count, uint64_t *base)
{
    struct trace_launch_facts facts = {.map_count = maps->count};
    for (uint32_t i = 0; i < maps->count; i++)
        facts.maps[i].offset = maps->maps[i].offset;
    return trace_note_map_base(&facts, addresses, count, base);
}

/* ---- waiting loops ----------------------------------------------------- */

bool trace_note_wait(const char *line, struct trace_wait *wait)
{
    uint64_t first, last;
    wait->function = line + strlen("# waits ");
    wait->length = strcspn(wait->function, " ");
    const char *at = wait->function + wait->length;
    if (*at != ' ' || (at = scan_hex(at + 1, 8, &first)) == NULL || *at != ' ' ||
        (at = scan_hex(at + 1, 8, &last)) == NULL || *at != '\0')
        return false;
    wait->first = (uint32_t)first;
    wait->last = (uint32_t)last;
    return wait->length > 0 && first <= last;
}
