/* hearth-replay: makes traces of a recorded stream, with the tracer's options
 * from the environment. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tracer/tracer.h"

#define FIRST_ROOM (UINT32_C(1) << 22)

static const char *get_variable(const char *name)
{
    return getenv(name);
}

static void usage(FILE *out)
{
    fputs("usage: hearth-replay STREAM\n"
          "       hearth-replay --help | --version\n\n"
          "Makes of a stream that the tracer recorded (TRACE_RECORD) what the tracer would\n"
          "have made. Options are environment variables:\n\n",
          out);
    tracer_options_help(out);
}

/* A stream as it is read: an entry at least fits. */
struct replay_input {
    FILE *file;
    uint8_t *data;
    size_t used, room;
};

/* Reads on. Returns how many bytes, or -1. */
static long fill(struct replay_input *input)
{
    if (input->used == input->room) {
        size_t room = input->room == 0 ? FIRST_ROOM : 2 * input->room;
        uint8_t *more = realloc(input->data, room);
        if (more == NULL)
            return -1;
        input->data = more;
        input->room = room;
    }
    size_t n = fread(input->data + input->used, 1, input->room - input->used, input->file);
    input->used += n;
    return ferror(input->file) ? -1 : (long)n;
}

/* What is damaged is reported, and the rest goes on. */
static int report(const struct error *err, int code)
{
    fprintf(stderr, "hearth-replay: %s\n", err->text);
    return code == 0 || err->kind == ERROR_OUTPUT ? (int)err->kind : code;
}

static int replay(struct tracer *tracer, struct replay_input *input, const char *path)
{
    int code = 0;
    long n;
    while ((n = fill(input)) > 0) {
        struct error err;
        size_t used;
        do {
            err = (struct error){0};
            if (tracer_replay(tracer, input->data, input->used, &used, &err) != 0)
                code = report(&err, code);
            input->used -= used;
            memmove(input->data, input->data + used, input->used);
        } while (err.kind != ERROR_NONE && used > 0);
        if (err.kind != ERROR_NONE)
            return code;
    }
    if (n < 0)
        fprintf(stderr, "hearth-replay: %s: %s\n", path, strerror(errno));
    else if (input->used > 0)
        fprintf(stderr, "hearth-replay: %s ends within an entry\n", path);
    return code != 0 || (n == 0 && input->used == 0) ? code : ERROR_TRACE;
}

/* Recording would empty the stream before it is read. */
static int check_record(const char *record, const char *path, struct error *err)
{
    struct stat from, to;
    if (record == NULL || stat(path, &from) != 0 || stat(record, &to) != 0 ||
        from.st_dev != to.st_dev || from.st_ino != to.st_ino)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0, "TRACE_RECORD: %s is the stream to replay",
                     record);
}

static int run(const char *path)
{
    struct tracer_options options;
    struct error err = {0};
    struct replay_input input = {0};
    if (tracer_options_read(&options, get_variable, &err) != 0 ||
        check_record(options.record, path, &err) != 0)
        return report(&err, 0);
    struct tracer *tracer = tracer_create(&options, "replayed", &err);
    if (tracer == NULL)
        return report(&err, 0);
    input.file = fopen(path, "rb");
    int code = ERROR_TRACE;
    if (input.file == NULL) {
        fprintf(stderr, "hearth-replay: %s: %s\n", path, strerror(errno));
    } else {
        code = replay(tracer, &input, path);
        if (tracer_finish(tracer, &err) != 0)
            code = report(&err, code);
        fclose(input.file);
    }
    free(input.data);
    tracer_destroy(tracer);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        usage(stdout);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("hearth-replay " HEARTH_VERSION);
        return 0;
    }
    if (argc != 2 || argv[1][0] == '-') {
        usage(stderr);
        return ERROR_USAGE;
    }
    return run(argv[1]);
}
