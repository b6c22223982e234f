#include "traces/text/line_sort.h"

#include <stdlib.h>
#include <string.h>

#define MIN_LINES  256
#define RUN_BUFFER ((size_t)1 << 16)
#define NO_KEY     UINT64_MAX

/* A sorted batch on disk: for each key that, the bytes, and the text. */
struct line_run {
    uint64_t at, end;   /* what is not in the buffer yet */
    uint64_t key, left; /* the current key, NO_KEY after the last; its bytes to be taken */
    char *buffer;
    size_t buffer_at, buffer_size;
};

static int out_of_memory(struct error *err)
{
    return error_no_memory_for(err, ERROR_TRACE, NULL);
}

/* ---- batch ------------------------------------------------------------- */

static int batch_init(struct line_batch *batch, size_t bytes, size_t item)
{
    size_t each = sizeof *batch->keys + 2 * sizeof *batch->order + sizeof *batch->at;
    size_t n = bytes / (each + item);
    n = n < MIN_LINES ? MIN_LINES : n > UINT32_MAX / 2 ? UINT32_MAX / 2 : n;
    *batch = (struct line_batch){.capacity = n, .size = n * item};
    batch->keys = malloc(n * sizeof *batch->keys);
    batch->order = malloc(n * sizeof *batch->order);
    batch->other = malloc(n * sizeof *batch->other);
    batch->at = malloc((n + 1) * sizeof *batch->at);
    batch->text = malloc(batch->size);
    if (!batch->keys || !batch->order || !batch->other || !batch->at || !batch->text)
        return -1;
    batch->at[0] = 0;
    return 0;
}

static void batch_finish(struct line_batch *batch)
{
    free(batch->keys);
    free(batch->order);
    free(batch->other);
    free(batch->at);
    free(batch->text);
}

/* Makes room for a line that is longer than the text of a batch. */
static int grow_text(struct line_batch *batch, size_t length)
{
    char *text = realloc(batch->text, length);
    if (text == NULL)
        return -1;
    batch->text = text;
    batch->size = length;
    return 0;
}

/* Sorts by the byte of the keys at SHIFT, if they differ in it. */
static void sort_byte(struct line_batch *batch, int shift)
{
    size_t starts[256] = {0}, start = 0;
    for (size_t i = 0; i < batch->count; i++)
        starts[batch->keys[i] >> shift & 255]++;
    if (starts[batch->keys[0] >> shift & 255] == batch->count)
        return;
    for (int b = 0; b < 256; b++) {
        size_t n = starts[b];
        starts[b] = start;
        start += n;
    }
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t line = batch->order[i];
        batch->other[starts[batch->keys[line] >> shift & 255]++] = line;
    }
    uint32_t *sorted = batch->other;
    batch->other = batch->order;
    batch->order = sorted;
}

/* Radix sort, lowest byte first: stable and linear. */
static void batch_sort(struct line_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        batch->order[i] = (uint32_t)i;
    for (int shift = 0; shift < 64 && batch->count > 0; shift += 8)
        sort_byte(batch, shift);
}

/* Appends line N of the batch. */
static void put_line(const struct line_batch *batch, uint32_t n, struct bytes *out)
{
    bytes_put(out, batch->text + batch->at[n], batch->at[n + 1] - batch->at[n]);
}

/* ---- runs -------------------------------------------------------------- */

/* Writes the lines of one key, sorted lines FROM to TO. */
static int write_key(struct line_sort *sort, size_t from, size_t to, struct error *err)
{
    const struct line_batch *batch = &sort->batch;
    uint64_t head[2] = {batch->keys[batch->order[from]], 0};
    for (size_t i = from; i < to; i++)
        head[1] += batch->at[batch->order[i] + 1] - batch->at[batch->order[i]];
    bytes_put(&sort->out, head, sizeof head);
    for (size_t i = from; i < to; i++) {
        put_line(batch, batch->order[i], &sort->out);
        if (sort->out.size < RUN_BUFFER)
            continue;
        if (spill_write(&sort->spill, sort->out.data, sort->out.size, err) != 0)
            return -1;
        sort->out.size = 0;
    }
    return sort->out.failed ? out_of_memory(err) : 0;
}

static int write_run(struct line_sort *sort, struct error *err)
{
    struct line_batch *batch = &sort->batch;
    void *more = reallocarray(sort->runs, sort->run_count + 1, sizeof *sort->runs);
    if (more == NULL)
        return out_of_memory(err);
    sort->runs = more;
    struct line_run *run = &sort->runs[sort->run_count++];
    *run = (struct line_run){.at = sort->spill.end};
    batch_sort(batch);
    for (size_t from = 0, to; from < batch->count; from = to) {
        uint64_t key = batch->keys[batch->order[from]];
        for (to = from; to < batch->count && batch->keys[batch->order[to]] == key;)
            to++;
        if (write_key(sort, from, to, err) != 0)
            return -1;
    }
    if (spill_write(&sort->spill, sort->out.data, sort->out.size, err) != 0)
        return -1;
    sort->out.size = 0;
    run->end = sort->spill.end;
    batch->count = batch->used = 0;
    return 0;
}

