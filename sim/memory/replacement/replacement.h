/* Replacement policies of caches: which line of a set goes when another one needs its place. To
 * add one: a file here with a struct cache_replacement, its line in replacements.def, and the
 * file's name in sim/meson.build. */
#ifndef HEARTH_SIM_MEMORY_REPLACEMENT_REPLACEMENT_H
#define HEARTH_SIM_MEMORY_REPLACEMENT_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/policy.h"

struct tags;

/* SET and LINE are numbers as in sim/memory/tags.h. A policy may keep a state for each line:
 * plain bytes without pointers, as they are saved and restored with the cache. They begin as
 * zeros; tags_state() gives those of a set. */
struct cache_replacement {
    struct policy policy; /* its name is a letter, that of the configuration's cache strings */
    size_t state_size;    /* bytes of a line; 0: none */
    /* The victim is the first line in the set's order that may go (tags_first()). What a launch
     * can notice of a saved L2 is known only for such policies. */
    bool in_order;
    /* The policy is the one that compact caches follow: least recently used
     * (sim/functional/compact.h). Functional launches use the tags themselves for others. */
    bool compact;
    /* LINE, which holds a line, is accessed in cycle NOW. */
    void (*used)(struct tags *tags, uint32_t set, uint32_t line, uint64_t now);
    /* LINE has been given to another line, and is the last in the set's order. NULL: nothing to
     * do. */
    void (*placed)(struct tags *tags, uint32_t set, uint32_t line);
    /* Returns the line of SET to replace, one for which tags_may_go(); TAGS_NONE: there is
     * none. No line of the set is free. */
    uint32_t (*victim)(const struct tags *tags, uint32_t set, bool keep_dirty);
};

/* All of them: struct cache_replacement begins with its struct policy. */
extern const struct policy *const cache_replacements[];

#define REPLACEMENT(name) extern const struct cache_replacement cache_replacement_##name;
#include "sim/memory/replacement/replacements.def"
#undef REPLACEMENT

/* NULL if no replacement policy has that name. */
static inline const struct cache_replacement *cache_replacement_find(const char *name)
{
    return (const struct cache_replacement *)policy_find(cache_replacements, name);
}

#endif
