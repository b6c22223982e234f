#define _GNU_SOURCE /* asprintf */
#include "traces/packed/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "traces/base/bytes.h"
#include "traces/packed/recovery_log.h"
#include "traces/packed/store_file.h"
#include "traces/packed/store_launches.h"

/* ---- groups ------------------------------------------------------------ */

static struct store_group *add_group(struct store *store, int fd, uint64_t offset,
                                     uint64_t size)
{
    uint32_t n = store->group_count;
    if (!array_room(&store->groups, n, sizeof *store->groups))
        return NULL;
    store->groups[n] = (struct store_group){.fd = fd, .offset = offset, .size = size};
    store->group_count++;
    return &store->groups[n];
}

/* Adds the launches that are whole but in no group of the file. */
static int recover(struct store *store, struct error *err)
{
    char *path;
    struct bytes group = {0};
    if (asprintf(&path, "%s" RECOVERY_LOG_SUFFIX, store->name) < 0)
        return error_no_memory_for(err, ERROR_TRACE, store->name);
    int rc = recovery_log_read(path, store->group_count, &group) != 0
                 ? error_no_memory_for(err, ERROR_TRACE, store->name)
                 : 0;
    free(path);
    if (rc == 0 && group.size > 0) {
        store->recovered = tmpfile();
        if (store->recovered == NULL ||
            fwrite(group.data, 1, group.size, store->recovered) != group.size ||
            fflush(store->recovered) != 0)
            rc = error_set(err, ERROR_TRACE, store->name, 0, 0,
                           "what its redo log holds cannot be kept in a temporary file: %s",
                           strerror(errno));
        else if (add_group(store, fileno(store->recovered), 0, group.size) == NULL)
            rc = error_no_memory_for(err, ERROR_TRACE, store->name);
    }
    bytes_finish(&group);
    return rc;
}

/* Finds the groups by their headers: there is no index. */
static int scan(struct store *store, struct error *err)
{
    uint64_t at = store->start + FRAME_FILE_HEADER;
    struct frame_header header;
    while (store_file_header(store->fd, at, &header) == NULL) {
        uint64_t size = store_file_group_size(&header);
        if (size > store->end - at)
            break;
        if (add_group(store, store->fd, at, size) == NULL)
            return error_no_memory_for(err, ERROR_TRACE, store->name);
        at += size;
    }
    store->cut = true;
    store->left_out = store->end > at ? store->end - at : 0;
    return store->inside ? 0 : recover(store, err);
}

static int damaged_index(const struct store *store, const char *why, struct error *err)
{
    return error_undecoded(err, store->name, 0, 0, "index: %s", why);
}

/* Reads the index of SIZE bytes that ends before the footer. */
static int read_index(struct store *store, uint32_t size, struct error *err)
{
    uint64_t end = store->end - FRAME_FOOTER, at = store->start + FRAME_FILE_HEADER;
    if (size < 9 || size > end - at)
        return damaged_index(store, "its size, which the footer names, cannot be", err);
    uint8_t *data = malloc(size);
    if (data == NULL)
        return error_no_memory_for(err, ERROR_TRACE, store->name);
    const char *wrong = NULL;
    errno = 0;
    if (!store_file_read(store->fd, end - size, data, size))
        wrong = "cannot be read";
    else if (data[0] != FRAME_INDEX ||
             XXH3_64bits(data, size - 8) != frame_get_u64(data + size - 8))
        wrong = "is damaged: the checksum differs";
    struct byte_reader in = {data + 1, data + size - 8, false};
    uint64_t groups = wrong == NULL ? reader_number(&in) : 0;
    reader_number(&in); /* launches */
    for (uint64_t i = 0; wrong == NULL && i < groups; i++) {
        uint64_t length = reader_number(&in);
        reader_number(&in);
        if (in.bad || length > end - size - at)
            wrong = "is not understood";
        else if (add_group(store, store->fd, at, length) == NULL)
            wrong = "does not fit into memory";
        at += length;
    }
    if (wrong == NULL && at != end - size)
        wrong = "does not fit the groups before it";
    free(data);
    return wrong == NULL ? 0 : damaged_index(store, wrong, err);
}

static int find_groups(struct store *store, struct error *err)
{
    uint8_t footer[FRAME_FOOTER];
    if (store->end - store->start < FRAME_FILE_HEADER + FRAME_FOOTER ||
        !store_file_read(store->fd, store->end - FRAME_FOOTER, footer, FRAME_FOOTER) ||
        memcmp(footer + 4, FRAME_FOOTER_MAGIC, sizeof FRAME_FOOTER_MAGIC) != 0)
        return scan(store, err);
    uint32_t index = footer[0] | (uint32_t)footer[1] << 8 | (uint32_t)footer[2] << 16 |
                     (uint32_t)footer[3] << 24;
    return read_index(store, index, err);
}