/* Makes sure that unread bytes are in the run's buffer. Returns 1, 0 at its
 * end, -1 on error. */
static int fill_run(struct line_sort *sort, struct line_run *run, struct error *err)
{
    uint64_t left = run->end - run->at;
    size_t wanted = left < RUN_BUFFER ? (size_t)left : RUN_BUFFER;
    if (run->buffer_at < run->buffer_size)
        return 1;
    if (wanted == 0)
        return 0;
    long n = spill_read(&sort->spill, run->at, run->buffer, wanted, err);
    if (n < (long)wanted)
        return n < 0 ? -1
                     : error_set(err, ERROR_OUTPUT, sort->spill.dir, 0, 0,
                                 "temporary data is missing");
    spill_drop(&sort->spill, run->at, run->at + wanted);
    run->at += wanted;
    run->buffer_at = 0;
    run->buffer_size = wanted;
    return 1;
}

/* Reads the head of the run's next key. Its bytes have all been taken. */
static int next_key(struct line_sort *sort, struct line_run *run, struct error *err)
{
    uint64_t head[2];
    run->key = NO_KEY;
    for (size_t done = 0, n; done < sizeof head; done += n, run->buffer_at += n) {
        int rc = fill_run(sort, run, err);
        if (rc != 1)
            return rc;
        n = run->buffer_size - run->buffer_at;
        n = n < sizeof head - done ? n : sizeof head - done;
        memcpy((char *)head + done, run->buffer + run->buffer_at, n);
    }
    run->key = head[0];
    run->left = head[1];
    return 0;
}

/* The next bytes that the run has of KEY, as line_sort_next(). */
static int next_piece(struct line_sort *sort, struct line_run *run, uint64_t key,
                      const void **text, size_t *length, struct error *err)
{
    if (run->left == 0 && next_key(sort, run, err) != 0)
        return -1;
    if (run->key != key)
        return 0;
    if (fill_run(sort, run, err) != 1)
        return -1;
    size_t n = run->buffer_size - run->buffer_at;
    n = n < run->left ? n : (size_t)run->left;
    *text = run->buffer + run->buffer_at;
    *length = n;
    run->buffer_at += n;
    run->left -= n;
    return 1;
}

/* ---- all --------------------------------------------------------------- */

int line_sort_init(struct line_sort *sort, size_t bytes, size_t item, const char *dir)
{
    *sort = (struct line_sort){.spill.fd = -1};
    return batch_init(&sort->batch, bytes, item) == 0 ? spill_init(&sort->spill, dir) : -1;
}

void line_sort_finish(struct line_sort *sort)
{
    batch_finish(&sort->batch);
    spill_finish(&sort->spill);
    for (size_t i = 0; i < sort->run_count; i++)
        free(sort->runs[i].buffer);
    free(sort->runs);
    bytes_finish(&sort->out);
}

int line_sort_add(struct line_sort *sort, uint64_t key, const void *text, size_t length,
                  struct error *err)
{
    struct line_batch *batch = &sort->batch;
    bool full = batch->count == batch->capacity || length > batch->size - batch->used;
    if (full && write_run(sort, err) != 0)
        return -1;
    if (length > batch->size && grow_text(batch, length) != 0)
        return out_of_memory(err);
    batch->keys[batch->count++] = key;
    memcpy(batch->text + batch->used, text, length);
    batch->used += length;
    batch->at[batch->count] = batch->used;
    return 0;
}

int line_sort_end(struct line_sort *sort, struct error *err)
{
    bytes_finish(&sort->out);
    batch_sort(&sort->batch);
    for (size_t i = 0; i < sort->run_count; i++) {
        struct line_run *run = &sort->runs[i];
        run->buffer = malloc(RUN_BUFFER);
        if (run->buffer == NULL)
            return out_of_memory(err);
        if (next_key(sort, run, err) != 0)
            return -1;
    }
    return 0;
}

int line_sort_next(struct line_sort *sort, uint64_t key, const void **text, size_t *length,
                   struct error *err)
{
    struct line_batch *batch = &sort->batch;
    if (key != sort->key) {
        sort->key = key;
        sort->run = 0;
    }
    for (; sort->run < sort->run_count; sort->run++) {
        int rc = next_piece(sort, &sort->runs[sort->run], key, text, length, err);
        if (rc != 0)
            return rc;
    }
    if (batch->taken == batch->count || batch->keys[batch->order[batch->taken]] != key)
        return 0;
    uint32_t n = batch->order[batch->taken++];
    *text = batch->text + batch->at[n];
    *length = batch->at[n + 1] - batch->at[n];
    return 1;
}
