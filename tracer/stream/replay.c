/* Recorded streams: replaying. */
#include <stdlib.h>
#include <string.h>

#include "tracer/stream/stream.h"

/* A payload as it is read. */
struct payload {
    const uint8_t *at;
    size_t left;
};

static bool get(struct payload *payload, void *fixed, size_t size)
{
    if (payload->left < size)
        return false;
    memcpy(fixed, payload->at, size);
    payload->at += size;
    payload->left -= size;
    return true;
}

/* The text at the front, up to its 0; NULL if there is none. */
static const char *get_text(struct payload *payload)
{
    const char *text = (const char *)payload->at;
    const uint8_t *end = payload->left > 0 ? memchr(payload->at, 0, payload->left) : NULL;
    if (end == NULL)
        return NULL;
    payload->left -= (size_t)(end + 1 - payload->at);
    payload->at = end + 1;
    return text;
}

static int invalid_entry(struct error *err)
{
    return error_set(err, ERROR_TRACE, NULL, 0, 0, "the stream has an invalid entry");
}

static int replay_context(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t handle;
    if (!get(payload, &handle, sizeof handle))
        return invalid_entry(err);
    return tracer_context(tracer, handle, err) < 0 ? -1 : 0;
}

static int replay_inst(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_inst fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return invalid_entry(err);
    struct tracer_inst inst = {
        .imm = fixed.imm,
        .pc = fixed.pc,
        .line = fixed.line,
        .binary_version = fixed.binary_version,
        .memory = fixed.memory != 0,
        .dst_count = fixed.dst_count,
        .src_count = fixed.src_count,
        .values = fixed.values,
        .second = fixed.second != 0,
        .unsent = fixed.unsent != 0,
    };
    memcpy(inst.dst, fixed.dst, sizeof inst.dst);
    memcpy(inst.src, fixed.src, sizeof inst.src);
    inst.function = get_text(payload);
    inst.opcode = get_text(payload);
    inst.predicates = get_text(payload);
    if (inst.function == NULL || inst.opcode == NULL || inst.predicates == NULL)
        return invalid_entry(err);
    return tracer_add_inst(tracer, &inst, err) != UINT32_MAX ? 0 : -1;
}

static int replay_begin(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_launch fixed;
    struct stream_facts facts;
    uint32_t number;
    unsigned wanted;
    if (!get(payload, &fixed, sizeof fixed))
        return invalid_entry(err);
    struct tracer_launch launch = {
        .context = fixed.context,
        .shmem = fixed.shmem,
        .regs = fixed.regs,
        .binary_version = fixed.binary_version,
        .stream = fixed.stream,
        .shmem_base = fixed.shmem_base,
        .local_base = fixed.local_base,
        .name = get_text(payload),
    };
    memcpy(launch.grid, fixed.grid, sizeof launch.grid);
    memcpy(launch.block, fixed.block, sizeof launch.block);
    if (launch.name == NULL)
        return invalid_entry(err);
    if (!get(payload, &facts, sizeof facts))
        facts = (struct stream_facts){.carveout = -1};
    launch.dynamic_shmem = facts.dynamic_shmem;
    launch.cooperative = facts.cooperative;
    launch.carveout = facts.carveout;
    memcpy(launch.cluster, facts.cluster, sizeof launch.cluster);
    launch.more = get_text(payload);
    return tracer_begin_launch(tracer, &launch, &number, &wanted, err);
}

static int replay_records(struct tracer *tracer, struct payload *payload, struct error *err)
{
    return tracer_records(tracer, payload->at, payload->left, err);
}

static int replay_counts(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_counts fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return invalid_entry(err);
    return tracer_counted(tracer, (uint32_t)fixed.number, &fixed.counts, err);
}

static int replay_end(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t number;
    if (!get(payload, &number, sizeof number))
        return invalid_entry(err);
    return tracer_end_launch(tracer, (uint32_t)number, err);
}

static int replay_drop(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t number;
    if (!get(payload, &number, sizeof number))
        return invalid_entry(err);
    return tracer_drop_launch(tracer, (uint32_t)number, err);
}

static int replay_copy(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_copy fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return invalid_entry(err);
    return tracer_copy(tracer, fixed.context, fixed.to_host != 0, fixed.address, fixed.bytes,
                       err);
}

static int replay_region(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t active;
    if (!get(payload, &active, sizeof active))
        return invalid_entry(err);
    tracer_region(tracer, active != 0);
    return 0;
}

static int replay_note(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t context;
    if (!get(payload, &context, sizeof context))
        return invalid_entry(err);
    const char *text = get_text(payload);
    if (text == NULL || context > UINT32_MAX)
        return invalid_entry(err);
    return tracer_note(tracer, (uint32_t)context, text, err);
}

static int replay_function(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_function fixed;
    if (!get(payload, &fixed, sizeof fixed) ||
        fixed.count > payload->left / sizeof(struct trace_code))
        return invalid_entry(err);
    struct trace_function function = {.address = fixed.address,
                                      .registers = fixed.registers,
                                      .barriers = fixed.barriers,
                                      .count = fixed.count,
                                      .constants = fixed.constants};
    memcpy(function.max_threads, fixed.max_threads, sizeof function.max_threads);
    memcpy(function.cluster, fixed.cluster, sizeof function.cluster);
    const size_t size = fixed.count * sizeof *function.code;
    function.code = malloc(size + 1); /* the stream is not aligned */
    if (function.code == NULL)
        return error_no_memory_for(err, ERROR_TRACE, NULL);
    get(payload, function.code, size);
    function.name = (char *)get_text(payload);
    int rc = function.name == NULL                              ? invalid_entry(err)
             : tracer_add_function(tracer, &function, err) != 0 ? 0
                                                                : -1;
    free(function.code);
    return rc;
}

static int replay_execute(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_execute fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return invalid_entry(err);
    return tracer_execute(tracer, (uint32_t)fixed.launch, (uint32_t)fixed.function, err);
}

int tracer_replay(struct tracer *tracer, const void *data, size_t size, size_t *used,
                  struct error *err)
{
    static int (*const replays[ENTRIES])(struct tracer *, struct payload *, struct error *) = {
        [CONTEXT] = replay_context, [INST] = replay_inst,         [BEGIN] = replay_begin,
        [RECORDS] = replay_records, [COUNTS] = replay_counts,     [END] = replay_end,
        [COPY] = replay_copy,       [REGION] = replay_region,     [DROP] = replay_drop,
        [NOTE] = replay_note,       [FUNCTION] = replay_function, [EXECUTE] = replay_execute,
    };
    struct payload stream = {data, size};
    struct stream_head head;
    int rc = 0;
    *used = 0;
    while (rc == 0 && stream.left >= sizeof head) {
        memcpy(&head, stream.at, sizeof head);
        if (head.entry == 0 || head.entry >= ENTRIES)
            return invalid_entry(err);
        if (head.size > stream.left - sizeof head)
            break;
        struct payload payload = {stream.at + sizeof head, head.size};
        rc = replays[head.entry](tracer, &payload, err);
        stream.at += sizeof head + head.size;
        stream.left -= sizeof head + head.size;
        *used = size - stream.left;
    }
    return rc;
}
