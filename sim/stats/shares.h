/* Counts an event in the totals of a component and, where several launches run at once, in the
 * share of the launch that caused it: in one call, so that no counter is missing in a share.
 *
 * A component has a member `stats` and a pointer `shares` to as many of the same type as there
 * are launch slots; NULL while launches run one at a time. */
#ifndef HEARTH_SIM_STATS_SHARES_H
#define HEARTH_SIM_STATS_SHARES_H

/* Adds COUNT to FIELD. */
#define SHARES_ADD(component, slot, field, count)                                              \
    do {                                                                                       \
        const uint64_t shares_count_ = (count);                                                \
        (component)->stats.field += shares_count_;                                             \
        if ((component)->shares != NULL)                                                       \
            (component)->shares[slot].field += shares_count_;                                  \
    } while (0)

/* Calls FUNCTION with the stats, then with the share; further arguments follow. */
#define SHARES_CALL(component, slot, function, ...)                                            \
    do {                                                                                       \
        function(&(component)->stats, __VA_ARGS__);                                            \
        if ((component)->shares != NULL)                                                       \
            function(&(component)->shares[slot], __VA_ARGS__);                                 \
    } while (0)

#endif
