/* Recorded streams: calls as entries of 8-byte heads and payloads, in the byte
 * order of the machine.
 *
 *   context  u64 handle
 *   inst     struct stream_inst, then function, opcode and predicates, each
 *            with a 0 behind it
 *   begin    struct stream_launch, then the name and a 0; then struct
 *            stream_facts, which old streams lack
 *   records  the channel's bytes
 *   counts   struct stream_counts
 *   end      u64 launch
 *   drop     u64 launch
 *   copy     struct stream_copy
 *   region   u64 active
 *   note     u64 context, then the text and a 0 */
#include <stdlib.h>
#include <string.h>

#include "tracer/tracer.h"

enum entry {
    CONTEXT = 1,
    INST,
    BEGIN,
    RECORDS,
    COUNTS,
    END,
    COPY,
    REGION,
    DROP,
    NOTE,
    ENTRIES
};

struct stream_head {
    uint32_t entry; /* enum entry */
    uint32_t size;  /* of the payload */
};

struct stream_inst {
    uint64_t imm;
    uint32_t pc, line, binary_version;
    uint8_t memory, dst_count, src_count, zero;
    uint8_t dst[TRACE_MAX_DST], src[TRACE_MAX_SRC];
    uint8_t zeros[4];
};

struct stream_launch {
    uint32_t context, grid[3], block[3], shmem, regs, binary_version;
    uint64_t stream, shmem_base, local_base;
};

struct stream_facts {
    uint32_t dynamic_shmem, cluster[3], cooperative;
    int32_t carveout;
};

struct stream_counts {
    uint64_t number;
    struct tracer_counts counts;
};

struct stream_copy {
    uint32_t context, to_host;
    uint64_t address, bytes;
};

/* ---- writing ----------------------------------------------------------- */

static void put_head(FILE *out, enum entry entry, size_t size)
{
    const struct stream_head head = {entry, (uint32_t)size};
    fwrite(&head, sizeof head, 1, out);
}

static void put_entry(FILE *out, enum entry entry, const void *payload, size_t size)
{
    put_head(out, entry, size);
    fwrite(payload, 1, size, out);
}

static void put_text(FILE *out, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, out);
}

void tracer_record_context(FILE *out, uint64_t handle)
{
    put_entry(out, CONTEXT, &handle, sizeof handle);
}

void tracer_record_inst(FILE *out, const struct tracer_inst *inst)
{
    struct stream_inst fixed = {
        .imm = inst->imm,
        .pc = inst->pc,
        .line = inst->line,
        .binary_version = inst->binary_version,
        .memory = inst->memory,
        .dst_count = inst->dst_count,
        .src_count = inst->src_count,
    };
    const char *predicates = inst->predicates != NULL ? inst->predicates : "";
    memcpy(fixed.dst, inst->dst, sizeof fixed.dst);
    memcpy(fixed.src, inst->src, sizeof fixed.src);
    put_head(out, INST,
             sizeof fixed + strlen(inst->function) + strlen(inst->opcode) + strlen(predicates) +
                 3);
    fwrite(&fixed, sizeof fixed, 1, out);
    put_text(out, inst->function);
    put_text(out, inst->opcode);
    put_text(out, predicates);
}

void tracer_record_begin(FILE *out, const struct tracer_launch *launch)
{
    struct stream_launch fixed = {
        .context = launch->context,
        .shmem = launch->shmem,
        .regs = launch->regs,
        .binary_version = launch->binary_version,
        .stream = launch->stream,
        .shmem_base = launch->shmem_base,
        .local_base = launch->local_base,
    };
    memcpy(fixed.grid, launch->grid, sizeof fixed.grid);
    memcpy(fixed.block, launch->block, sizeof fixed.block);
    struct stream_facts facts = {.dynamic_shmem = launch->dynamic_shmem,
                                 .cooperative = launch->cooperative,
                                 .carveout = launch->carveout};
    memcpy(facts.cluster, launch->cluster, sizeof facts.cluster);
    put_head(out, BEGIN, sizeof fixed + strlen(launch->name) + 1 + sizeof facts);
    fwrite(&fixed, sizeof fixed, 1, out);
    put_text(out, launch->name);
    fwrite(&facts, sizeof facts, 1, out);
}

void tracer_record_records(FILE *out, const void *data, size_t size)
{
    put_entry(out, RECORDS, data, size);
}

void tracer_record_counts(FILE *out, uint32_t number, const struct tracer_counts *counts)
{
    const struct stream_counts fixed = {number, *counts};
    put_entry(out, COUNTS, &fixed, sizeof fixed);
}

void tracer_record_end(FILE *out, uint32_t number)
{
    const uint64_t wide = number;
    put_entry(out, END, &wide, sizeof wide);
}

