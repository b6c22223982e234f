#include "traces/packed/recovery_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "traces/base/files/output_file.h"

/* An entry: its letter, the size of the body, the body, a checksum of all. */
#define ENTRY      'J'
#define ENTRY_HEAD 9
#define CHECKSUM   8
/* The group lives until its process ends: speed is what matters. */
#define LEVEL 1

static bool is_static(int s)
{
    return s == CODER_STATIC || s == CODER_STATIC_TEXT;
}

static int failed(const struct recovery_log *redo, struct error *err)
{
    return error_set(err, ERROR_OUTPUT, redo->path, 0, 0, "cannot write: %s", strerror(errno));
}

int recovery_log_init(struct recovery_log *redo, const char *path, struct error *err)
{
    *redo = (struct recovery_log){.path = strdup(path)};
    if (redo->path == NULL)
        return error_no_memory_for(err, ERROR_OUTPUT, path);
    redo->file = output_file_create(path);
    return redo->file != NULL ? 0 : failed(redo, err);
}

void recovery_log_finish(struct recovery_log *redo)
{
    if (redo->file != NULL) {
        fclose(redo->file);
        unlink(redo->path);
    }
    free(redo->path);
    free(redo->codes);
    *redo = (struct recovery_log){0};
}

/* ---- writing ----------------------------------------------------------- */

/* The codes that have more instructions than the last entry knew, each as a
 * whole. */
static void put_codes(struct recovery_log *redo, struct code *const *codes, uint32_t count,
                      struct bytes *body)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < count; i++)
        changed += i >= redo->code_count || redo->codes[i] != codes[i]->count;
    bytes_number(body, count);
    bytes_number(body, changed);
    for (uint32_t i = 0; i < count; i++) {
        if (i < redo->code_count && redo->codes[i] == codes[i]->count)
            continue;
        struct coder flow = {0};
        code_write(codes[i], &flow);
        bytes_number(body, i);
        for (int s = 0; s < CODER_STREAMS; s++) {
            if (!is_static(s))
                continue;
            body->failed |= flow.out[s].failed;
            bytes_number(body, flow.out[s].size);
            bytes_put(body, flow.out[s].data, flow.out[s].size);
        }
        coder_finish(&flow);
    }
}

static void put_streams(const struct recovery_log *redo, const struct coder *flow,
                        struct bytes *body)
{
    bool active = flow->out[CODER_ACTIVE].size > redo->marks[CODER_ACTIVE];
    for (int s = 0; s < CODER_STREAMS; s++) {
        size_t mark = redo->marks[s];
        if (is_static(s) || (s >= CODER_ACTIVE_HITS && !active))
            continue;
        bytes_number(body, flow->out[s].size - mark);
        if (flow->out[s].size > mark) /* else there may be no data */
            bytes_put(body, flow->out[s].data + mark, flow->out[s].size - mark);
    }
}

/* Takes note of what is in the log now. */
static int mark(struct recovery_log *redo, const struct coder *flow, struct code *const *codes,
                uint32_t count)
{
    uint32_t *known = reallocarray(redo->codes, (size_t)count + 1, sizeof *known);
    if (known == NULL)
        return -1;
    redo->codes = known;
    redo->code_count = count;
    for (uint32_t i = 0; i < count; i++)
        known[i] = codes[i]->count;
    for (int s = 0; s < CODER_STREAMS; s++)
        redo->marks[s] = flow->out[s].size;
    return 0;
}

int recovery_log_add(struct recovery_log *redo, uint64_t group,
                     const struct pack_counts *counts, const struct coder *flow,
                     struct code *const *codes, uint32_t count, struct error *err)
{
    struct bytes body = {0}, out = {0};
    if (redo->file == NULL)
        return 0;
    bytes_number(&body, group);
    bytes_number(&body, counts->first_launch);
    bytes_number(&body, counts->memory_paths);
    bytes_number(&body, counts->full_paths);
    bytes_number(&body, counts->layouts);
    put_codes(redo, codes, count, &body);
    put_streams(redo, flow, &body);
    bytes_byte(&out, ENTRY);
    for (int i = 0; i < 8; i++)
        bytes_byte(&out, (uint8_t)((uint64_t)body.size >> 8 * i));
    bytes_put(&out, body.data, body.size);
    frame_put_checksum(&out, out.data, out.size);
    int rc = 0;
    if (body.failed || out.failed || mark(redo, flow, codes, count) != 0)
        rc = error_no_memory_for(err, ERROR_OUTPUT, redo->path);
    else if (fwrite(out.data, 1, out.size, redo->file) != out.size || fflush(redo->file) != 0)
        rc = failed(redo, err);
    bytes_finish(&body);
    bytes_finish(&out);
    return rc;
}

