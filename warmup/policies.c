/* The table of warm-up policies, and nothing else. */
#include "warmup/policies.h"

#define POLICY(name) extern const struct warmup_policy warmup_policy_##name;
#define ROW(id, text, ...)                                                                     \
    static const struct warmup_policy warmup_policy_##id = {                                   \
        .policy = {.name = #id, .description = text}, __VA_ARGS__};
#include "warmup/policies.def"
#undef POLICY
#undef ROW

const struct policy *const warmup_policies[] = {
#define POLICY(name)   &warmup_policy_##name.policy,
#define ROW(name, ...) POLICY(name)
#include "warmup/policies.def"
    NULL};
