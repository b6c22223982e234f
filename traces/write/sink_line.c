#define _GNU_SOURCE /* asprintf */
#include "traces/write/sink_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/between/between.h"
#include "traces/text/line.h"
#include "traces/traces.h"

int sink_origin_init(struct sink_origin *origin, const char *nvbit)
{
    *origin = (struct sink_origin){0};
    if (nvbit == NULL)
        return 0;
    origin->nvbit = strdup(nvbit);
    return origin->nvbit != NULL ? 0 : -1;
}

void sink_origin_finish(struct sink_origin *origin)
{
    free(origin->note);
    free(origin->nvbit);
    *origin = (struct sink_origin){0};
}

int sink_origin_begin(struct sink_origin *origin, const char *note, char *text, size_t room)
{
    origin->note = strdup(note);
    if (origin->note == NULL)
        return -1;
    snprintf(text, room, "# %s: %s", origin->nvbit != NULL ? "traced" : "synthetic", note);
    return 0;
}

char *sink_line_header(const struct trace_header *h, const struct sink_origin *origin,
                       size_t *length, struct error *err)
{
    bool synthetic = origin->nvbit == NULL;
    char *text;
    int printed = asprintf(
        &text,
        "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%u,%u,%u)\n"
        "-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %u\n-binary version = %u\n"
        "-cuda stream id = %" PRIu64 "\n-shmem base_addr = 0x%016" PRIx64
        "\n-local mem base_addr = 0x%016" PRIx64 "\n-nvbit version = %s\n"
        "-accelsim tracer version = 5\n-enable lineinfo = %d\n%s%s%s%s%s%s%s\n"
        "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
        "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n",
        h->name, h->id, h->grid[0], h->grid[1], h->grid[2], h->block[0], h->block[1],
        h->block[2], h->shmem, h->regs, h->binary_version, h->stream, h->shmem_base,
        h->local_base, synthetic ? "none" : origin->nvbit, h->lineinfo,
        h->active_masks ? "-active masks = 1\n" : "", h->between != NULL ? BETWEEN_KEY : "",
        h->between != NULL ? h->between : "", h->between != NULL ? "\n" : "",
        synthetic ? "-synthetic = " : "", synthetic ? origin->note : "", synthetic ? "\n" : "");
    if (printed < 0) {
        error_no_memory_for(err, ERROR_OUTPUT, NULL);
        return NULL;
    }
    *length = (size_t)printed;
    return text;
}

void sink_line_copy(char *text, size_t room, bool to_host, uint64_t address, uint64_t bytes)
{
    snprintf(text, room, "Memcpy%s,0x%016" PRIx64 ",%" PRIu64, to_host ? "DtoH" : "HtoD",
             address, bytes);
}

void sink_line_name(char *text, size_t room, uint64_t id, bool memory_only, const char *infix)
{
    snprintf(text, room, "kernel-%s%" PRIu64 "%s.traceg", memory_only ? "mem-" : "", id, infix);
}

/* ---- numbers; lines are most of the time ------------------------------- */

static char *put_hex(char *at, uint64_t value, int least)
{
    int digits = value == 0 ? 1 : (67 - __builtin_clzll(value)) / 4;
    digits = digits < least ? least : digits;
    for (int i = digits - 1; i >= 0; i--, value >>= 4)
        at[i] = "0123456789abcdef"[value & 15];
    return at + digits;
}

static char *put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (n > 0)
        *at++ = digits[--n];
    return at;
}

static char *put_signed(char *at, int64_t value)
{
    if (value >= 0)
        return put_unsigned(at, (uint64_t)value);
    *at++ = '-';
    return put_unsigned(at, -(uint64_t)value);
}

static char *put_registers(char *at, const uint8_t *registers, int count)
{
    *at++ = (char)('0' + count);
    *at++ = ' ';
    for (int i = 0; i < count; i++) {
        *at++ = 'R';
        at = put_unsigned(at, registers[i]);
        *at++ = ' ';
    }
    return at;
}