int recovery_log_clear(struct recovery_log *redo, struct error *err)
{
    if (redo->file == NULL)
        return 0;
    memset(redo->marks, 0, sizeof redo->marks);
    redo->code_count = 0;
    rewind(redo->file);
    return ftruncate(fileno(redo->file), 0) == 0 ? 0 : failed(redo, err);
}

/* ---- reading ----------------------------------------------------------- */

/* A code, from the last entry that has it. */
struct code_bytes {
    struct byte_reader streams[2];
};

struct recovery_log_reading {
    uint64_t group;
    struct pack_counts counts;
    struct coder flow;
    struct code_bytes *codes;
    uint64_t code_count;
    bool failed; /* memory ran out */
};

static struct byte_reader take(struct byte_reader *in)
{
    uint64_t size = reader_number(in);
    const uint8_t *at = reader_take(in, size);
    return at != NULL ? (struct byte_reader){at, at + size, false} : (struct byte_reader){0};
}

static bool read_codes(struct recovery_log_reading *reading, struct byte_reader *in)
{
    uint64_t count = reader_number(in), changed = reader_number(in);
    if (count < reading->code_count || changed > count ||
        changed > (uint64_t)(in->end - in->at) || count - reading->code_count > changed)
        return false;
    void *more = reallocarray(reading->codes, count + 1, sizeof *reading->codes);
    reading->failed |= more == NULL;
    if (more == NULL)
        return false;
    reading->codes = more;
    memset(reading->codes + reading->code_count, 0,
           (count - reading->code_count) * sizeof *reading->codes);
    reading->code_count = count;
    for (; changed > 0; changed--) {
        uint64_t i = reader_number(in);
        if (i >= count)
            return false;
        for (int s = 0; s < 2; s++)
            reading->codes[i].streams[s] = take(in);
    }
    return !in->bad;
}

/* Adds an entry. Returns false if it is of another group or makes no sense. */
static bool read_entry(struct recovery_log_reading *reading, struct byte_reader *in)
{
    if (reader_number(in) != reading->group)
        return false;
    reading->counts.first_launch = reader_number(in);
    reading->counts.memory_paths = reader_number(in);
    reading->counts.full_paths = reader_number(in);
    reading->counts.layouts = reader_number(in);
    if (!read_codes(reading, in))
        return false;
    for (int s = 0; s < CODER_STREAMS; s++) {
        if (is_static(s) || (s >= CODER_ACTIVE_HITS && in->at == in->end))
            continue;
        struct byte_reader piece = take(in);
        bytes_put(&reading->flow.out[s], piece.at, (size_t)(piece.end - piece.at));
    }
    return !in->bad && in->at == in->end;
}

/* The body of the next entry; false if there is no whole one. */
static bool next_entry(struct byte_reader *in, struct byte_reader *body)
{
    const uint8_t *start = in->at, *head = reader_take(in, ENTRY_HEAD);
    if (head == NULL || *head != ENTRY)
        return false;
    uint64_t size = frame_get_u64(head + 1);
    const uint8_t *data = reader_take(in, size), *sum = reader_take(in, CHECKSUM);
    if (data == NULL || sum == NULL ||
        XXH3_64bits(start, ENTRY_HEAD + size) != frame_get_u64(sum))
        return false;
    *body = (struct byte_reader){data, data + size, false};
    return true;
}

static void put_static(struct recovery_log_reading *reading)
{
    coder_number(&reading->flow, CODER_STATIC, reading->code_count, false);
    for (uint64_t i = 0; i < reading->code_count; i++)
        for (int s = 0; s < 2; s++) {
            const struct byte_reader *from = &reading->codes[i].streams[s];
            bytes_put(&reading->flow.out[s == 0 ? CODER_STATIC : CODER_STATIC_TEXT], from->at,
                      (size_t)(from->end - from->at));
        }
}

int recovery_log_parse(const uint8_t *data, size_t size, uint64_t group, struct bytes *out)
{
    struct recovery_log_reading reading = {.group = group};
    struct byte_reader in = {data, size > 0 ? data + size : data, false}, body;
    bool some = false, good = true;
    while (good && next_entry(&in, &body)) {
        good = read_entry(&reading, &body);
        some |= good;
    }
    int rc = reading.failed ? -1 : 0;
    if (rc == 0 && good && some) {
        put_static(&reading);
        rc = pack_group(&reading.flow, &reading.counts, LEVEL, out);
    }
    coder_finish(&reading.flow);
    free(reading.codes);
    return rc;
}

int recovery_log_read(const char *path, uint64_t group, struct bytes *out)
{
    struct bytes data = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    while (!feof(file) && !ferror(file) && bytes_reserve(&data, 1 << 16))
        data.size += fread(data.data + data.size, 1, 1 << 16, file);
    fclose(file);
    int rc = data.failed ? -1 : 0;
    if (rc == 0 && data.size > 0)
        rc = recovery_log_parse(data.data, data.size, group, out);
    bytes_finish(&data);
    return rc;
}
