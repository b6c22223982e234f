/* Files, compressed and not, whole and broken. */
#include "tests/traces/support.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A trace of a few hundred KiB, which compresses badly. */
static char *make_text(size_t *size)
{
    char *text;
    FILE *out = open_memstream(&text, size);
    uint32_t random = 1;
    fprintf(out, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 5000\n", HEADER);
    for (int i = 0; i < 5000; i++) {
        fprintf(out, "%04x 0000000f 1 R4 LDG.E 1 R2 4 2 0x7f0000000000", i % 100 * 16);
        for (int d = 0; d < 3; d++)
            fprintf(out, " %d", (int)((random = random * 1664525 + 1013904223) >> 12));
        fprintf(out, " 0 \n");
    }
    fprintf(out, "#END_TB\n");
    fclose(out);
    return text;
}

typedef int (*filter)(struct archive *);

static const struct {
    const char *suffix;
    filter add;
} filters[] = {
    {".gz", archive_write_add_filter_gzip},
    {".bz2", archive_write_add_filter_bzip2},
    {".xz", archive_write_add_filter_xz},
    {".zst", archive_write_add_filter_zstd},
};
#define FILTERS (sizeof filters / sizeof *filters)

/* Compresses; the result is freed by the caller. */
static char *compress(filter add, const char *text, size_t size, size_t *packed)
{
    size_t room = size + 65536;
    char *buffer = malloc(room);
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    ck_assert_int_eq(add(a), ARCHIVE_OK);
    archive_write_set_format_raw(a);
    archive_write_set_bytes_per_block(a, 0);
    ck_assert_int_eq(archive_write_open_memory(a, buffer, room, packed), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(a, entry);
    ck_assert_int_eq(archive_write_data(a, text, size), (la_ssize_t)size);
    archive_entry_free(entry);
    archive_write_close(a);
    archive_write_free(a);
    return buffer;
}

/* dump() of a file with this content, or the error of opening it. */
static char *dump_file(const char *data, size_t size)
{
    char *folder = make_folder(), *path = make_file(folder, "k.traceg", data, size);
    struct error err = {0};
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    char *text = kernel != NULL ? dump(kernel) : strdup(err.text);
    free(path);
    remove_folder(folder);
    return text;
}

START_TEST(every_compression)
{
    size_t size, packed;
    char *text = make_text(&size), *expected = dump_file(text, size);
    ck_assert_uint_gt(strlen(expected), 300000);
    for (size_t i = 0; i < FILTERS; i++) {
        char *data = compress(filters[i].add, text, size, &packed);
        char *got = dump_file(data, packed);
        ck_assert_msg(strcmp(got, expected) == 0, "%s: %.200s", filters[i].suffix, got);
        free(got);
        free(data);
    }
    free(expected);
    free(text);
}
END_TEST

START_TEST(concatenated_members)
{
    size_t size, first, second;
    char *text = make_text(&size), *expected = dump_file(text, size);
    for (size_t i = 0; i < FILTERS; i++) {
        char *a = compress(filters[i].add, text, size / 3, &first);
        char *b = compress(filters[i].add, text + size / 3, size - size / 3, &second);
        char *both = malloc(first + second);
        memcpy(both, a, first);
        memcpy(both + first, b, second);
        char *got = dump_file(both, first + second);
        ck_assert_msg(strcmp(got, expected) == 0, "%s: %.200s", filters[i].suffix, got);
        free(got);
        free(both);
        free(a);
        free(b);
    }
    free(expected);
    free(text);
}
END_TEST

START_TEST(truncated)
{
    size_t size, packed;
    char *text = make_text(&size);
    for (size_t i = 0; i < FILTERS; i++) {
        char *data = compress(filters[i].add, text, size, &packed);
        for (size_t left = packed - 1; left > packed / 2; left -= packed / 5) {
            char *got = dump_file(data, left);
            ck_assert_msg(strstr(got, "cannot read on: ") != NULL, "%s, %zu of %zu bytes: %s",
                          filters[i].suffix, left, packed,
                          strlen(got) > 200 ? got + strlen(got) - 200 : got);
            free(got);
        }
        free(data);
    }
    free(text);
}
END_TEST

START_TEST(corrupt)
{
    size_t size, packed;
    char *text = make_text(&size);
    for (size_t i = 0; i < FILTERS; i++) {
        char *data = compress(filters[i].add, text, size, &packed);
        memset(data + packed / 2, 0x55, 64);
        char *got = dump_file(data, packed);
        /* Without a checksum the damage may show as a bad line first. */
        ck_assert_msg(strstr(got, "k.traceg:") != NULL, "%s", filters[i].suffix);
        free(got);
        free(data);
    }
    free(text);
}
END_TEST

START_TEST(empty_file)
{
    char *got = dump_file("", 0);
    ck_assert_msg(strstr(got, "k.traceg: the file is empty") != NULL, "%s", got);
    free(got);
}
END_TEST

/* More blank lines than readers look at are no empty file. */
START_TEST(blank_lines)
{
    char blank[70000];
    memset(blank, '\n', sizeof blank);
    char *got = dump_file(blank, sizeof blank);
    ck_assert_msg(
        strstr(got, "k.traceg: the file begins with more than 64 KiB of blank lines") != NULL,
        "%s", got);
    free(got);
}
END_TEST

START_TEST(folder_instead_of_file)
{
    struct error err = {0};
    ck_assert_ptr_null(trace_kernel_open("/", NULL, &err));
    ck_assert_str_eq(err.text, "/: a file is expected, this is a folder");
}
END_TEST

/* The list says .xz, the file was unpacked since; or the other way round. */
START_TEST(other_suffix)
{
    static const char text[] = TRACE("1", "0000 1 0 EXIT 0 0 0\n");
    char *folder = make_folder(), *path = make_file(folder, "a.traceg", text, sizeof text - 1);
    struct error err = {0};
    char name[4096];
    snprintf(name, sizeof name, "%s.xz", path);
    struct trace_kernel *kernel = trace_kernel_open(name, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(trace_kernel_note(kernel), "a.traceg is read in place of"));
    trace_kernel_close(kernel);
    ck_assert_int_eq(rename(path, name), 0);
    kernel = trace_kernel_open(path, NULL, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    trace_kernel_close(kernel);
    free(path);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_compression, concatenated_members,   truncated,    corrupt, empty_file,
        blank_lines,       folder_instead_of_file, other_suffix,
    };
    return RUN_TESTS("source", tests);
}
