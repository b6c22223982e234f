/* Recorded streams: writing. */
#include <string.h>

#include "tracer/stream/stream.h"

/* ---- writing ----------------------------------------------------------- */

static void put_head(FILE *out, enum stream_entry entry, size_t size)
{
    const struct stream_head head = {entry, (uint32_t)size};
    fwrite(&head, sizeof head, 1, out);
}

static void put_entry(FILE *out, enum stream_entry entry, const void *payload, size_t size)
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
        .values = inst->values,
        .second = inst->second,
        .unsent = inst->unsent,
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
    const char *more = launch->more != NULL ? launch->more : "";
    put_head(out, BEGIN,
             sizeof fixed + strlen(launch->name) + 1 + sizeof facts + strlen(more) + 1);
    fwrite(&fixed, sizeof fixed, 1, out);
    put_text(out, launch->name);
    fwrite(&facts, sizeof facts, 1, out);
    put_text(out, more);
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

void tracer_record_function(FILE *out, const struct trace_function *function)
{
    struct stream_function fixed = {.address = function->address,
                                    .registers = function->registers,
                                    .barriers = function->barriers,
                                    .count = function->count,
                                    .constants = function->constants};
    memcpy(fixed.max_threads, function->max_threads, sizeof fixed.max_threads);
    memcpy(fixed.cluster, function->cluster, sizeof fixed.cluster);
    const size_t code = function->count * sizeof *function->code;
    put_head(out, FUNCTION, sizeof fixed + code + strlen(function->name) + 1);
    fwrite(&fixed, sizeof fixed, 1, out);
    fwrite(function->code, 1, code, out);
    put_text(out, function->name);
}

void tracer_record_execute(FILE *out, uint32_t number, uint32_t function)
{
    const struct stream_execute fixed = {number, function};
    put_entry(out, EXECUTE, &fixed, sizeof fixed);
}
