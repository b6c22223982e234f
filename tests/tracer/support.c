#define _GNU_SOURCE /* asprintf */
#include "tests/tracer/support.h"

#include <archive.h>
#include <archive_entry.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "traces/synth/synth_workloads.h"

static const char *const *settings_now;

static const char *get_setting(const char *name)
{
    size_t length = strlen(name);
    for (const char *const *s = settings_now; *s != NULL; s++)
        if (strncmp(*s, name, length) == 0 && (*s)[length] == '=')
            return *s + length + 1;
    /* What is compared was not traced: nobody knows which lanes were active. */
    return strcmp(name, "TRACE_ACTIVE") == 0 ? "0" : NULL;
}

struct tracer_options options_of(const char *folder, const char *const *settings)
{
    struct tracer_options options;
    struct error err = {0};
    settings_now = settings;
    ck_assert_msg(tracer_options_read(&options, get_setting, &err) == 0, "%s", err.text);
    if (folder != NULL) {
        options.folder = folder;
        options.user_folders = 1;
    }
    return options;
}

static char *path_in(const char *folder, const char *name)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s", folder, name), 0);
    return path;
}

bool is_there(const char *folder, const char *name)
{
    char *path = path_in(folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

char *read_text(const char *folder, const char *name)
{
    char *path = path_in(folder, name), *text = NULL;
    size_t size = 0;
    la_ssize_t n = 0;
    struct archive_entry *entry;
    struct archive *archive = archive_read_new();
    archive_read_support_filter_all(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    if (archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK) {
        archive_read_next_header(archive, &entry);
        do {
            text = realloc(text, size + (1 << 20) + 1);
            n = archive_read_data(archive, text + size, 1 << 20);
            ck_assert_msg(n >= 0, "%s: %s", path, archive_error_string(archive));
            size += (size_t)n;
        } while (n > 0);
        text[size] = '\0';
    }
    archive_read_free(archive);
    free(path);
    return text;
}

void trace(const char *folder, const char *name, double scale,
           const struct feed_options *options, const char *const *settings)
{
    struct tracer_options set = options_of(folder, settings);
    struct error err = {0};
    struct tracer *tracer = tracer_create(&set, "1.7.7.1", &err);
    ck_assert_msg(tracer != NULL, "%s", err.text);
    ck_assert_msg(feed_run(tracer, name, scale, options, &err) == 0, "%s", err.text);
    ck_assert_msg(tracer_finish(tracer, &err) == 0, "%s", err.text);
    tracer_destroy(tracer);
}

void synthesize(const char *folder, const char *name, double scale)
{
    const struct trace_synth_options synth = {scale, 1, "sm_86"};
    struct error err = {0};
    struct trace_sink *sink = trace_text_sink_create(folder, NULL, &err);
    ck_assert_msg(sink != NULL && trace_synth(name, &synth, sink, &err) == 0, "%s", err.text);
    trace_sink_destroy(sink);
}

const char *body_of(const char *text)
{
    const char *body = strstr(text, "#BEGIN_TB");
    ck_assert_ptr_nonnull(body);
    return body;
}