/* ---- the pieces -------------------------------------------------------- */

char *sink_line_pre(char *at, const struct trace_sink_inst *inst, bool lineinfo)
{
    if (lineinfo) {
        at = put_unsigned(at, inst->line);
        *at++ = ' ';
    }
    at = put_hex(at, inst->pc, 4);
    *at++ = ' ';
    return at;
}

char *sink_line_mask(char *at, const struct trace_sink_inst *inst)
{
    return put_hex(at, inst->mask, 8);
}

static char *put_imm(char *at, const struct trace_sink_inst *inst)
{
    at = put_unsigned(at, inst->imm);
    *at++ = ' ';
    return at;
}

static char *put_value(char *at, uint32_t value)
{
    *at++ = LINE_VALUE;
    at = put_unsigned(at, value);
    *at++ = ' ';
    return at;
}

char *sink_line_post(char *at, const struct trace_sink_inst *inst)
{
    *at++ = ' ';
    at = put_registers(at, inst->dst, inst->dst_count);
    at = stpcpy(at, inst->opcode);
    *at++ = ' ';
    at = put_registers(at, inst->src, inst->src_count);
    at = put_unsigned(at, inst->width);
    *at++ = ' ';
    if (inst->width != 0)
        return at;
    at = put_imm(at, inst);
    for (int i = 0; i < inst->value_count; i++)
        at = put_value(at, inst->values[i]);
    return at;
}

char *sink_line_tail(char *at, const struct trace_sink_inst *inst)
{
    if (inst->width == 0)
        return at;
    *at++ = ' ';
    at = put_imm(at, inst);
    for (int i = 0; i < inst->tail_count; i++)
        at = put_value(at, sink_line_tail_number(inst, i));
    return at;
}

char *sink_line_active(char *at, const struct trace_sink_inst *inst)
{
    if (inst->active == 0 || inst->active == inst->mask)
        return at;
    *at++ = LINE_ACTIVE;
    return put_hex(at, inst->active, 8);
}

bool sink_line_is_stride(const struct trace_sink_inst *inst)
{
    if (inst->mask == 0)
        return true;
    uint32_t run = inst->mask >> __builtin_ctz(inst->mask);
    return inst->mode == TRACE_ADDRESS_STRIDE && (run & (run + 1)) == 0 && run != 1;
}

static char *put_base(char *at, char mode, uint64_t base)
{
    *at++ = mode;
    at = stpcpy(at, " 0x");
    return put_hex(at, base, 1);
}

static char *put_distance(char *at, uint64_t distance)
{
    *at++ = ' ';
    return put_signed(at, (int64_t)distance);
}

char *sink_line_addresses(char *at, const struct trace_sink_inst *inst)
{
    if (inst->width == 0)
        return at;
    if (inst->mask == 0)
        return put_distance(put_base(at, '1', 0), 0);
    if (sink_line_is_stride(inst))
        return put_distance(put_base(at, '1', inst->words[0]), inst->words[1]);
    int lanes = __builtin_popcount(inst->mask);
    at = put_base(at, '2', inst->words[0]);
    for (int i = 1; i < lanes; i++)
        at = put_distance(at, inst->mode == TRACE_ADDRESS_STRIDE
                                  ? inst->words[1]
                                  : inst->words[i] - inst->words[i - 1]);
    return at;
}

char *sink_line_all_addresses(char *at, const struct trace_sink_inst *inst)
{
    if (inst->width == 0)
        return at;
    *at++ = '0';
    int lanes = __builtin_popcount(inst->mask);
    for (int i = 0; i < lanes; i++) {
        at = stpcpy(at, " 0x");
        at = put_hex(at,
                     inst->mode == TRACE_ADDRESS_STRIDE
                         ? inst->words[0] + (uint64_t)i * inst->words[1]
                         : inst->words[i],
                     16);
    }
    return at;
}
