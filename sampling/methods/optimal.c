/* optimal: the fewest groups per kernel, contiguous in the instruction count, with a
 * coefficient of variation of at most theta; of several such groupings, the one with the least
 * sum of squared deviations from the groups' means. It shows how far a density estimate is
 * from the best possible result. */
#include "sampling/counts.h"
#include "sampling/methods/fewest.h"
#include "sampling/methods/methods.h"
#include "sampling/repick.h"

/* Appends the groups of all counts, from the smallest to the largest. */
static int add_groups(struct fewest_prefix *prefixes, const struct counts *counts,
                      const struct sampling_input *input, struct sampling *selection,
                      struct error *err)
{
    size_t end = counts->n, groups = prefixes[counts->n].groups;
    unsigned tier = counts->n == 1 ? 1 : groups == 1 ? 2 : 3;
    for (size_t i = groups; i > 0; i--) { /* reverses the order: `groups` counts from the end */
        prefixes[i].groups = end;
        end = prefixes[end].start;
    }
    for (size_t i = 1, from = 0; i <= groups; i++) {
        size_t to = prefixes[i].groups;
        if (counts_add_stratum(counts, input, selection, from, to, tier, err) != 0)
            return -1;
        from = to;
    }
    return 0;
}

int sampling_optimal(const struct sampling_input *input, struct sampling *selection,
                     struct error *err)
{
    struct counts counts;
    struct fewest fewest = {0};
    int rc = counts_init(&counts, input, err);
    if (rc == 0 && fewest_init(&fewest, input->profile->count) != 0)
        rc = error_no_memory(err);
    for (size_t k = 0; rc == 0 && k < input->groups; k++) {
        counts_take(&counts, input, k);
        if (counts.total == 0)
            continue;
        fewest_find(&fewest, counts.value, counts.weight, counts.n, input->options->theta);
        rc = add_groups(fewest.prefixes, &counts, input, selection, err);
    }
    if (rc == 0)
        repick(input, selection);
    fewest_finish(&fewest);
    counts_finish(&counts);
    return rc;
}
