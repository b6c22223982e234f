/* Compressed files: gzip, bzip2, xz, lzma, lz4 or zstd, whole or in members. */
#include <archive.h>
#include <errno.h>
#include <string.h>

#include "traces/readers/reader.h"

struct compressed {
    struct source inner;
    struct archive *archive;
    struct error wrong; /* with `inner` */
};

static bool probe(const struct source *source)
{
    static const struct {
        size_t size;
        const char *bytes;
    } starts[] = {
        {2, "\x1f\x8b"},         /* gzip */
        {3, "BZh"},              /* bzip2 */
        {6, "\xfd\x37zXZ\0"},    /* xz */
        {3, "\x5d\0\0"},         /* lzma */
        {4, "\x04\x22\x4d\x18"}, /* lz4 */
        {4, "\x28\xb5\x2f\xfd"}, /* zstd */
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if ((size_t)(source->end - source->at) >= starts[i].size &&
            memcmp(source->at, starts[i].bytes, starts[i].size) == 0)
            return true;
    return false;
}

static la_ssize_t read_inner(struct archive *archive, void *data, const void **bytes)
{
    struct compressed *compressed = data;
    size_t size;
    int rc = source_read(&compressed->inner, bytes, &size, &compressed->wrong);
    return rc > 0 ? (la_ssize_t)size : rc;
}

/* One filter at a time instead of "all": some of those start programs. */
static struct archive *new_archive(void)
{
    struct archive *archive = archive_read_new();
    if (archive == NULL)
        return NULL;
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_lzma(archive);
    archive_read_support_filter_lz4(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    return archive;
}

static int failed(const struct source *source, struct error *err)
{
    const struct compressed *compressed = source->stream;
    if (compressed->wrong.kind != ERROR_NONE)
        return error_pass(err, &compressed->wrong);
    const char *why = archive_error_string(compressed->archive);
    return error_undecoded(err, source->name, source->line > 1 ? source->line : 0, 0,
                           "cannot read on: %s", why ? why : "corrupt or truncated data");
}

static int read_archive(struct source *source, const void **text, size_t *size,
                        struct error *err)
{
    struct compressed *compressed = source->stream;
    la_int64_t offset;
    int rc;
    errno = 0;
    do
        rc = archive_read_data_block(compressed->archive, text, size, &offset);
    while (rc == ARCHIVE_OK && *size == 0);
    if (rc == ARCHIVE_EOF)
        return 0;
    return rc == ARCHIVE_OK ? 1 : failed(source, err);
}

static void close_archive(struct source *source)
{
    struct compressed *compressed = source->stream;
    archive_read_free(compressed->archive);
}

/* Steps over the header of the only entry that the raw format makes. */
static int start(struct source *source, struct error *err)
{
    struct compressed *compressed = source->stream;
    struct archive *archive = compressed->archive;
    struct archive_entry *entry;
    errno = 0;
    int rc = archive_read_open(archive, compressed, NULL, read_inner, NULL);
    if (rc == ARCHIVE_OK && archive_filter_count(archive) > 1)
        rc = archive_read_next_header(archive, &entry);
    else
        rc = ARCHIVE_FATAL;
    if (rc == ARCHIVE_EOF)
        source->eof = true; /* of an empty file */
    else if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
        return failed(source, err);
    return 0;
}

static int open_compressed(struct source *source, struct error *err)
{
    static const struct source_ops ops = {read_archive, close_archive};
    struct compressed *compressed = source_wrap(source, &ops, sizeof *compressed, err);
    if (compressed == NULL)
        return -1;
    compressed->archive = new_archive();
    if (compressed->archive != NULL && start(source, err) == 0)
        return 0;
    error_no_memory_for(err, ERROR_TRACE, source->name);
    source_finish(source);
    return -1;
}

const struct trace_reader trace_reader_compressed = {
    .policy = {"compressed", NULL, "a compressed file"},
    .probe = probe,
    .open = open_compressed,
};
