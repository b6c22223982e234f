#include "traces/tarball/tarball.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/base/bytes.h"
#include "traces/base/files/spill.h"
#include "traces/packed/frame.h"
#include "traces/packed/store.h"

/* A file in the archive: bytes of the temporary file. */
struct member {
    char *name; /* without "./" at its start */
    uint64_t at, size;
};

struct tarball {
    char *path;
    struct spill spill;
    struct member *members; /* sorted by name once all are there */
    size_t count;
};

/* Returns 1 with *ARCHIVE, which the caller frees; 0 with errno set if PATH cannot be read, and
 * -1 without memory. */
static int open_archive(const char *path, struct archive **archive)
{
    static int (*const supports[])(struct archive *) = {
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
        archive_read_support_filter_xz,   archive_read_support_filter_lz4,
        archive_read_support_filter_zstd, archive_read_support_format_tar,
        archive_read_support_format_zip,
    };
    bool known = (*archive = archive_read_new()) != NULL;
    for (size_t i = 0; known && i < sizeof supports / sizeof *supports; i++)
        known = supports[i](*archive) != ARCHIVE_FATAL; /* it has no other reason */
    if (known && archive_read_open_filename(*archive, path, 1 << 16) == ARCHIVE_OK)
        return 1;
    int why = known ? archive_errno(*archive) : ENOMEM;
    archive_read_free(*archive);
    *archive = NULL;
    errno = why;
    return why == ENOMEM ? -1 : 0;
}

int tarball_is(const char *path)
{
    struct stat status;
    struct archive *archive;
    struct archive_entry *entry;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    int is = open_archive(path, &archive);
    if (is == 1) {
        int rc = archive_read_next_header(archive, &entry);
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
            is = archive_errno(archive) == ENOMEM ? -1 : 0;
    }
    archive_read_free(archive);
    return is;
}

/* ---- unpacking ---- */

static const char *without_dot(const char *name)
{
    while (name[0] == '.' && name[1] == '/')
        name += 2;
    return name;
}

static struct member *add_member(struct tarball *tarball, const char *name)
{
    if (!array_room(&tarball->members, tarball->count, sizeof *tarball->members))
        return NULL;
    struct member *member = &tarball->members[tarball->count];
    *member = (struct member){.name = strdup(without_dot(name)), .at = tarball->spill.end};
    if (member->name == NULL)
        return NULL;
    tarball->count++;
    return member;
}

static int damaged(const struct tarball *tarball, struct archive *archive, struct error *err)
{
    const char *why = archive_error_string(archive);
    return error_undecoded(err, tarball->path, 0, 0, "cannot read on: %s",
                           why != NULL ? why : "corrupt or truncated data");
}

static int take_bytes(struct tarball *tarball, struct member *member, struct archive *archive,
                      struct error *err)
{
    const void *data;
    size_t size;
    la_int64_t offset;
    int rc;
    while ((rc = archive_read_data_block(archive, &data, &size, &offset)) == ARCHIVE_OK) {
        if ((uint64_t)offset != member->size)
            return error_set(err, ERROR_TRACE, tarball->path, 0, 0,
                             "%s: sparse files in archives are not read", member->name);
        if (spill_write(&tarball->spill, data, size, err) != 0)
            return -1;
        member->size += size;
    }
    return rc == ARCHIVE_EOF ? 0 : damaged(tarball, archive, err);
}

static int take_members(struct tarball *tarball, struct archive *archive, struct error *err)
{
    struct archive_entry *entry;
    int rc;
    while ((rc = archive_read_next_header(archive, &entry)) == ARCHIVE_OK ||
           rc == ARCHIVE_WARN) {
        const char *name = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) != AE_IFREG || name == NULL)
            continue;
        struct member *member = add_member(tarball, name);
        if (member == NULL)
            return error_no_memory_for(err, ERROR_TRACE, tarball->path);
        if (take_bytes(tarball, member, archive, err) != 0)
            return -1;
    }
    return rc == ARCHIVE_EOF ? 0 : damaged(tarball, archive, err);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

static int by_name_and_place(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const int names = by_name(a, b);
    if (names != 0)
        return names;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : (x->size > y->size) - (x->size < y->size); /* the first is empty */
}

