/* The table: rows, and kernel names that are kept once. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "traces/base/bytes.h"
#include "traces/base/text/utf8.h"
#include "traces/profile/columns.h"

#define SLOT_FREE UINT32_MAX

struct profile *profile_create(const char *name, struct error *err)
{
    struct profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL || (profile->path = strdup(name)) == NULL) {
        error_no_memory_for(err, ERROR_TRACE, name);
        free(profile);
        return NULL;
    }
    profile->format = "profile";
    return profile;
}

void profile_destroy(struct profile *profile)
{
    if (profile == NULL)
        return;
    for (size_t i = 0; i < profile->kernel_count; i++)
        free(profile->kernels[i]);
    free(profile->kernels);
    free(profile->slots);
    free(profile->rows);
    free(profile->note);
    free(profile->path);
    free(profile);
}

int profile_add(struct profile *profile, const struct profile_row *row, struct error *err)
{
    if (!array_room(&profile->rows, profile->count, sizeof *profile->rows))
        return error_no_memory_for(err, ERROR_TRACE, profile->path);
    profile->rows[profile->count++] = *row;
    return 0;
}

/* ---- names ------------------------------------------------------------- */

/* The slot of NAME, or the free one where it belongs. */
static uint32_t *find_slot(const struct profile *profile, const char *name)
{
    size_t mask = profile->slot_count - 1;
    size_t i = (size_t)XXH3_64bits(name, strlen(name)) & mask;
    while (profile->slots[i] != SLOT_FREE &&
           strcmp(profile->kernels[profile->slots[i]], name) != 0)
        i = (i + 1) & mask;
    return &profile->slots[i];
}

/* Room for one more name in the list and, at most half full, in the slots. */
static int grow_names(struct profile *profile)
{
    if (!array_room(&profile->kernels, profile->kernel_count, sizeof *profile->kernels))
        return -1;
    if (2 * (profile->kernel_count + 1) <= profile->slot_count)
        return 0;
    size_t count = profile->slot_count > 0 ? 2 * profile->slot_count : 64;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (slots == NULL)
        return -1;
    memset(slots, 0xff, count * sizeof *slots);
    free(profile->slots);
    profile->slots = slots;
    profile->slot_count = count;
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        *find_slot(profile, profile->kernels[i]) = i;
    return 0;
}

static uint32_t keep_name(struct profile *profile, const char *name, struct error *err)
{
    if (grow_names(profile) != 0) {
        error_no_memory_for(err, ERROR_TRACE, profile->path);
        return UINT32_MAX;
    }
    uint32_t *slot = find_slot(profile, name);
    if (*slot != SLOT_FREE)
        return *slot;
    char *copy = strdup(name);
    if (copy == NULL) {
        error_no_memory_for(err, ERROR_TRACE, profile->path);
        return UINT32_MAX;
    }
    profile->kernels[profile->kernel_count] = copy;
    return *slot = (uint32_t)profile->kernel_count++;
}

/* Names are kept as tables write them, whose rows are matched by name. */
uint32_t profile_kernel(struct profile *profile, const char *name, struct error *err)
{
    if (utf8_is_valid(name))
        return keep_name(profile, name, err);
    char *copy = utf8_copy(name);
    if (copy == NULL) {
        error_no_memory_for(err, ERROR_TRACE, profile->path);
        return UINT32_MAX;
    }
    uint32_t index = keep_name(profile, copy, err);
    free(copy);
    return index;
}

/* ---- what is known ----------------------------------------------------- */

uint64_t profile_known(const struct profile *profile)
{
    uint64_t known = PROFILE_BIT(PROFILE_COLUMNS) - 1;
    for (size_t i = 0; i < profile->count; i++)
        known &= profile->rows[i].known;
    return known;
}

/* Adds the names of COLUMNS to TEXT. */
static void list_columns(uint64_t columns, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned i = 0; i < PROFILE_COLUMNS; i++) {
        if ((columns & PROFILE_BIT(i)) == 0)
            continue;
        if (text[0] != '\0')
            strncat(text, ", ", size - strlen(text) - 1);
        strncat(text, profile_column_info((enum profile_column)i)->name,
                size - strlen(text) - 1);
    }
}

int profile_require(const struct profile *profile, uint64_t columns, const char *method,
                    struct error *err)
{
    char names[512];
    uint64_t missing = columns & ~profile_known(profile);
    size_t i = 0;
    if (missing == 0)
        return 0;
    while ((missing & ~profile->rows[i].known) == 0)
        i++;
    list_columns(missing, names, sizeof names);
    return error_set(err, ERROR_USAGE, profile->path, 0, 0,
                     "%s needs %s, which the profile does not have for every launch (first not "
                     "for launch %lu)",
                     method, names, (unsigned long)profile->rows[i].launch);
}
