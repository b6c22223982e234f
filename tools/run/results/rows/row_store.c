#include "tools/run/results/rows/row_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tools/run/results/rows/row_record.h"
#include "traces/base/bytes.h"
#include "traces/base/files/spill.h"
#include "traces/base/map.h"
#include "traces/base/text/texts.h"

#define RECENT (1 << 20)        /* bytes of rows in memory, at most; about 3,000 rows */
#define WINDOW (1 << 18)        /* bytes that are read at once */
#define HEAD   sizeof(uint32_t) /* before each row: its bytes */

struct row_store {
    pthread_mutex_t mutex;
    struct bytes recent; /* the last rows; they follow those of the file */
    struct spill file;
    struct bytes window; /* a part of the file: what was read last */
    uint64_t window_at;  /* where it begins */
    struct map texts;    /* by their hashes */
    char **text;
    uint32_t text_count;
    struct texts recent_texts;
    struct error error; /* of the first row that could not be read */
};

struct row_store *row_store_create(struct error *err)
{
    struct row_store *store = calloc(1, sizeof *store);
    if (store == NULL || spill_init(&store->file, NULL) != 0) {
        free(store);
        error_no_memory(err);
        return NULL;
    }
    pthread_mutex_init(&store->mutex, NULL);
    return store;
}

void row_store_destroy(struct row_store *store)
{
    if (store == NULL)
        return;
    for (uint32_t i = 0; i < store->text_count; i++)
        free(store->text[i]);
    free(store->text);
    texts_finish(&store->recent_texts);
    map_finish(&store->texts);
    bytes_finish(&store->recent);
    bytes_finish(&store->window);
    spill_finish(&store->file);
    pthread_mutex_destroy(&store->mutex);
    free(store);
}

int row_store_set_folder(struct row_store *store, const char *folder, struct error *err)
{
    spill_finish(&store->file);
    return spill_init(&store->file, folder) == 0 ? 0 : error_no_memory(err);
}

/* ---- texts ---- */

/* Returns NULL without memory. */
static const char *add_text(struct row_store *store, const char *text, uint64_t key)
{
    uint32_t count = store->text_count;
    if (!array_room(&store->text, count, sizeof *store->text) ||
        (store->text[count] = strdup(text)) == NULL)
        return NULL;
    if (!map_set(&store->texts, key, count)) {
        free(store->text[count]);
        return NULL;
    }
    return store->text[store->text_count++];
}

static const char *find_text(struct row_store *store, const char *text)
{
    size_t length = strlen(text);
    for (uint64_t seed = 0;; seed++) { /* again if another text has the same hash */
        uint64_t key = XXH64(text, length, seed);
        uint32_t at = map_get(&store->texts, key);
        if (at == MAP_NONE)
            return add_text(store, text, key);
        if (strcmp(store->text[at], text) == 0)
            return store->text[at];
    }
}

const char *row_store_text(struct row_store *store, const char *text, struct error *err)
{
    pthread_mutex_lock(&store->mutex);
    const char *found = find_text(store, text);
    pthread_mutex_unlock(&store->mutex);
    if (found == NULL)
        error_no_memory(err);
    return found;
}

const char *row_store_recent_text(struct row_store *store, const char *text, struct error *err)
{
    pthread_mutex_lock(&store->mutex);
    const char *kept = texts_keep(&store->recent_texts, text, strlen(text));
    pthread_mutex_unlock(&store->mutex);
    if (kept == NULL)
        error_no_memory(err);
    return kept;
}

/* ---- rows ---- */

static int put_row(struct bytes *bytes, const struct row *row, struct error *err)
{
    size_t before = bytes->size;
    uint32_t size = 0;
    bytes_put(bytes, &size, HEAD);
    row_record_write(bytes, row);
    if (bytes->failed) {
        bytes->size = before;
        bytes->failed = false;
        return error_no_memory(err);
    }
    size = (uint32_t)(bytes->size - before - HEAD);
    memcpy(bytes->data + before, &size, HEAD);
    return 0;
}

static int add_row(struct row_store *store, const struct row *row, uint64_t *place,
                   struct error *err)
{
    struct bytes *recent = &store->recent;
    if (recent->size >= RECENT) {
        if (spill_write(&store->file, recent->data, recent->size, err) != 0)
            return -1;
        recent->size = 0;
    }
    *place = store->file.end + recent->size;
    return put_row(recent, row, err);
}

int row_store_add(struct row_store *store, const struct row *row, uint64_t *place,
                  struct error *err)
{
    pthread_mutex_lock(&store->mutex);
    int result = add_row(store, row, place, err);
    pthread_mutex_unlock(&store->mutex);
    return result;
}

/* The SIZE bytes at PLACE of the file, by way of the window. NULL with the store's error
 * filled. */
static const uint8_t *look(struct row_store *store, uint64_t place, size_t size)
{
    struct bytes *window = &store->window;
    if (place >= store->window_at && place + size <= store->window_at + window->size)
        return window->data + (place - store->window_at);
    size_t wanted = size > WINDOW ? size : WINDOW;
    window->size = 0;
    if (!bytes_reserve(window, wanted)) {
        window->failed = false;
        error_no_memory(&store->error);
        return NULL;
    }
    long got = spill_read(&store->file, place, window->data, wanted, &store->error);
    if (got < 0)
        return NULL;
    window->size = (size_t)got;
    store->window_at = place;
    if (window->size >= size)
        return window->data;
    error_set(&store->error, ERROR_OUTPUT, store->file.dir, 0, 0,
              "temporary data is shorter than it was");
    return NULL;
}

/* As look(), in the file or in memory. */
static const uint8_t *find(struct row_store *store, uint64_t place, size_t size)
{
    return place >= store->file.end ? store->recent.data + (place - store->file.end)
                                    : look(store, place, size);
}

static bool read_row(struct row_store *store, uint64_t place, struct row *row)
{
    uint32_t size;
    const uint8_t *at = find(store, place, HEAD);
    if (at == NULL)
        return false;
    memcpy(&size, at, HEAD);
    at = find(store, place + HEAD, size);
    if (at == NULL)
        return false;
    if (row_record_read(row, at, size))
        return true;
    error_no_memory(&store->error);
    return false;
}

bool row_store_read(struct row_store *store, uint64_t place, struct row *row)
{
    pthread_mutex_lock(&store->mutex);
    bool good = read_row(store, place, row);
    pthread_mutex_unlock(&store->mutex);
    return good;
}

int row_store_check(struct row_store *store, struct error *err)
{
    pthread_mutex_lock(&store->mutex);
    bool good = store->error.kind == ERROR_NONE;
    pthread_mutex_unlock(&store->mutex);
    return good ? 0 : error_pass(err, &store->error);
}