void tracer_record_drop(FILE *out, uint32_t number)
{
    const uint64_t wide = number;
    put_entry(out, DROP, &wide, sizeof wide);
}

void tracer_record_copy(FILE *out, uint32_t context, bool to_host, uint64_t address,
                        uint64_t bytes)
{
    const struct stream_copy fixed = {context, to_host, address, bytes};
    put_entry(out, COPY, &fixed, sizeof fixed);
}

void tracer_record_note(FILE *out, uint32_t context, const char *text)
{
    const uint64_t wide = context;
    put_head(out, NOTE, sizeof wide + strlen(text) + 1);
    fwrite(&wide, sizeof wide, 1, out);
    put_text(out, text);
}

void tracer_record_region(FILE *out, bool active)
{
    const uint64_t wide = active;
    put_entry(out, REGION, &wide, sizeof wide);
}

/* ---- replaying --------------------------------------------------------- */

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

static int no_sense(struct error *err)
{
    return error_set(err, ERROR_TRACE, NULL, 0, 0, "an entry of the stream makes no sense");
}

static int replay_context(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t handle;
    if (!get(payload, &handle, sizeof handle))
        return no_sense(err);
    return tracer_context(tracer, handle, err) < 0 ? -1 : 0;
}

static int replay_inst(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_inst fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return no_sense(err);
    struct tracer_inst inst = {
        .imm = fixed.imm,
        .pc = fixed.pc,
        .line = fixed.line,
        .binary_version = fixed.binary_version,
        .memory = fixed.memory != 0,
        .dst_count = fixed.dst_count,
        .src_count = fixed.src_count,
    };
    memcpy(inst.dst, fixed.dst, sizeof inst.dst);
    memcpy(inst.src, fixed.src, sizeof inst.src);
    inst.function = get_text(payload);
    inst.opcode = get_text(payload);
    inst.predicates = get_text(payload);
    if (inst.function == NULL || inst.opcode == NULL || inst.predicates == NULL)
        return no_sense(err);
    return tracer_add_inst(tracer, &inst, err) != UINT32_MAX ? 0 : -1;
}

static int replay_begin(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_launch fixed;
    struct stream_facts facts;
    uint32_t number;
    unsigned wanted;
    if (!get(payload, &fixed, sizeof fixed))
        return no_sense(err);
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
        return no_sense(err);
    if (!get(payload, &facts, sizeof facts))
        facts = (struct stream_facts){.carveout = -1};
    launch.dynamic_shmem = facts.dynamic_shmem;
    launch.cooperative = facts.cooperative;
    launch.carveout = facts.carveout;
    memcpy(launch.cluster, facts.cluster, sizeof launch.cluster);
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
        return no_sense(err);
    return tracer_counted(tracer, (uint32_t)fixed.number, &fixed.counts, err);
}

static int replay_end(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t number;
    if (!get(payload, &number, sizeof number))
        return no_sense(err);
    return tracer_end_launch(tracer, (uint32_t)number, err);
}

static int replay_drop(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t number;
    if (!get(payload, &number, sizeof number))
        return no_sense(err);
    return tracer_drop_launch(tracer, (uint32_t)number, err);
}

static int replay_copy(struct tracer *tracer, struct payload *payload, struct error *err)
{
    struct stream_copy fixed;
    if (!get(payload, &fixed, sizeof fixed))
        return no_sense(err);
    return tracer_copy(tracer, fixed.context, fixed.to_host != 0, fixed.address, fixed.bytes,
                       err);
}

static int replay_region(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t active;
    if (!get(payload, &active, sizeof active))
        return no_sense(err);
    tracer_region(tracer, active != 0);
    return 0;
}

static int replay_note(struct tracer *tracer, struct payload *payload, struct error *err)
{
    uint64_t context;
    if (!get(payload, &context, sizeof context))
        return no_sense(err);
    const char *text = get_text(payload);
    if (text == NULL || context > UINT32_MAX)
        return no_sense(err);
    return tracer_note(tracer, (uint32_t)context, text, err);
}

int tracer_replay(struct tracer *tracer, const void *data, size_t size, size_t *used,
                  struct error *err)
{
    static int (*const replays[ENTRIES])(struct tracer *, struct payload *, struct error *) = {
        [CONTEXT] = replay_context, [INST] = replay_inst,     [BEGIN] = replay_begin,
        [RECORDS] = replay_records, [COUNTS] = replay_counts, [END] = replay_end,
        [COPY] = replay_copy,       [REGION] = replay_region, [DROP] = replay_drop,
        [NOTE] = replay_note,
    };
    struct payload stream = {data, size};
    struct stream_head head;
    int rc = 0;
    *used = 0;
    while (rc == 0 && stream.left >= sizeof head) {
        memcpy(&head, stream.at, sizeof head);
        if (head.entry == 0 || head.entry >= ENTRIES)
            return no_sense(err);
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