/* Sorts the members. Of several with the same name the last one counts, as for tar. */
static void sort_members(struct tarball *tarball)
{
    size_t kept = 0;
    struct member *members = tarball->members;
    if (tarball->count > 0)
        qsort(members, tarball->count, sizeof *members, by_name_and_place);
    for (size_t i = 0; i < tarball->count; i++) {
        if (i + 1 < tarball->count && strcmp(members[i].name, members[i + 1].name) == 0)
            free(members[i].name);
        else
            members[kept++] = members[i];
    }
    tarball->count = kept;
}

struct tarball *tarball_open(const char *path, struct error *err)
{
    struct tarball *tarball = calloc(1, sizeof *tarball);
    struct archive *archive = NULL;
    int rc = -1;
    if (tarball == NULL || spill_init(&tarball->spill, NULL) != 0) {
        free(tarball);
        error_no_memory_for(err, ERROR_TRACE, path);
        return NULL;
    }
    tarball->path = strdup(path);
    if (tarball->path == NULL || open_archive(path, &archive) < 0)
        error_no_memory_for(err, ERROR_TRACE, path);
    else if (archive == NULL)
        error_set(err, ERROR_TRACE, path, 0, 0, "cannot open: %s", strerror(errno));
    else
        rc = take_members(tarball, archive, err);
    archive_read_free(archive);
    if (rc == 0) {
        sort_members(tarball);
        return tarball;
    }
    tarball_close(tarball);
    return NULL;
}

void tarball_close(struct tarball *tarball)
{
    if (tarball == NULL)
        return;
    for (size_t i = 0; i < tarball->count; i++)
        free(tarball->members[i].name);
    free(tarball->members);
    spill_finish(&tarball->spill);
    free(tarball->path);
    free(tarball);
}

/* ---- lists ---- */

/* Whether NAME is in FOLDER, which may end with slashes; NULL: in any. */
static bool is_in(const char *name, const char *folder)
{
    const char *slash = strrchr(name, '/');
    size_t length = slash != NULL ? (size_t)(slash - name) : 0;
    return folder == NULL || (strncmp(name, folder, length) == 0 &&
                              folder[length + strspn(folder + length, "/")] == '\0');
}

/* Whether NAME is a list NAMED so in FOLDER, or FOLDER names that list. */
static bool is_list(const char *name, const char *named, const char *folder)
{
    const char *slash = strrchr(name, '/');
    return strcmp(slash != NULL ? slash + 1 : name, named) == 0 &&
           (is_in(name, folder) || strcmp(name, folder) == 0);
}

const char *tarball_list(const struct tarball *tarball, const char *folder, struct error *err)
{
    static const char *const names[] = {"kernelslist.g", "kernelslist"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const char *found = NULL, *second = NULL;
        for (size_t i = 0; i < tarball->count; i++)
            if (is_list(tarball->members[i].name, names[n], folder))
                *(found == NULL ? &found : &second) = tarball->members[i].name;
        if (second != NULL) {
            error_set(err, ERROR_TRACE, tarball->path, 0, 0,
                      "the archive has several lists, %s and %s among them: name the folder of "
                      "one, ARCHIVE/FOLDER",
                      found, second);
            return NULL;
        }
        if (found != NULL)
            return found;
    }
    error_set(
        err, ERROR_TRACE, tarball->path, 0, 0,
        "the archive has neither kernelslist.g nor kernelslist%s%s, and no packed workload",
        folder != NULL ? " in " : "", folder != NULL ? folder : "");
    return NULL;
}

/* ---- members ---- */

static const struct member *find(const struct tarball *tarball, const char *name)
{
    struct member key = {.name = (char *)without_dot(name)};
    if (tarball->count == 0)
        return NULL;
    return bsearch(&key, tarball->members, tarball->count, sizeof *tarball->members, by_name);
}

/* A name in two parts. */
struct split_name {
    const char *name;
    size_t length; /* of NAME */
    const char *suffix;
};

static int by_split_name(const void *key, const void *item)
{
    const struct split_name *split = key;
    const struct member *member = item;
    int names = strncmp(split->name, member->name, split->length);
    return names != 0 ? names : strcmp(split->suffix, member->name + split->length);
}