/* Gives a group up; the most recent one is kept. */
static void release(struct store *store, uint32_t i)
{
    struct store_group *entry = &store->groups[i];
    if (--entry->users > 0 || i == store->recent || entry->group == NULL)
        return;
    group_finish(entry->group);
    free(entry->group);
    entry->group = NULL;
}

static struct group *acquire(struct store *store, uint32_t i, unsigned frames,
                             struct error *err)
{
    struct store_group *entry = &store->groups[i];
    if (entry->group == NULL)
        entry->group = calloc(1, sizeof *entry->group);
    if (entry->group == NULL) {
        error_no_memory_for(err, ERROR_TRACE, store->name);
        return NULL;
    }
    entry->users++;
    uint32_t recent = store->recent;
    store->recent = i;
    if (recent != i && recent < store->group_count) {
        store->groups[recent].users++; /* drops it if nobody uses it */
        release(store, recent);
    }
    if (store_file_load(entry->fd, store->name, i, entry->offset, frames, entry->group, err) ==
        0)
        return entry->group;
    store->recent = store->recent == i && entry->users == 1 ? UINT32_MAX : store->recent;
    release(store, i);
    return NULL;
}

struct group *store_acquire(struct store *store, uint32_t i, unsigned frames, struct error *err)
{
    pthread_mutex_lock(&store->lock);
    struct group *group = acquire(store, i, frames, err);
    pthread_mutex_unlock(&store->lock);
    return group;
}

void store_release(struct store *store, uint32_t i)
{
    pthread_mutex_lock(&store->lock);
    release(store, i);
    pthread_mutex_unlock(&store->lock);
}

bool store_open_part(struct store *store, const struct group *group,
                     const struct group_item *item, struct coder *flow)
{
    pthread_mutex_lock(&store->lock); /* another thread may load more of the group */
    bool ok = group_open_part(group, item, flow);
    pthread_mutex_unlock(&store->lock);
    return ok;
}

/* ---- open, close ------------------------------------------------------- */

bool store_is_packed(const char *path)
{
    uint8_t magic[FRAME_MAGIC_SIZE];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool packed = fd >= 0 && store_file_read(fd, 0, magic, sizeof magic) &&
                  memcmp(magic, FRAME_MAGIC, sizeof magic) == 0;
    if (fd >= 0)
        close(fd);
    return packed;
}

static int open_file(struct store *store, struct error *err)
{
    struct stat status;
    store->fd = open(store->name, O_RDONLY | O_CLOEXEC);
    if (store->fd < 0 || fstat(store->fd, &status) != 0)
        return error_set(err, ERROR_TRACE, store->name, 0, 0, "cannot open: %s",
                         strerror(errno));
    store->end = (uint64_t)status.st_size;
    return 0;
}

static struct store *create(const char *name, struct error *err)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL || (store->name = strdup(name)) == NULL) {
        free(store);
        error_no_memory_for(err, ERROR_TRACE, name);
        return NULL;
    }
    pthread_mutex_init(&store->lock, NULL);
    functions_cache_init(&store->functions);
    store->recent = UINT32_MAX;
    store->fd = -1;
    return store;
}

/* STORE, which is closed on error. */
static struct store *read_heads(struct store *store, struct error *err)
{
    uint8_t head[FRAME_FILE_HEADER] = {0};
    if (store->end - store->start >= sizeof head)
        store_file_read(store->fd, store->start, head, sizeof head);
    if (store_file_check(store->name, head, err) == 0 && find_groups(store, err) == 0 &&
        store_launches_read(store, err) == 0)
        return store;
    store_close(store);
    return NULL;
}

struct store *store_open(const char *path, struct error *err)
{
    struct store *store = create(path, err);
    if (store == NULL || open_file(store, err) == 0)
        return store != NULL ? read_heads(store, err) : NULL;
    store_close(store);
    return NULL;
}

struct store *store_open_inside(const char *name, int fd, uint64_t start, uint64_t size,
                                struct error *err)
{
    struct store *store = create(name, err);
    if (store == NULL) {
        close(fd);
        return NULL;
    }
    store->fd = fd;
    store->start = start;
    store->end = start + size;
    store->inside = true;
    return read_heads(store, err);
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (uint32_t i = 0; i < store->group_count; i++)
        if (store->groups[i].group != NULL) {
            group_finish(store->groups[i].group);
            free(store->groups[i].group);
        }
    if (store->recovered != NULL)
        fclose(store->recovered);
    if (store->fd >= 0)
        close(store->fd);
    pthread_mutex_destroy(&store->lock);
    functions_cache_finish(&store->functions);
    free(store->groups);
    free(store->launches);
    bytes_finish(&store->list);
    bytes_finish(&store->names);
    free(store->note);
    free(store->name);
    free(store);
}
