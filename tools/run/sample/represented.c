#include "tools/run/sample/represented.h"

#include <inttypes.h>
#include <stdlib.h>

#include "traces/base/draft.h"

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void represented_write(uint64_t *numbers, size_t count, char separator, FILE *out)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && numbers[end] == numbers[end - 1] + 1;)
            end++;
        if (i > 0)
            putc(separator, out);
        fprintf(out, "%" PRIu64, numbers[i]);
        if (end > i + 1)
            fprintf(out, "-%" PRIu64, numbers[end - 1]);
    }
}

/* Rows sorted by owner, and where those of each owner begin: start[owner] to start[owner + 1]
 * - 1. */
struct owned {
    size_t *owners, *start;
    uint64_t *numbers;
};

static void sort_by_owner(const struct profile *profile, struct owned *owned)
{
    size_t n = profile->count;
    for (size_t i = 0; i < n; i++)
        owned->start[owned->owners[i] + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        owned->start[i] += owned->start[i - 1];
    for (size_t i = 0; i < n; i++)
        owned->numbers[owned->start[owned->owners[i] + 1]++] = profile->rows[i].launch;
}

/* Writes all lists into one text, each with its end; the pointers are set once it is
 * complete. */
static int write_all(struct represented *stands, const struct owned *owned, size_t n)
{
    struct draft draft;
    if (!draft_begin(&draft))
        return -1;
    for (size_t i = 0; i < n; i++) {
        size_t count = owned->start[i + 1] - owned->start[i];
        if (count == 0)
            continue;
        represented_write(owned->numbers + owned->start[i], count, ',', draft.out);
        putc('\0', draft.out);
    }
    if (!draft_end(&draft))
        return -1;
    const char *at = stands->text = draft.text;
    for (size_t i = 0; i < n; i++)
        if (owned->start[i + 1] > owned->start[i]) {
            stands->of[i] = at;
            while (*at++ != '\0') {
            }
        }
    return 0;
}

int represented_init(struct represented *stands, const struct sampling *selection,
                     struct error *err)
{
    size_t n = selection->profile->count;
    struct owned owned = {malloc(n * sizeof *owned.owners), calloc(n + 2, sizeof *owned.start),
                          malloc(n * sizeof *owned.numbers)};
    *stands = (struct represented){.of = calloc(n, sizeof *stands->of)};
    int rc = -1;
    if (stands->of != NULL && owned.owners != NULL && owned.start != NULL &&
        owned.numbers != NULL) {
        sampling_owners(selection, owned.owners);
        sort_by_owner(selection->profile, &owned);
        rc = write_all(stands, &owned, n);
    }
    free(owned.owners);
    free(owned.start);
    free(owned.numbers);
    return rc == 0 ? 0 : error_no_memory(err);
}

void represented_finish(struct represented *stands)
{
    free(stands->of);
    free(stands->text);
    *stands = (struct represented){0};
}

const char *represented_of(const struct represented *stands, size_t row)
{
    return stands->of[row];
}