/* NAME with or without the suffix of its compression, as source_other_name() has it. */
static const struct member *find_any(const struct tarball *tarball, const char *name)
{
    static const char *const suffixes[] = {".xz", ".gz", ".zst", ".bz2"};
    const struct member *member = find(tarball, name);
    size_t length = strlen(without_dot(name));
    for (size_t i = 0; tarball->count > 0 && member == NULL && i < 4; i++) {
        size_t n = strlen(suffixes[i]);
        struct split_name key = {without_dot(name), length, suffixes[i]};
        if (length > n && strcmp(key.name + length - n, suffixes[i]) == 0)
            key = (struct split_name){key.name, length - n, ""};
        member = bsearch(&key, tarball->members, tarball->count, sizeof *member, by_split_name);
    }
    return member;
}

bool tarball_size(const struct tarball *tarball, const char *member, uint64_t *size)
{
    const struct member *found = find_any(tarball, member);
    if (found != NULL)
        *size = found->size;
    return found != NULL;
}

/* ---- packed workloads ---- */

static bool is_packed(const struct tarball *tarball, const struct member *member)
{
    uint8_t magic[FRAME_MAGIC_SIZE];
    return member->size >= sizeof magic &&
           spill_read(&tarball->spill, member->at, magic, sizeof magic, NULL) ==
               (long)sizeof magic &&
           memcmp(magic, FRAME_MAGIC, sizeof magic) == 0;
}

const char *tarball_packed(const struct tarball *tarball, const char *folder, struct error *err)
{
    const struct member *found = folder != NULL ? find(tarball, folder) : NULL;
    if (found != NULL)
        return is_packed(tarball, found) ? found->name : NULL;
    for (size_t i = 0; i < tarball->count; i++) {
        const struct member *member = &tarball->members[i];
        if (!is_in(member->name, folder) || !is_packed(tarball, member))
            continue;
        if (found != NULL) {
            error_set(err, ERROR_TRACE, tarball->path, 0, 0,
                      "the archive has several packed workloads, %s and %s among them: name "
                      "one, ARCHIVE/FILE",
                      found->name, member->name);
            return NULL;
        }
        found = member;
    }
    return found != NULL ? found->name : NULL;
}

struct store *tarball_store(const struct tarball *tarball, const char *member, const char *name,
                            struct error *err)
{
    const struct member *found = find(tarball, member);
    int fd = fcntl(tarball->spill.fd, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
        return store_open_inside(name, fd, found->at, found->size, err);
    error_set(err, ERROR_TRACE, name, 0, 0, "cannot open: %s", strerror(errno));
    return NULL;
}

/* ---- files of launches ---- */

/* What is left of a member. */
struct rest {
    const struct spill *spill;
    uint64_t at, end;
    char bytes[1 << 16];
};

static int read_rest(struct source *source, const void **text, size_t *size, struct error *err)
{
    struct rest *rest = source->stream;
    uint64_t left = rest->end - rest->at;
    size_t most = left < sizeof rest->bytes ? (size_t)left : sizeof rest->bytes;
    long n = most > 0 ? spill_read(rest->spill, rest->at, rest->bytes, most, err) : 0;
    if (n < 0)
        return -1;
    rest->at += (uint64_t)n;
    *text = rest->bytes;
    *size = (size_t)n;
    return n > 0;
}

static void close_rest(struct source *source)
{
    free(source->stream);
}

int tarball_source(const struct tarball *tarball, const char *member, const char *name,
                   struct source *source, struct error *err)
{
    static const struct source_ops ops = {read_rest, close_rest};
    const struct member *found = find_any(tarball, member);
    if (found == NULL)
        return error_set(err, ERROR_TRACE, name, 0, 0, "the archive does not have this file");
    struct rest *rest = malloc(sizeof *rest);
    if (rest == NULL)
        return error_no_memory_for(err, ERROR_TRACE, name);
    rest->spill = &tarball->spill;
    rest->at = found->at;
    rest->end = found->at + found->size;
    return source_open_any(source, name, &ops, rest, err);
}
