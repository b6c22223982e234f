#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/sweep_work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/sweep/sweep_folder.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

/* The file "job". */
struct job_file {
    char *needs;      /* digest; NULL: no other job */
    char **arguments; /* ends with NULL */
    size_t count;
    bool simulates; /* takes --threads */
};

static void finish_file(struct job_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        free(file->arguments[i]);
    free(file->arguments);
    free(file->needs);
}

static bool add_argument(struct job_file *file, const char *text)
{
    if (!array_room(&file->arguments, file->count, sizeof *file->arguments))
        return false;
    file->arguments[file->count] = text != NULL ? strdup(text) : NULL;
    return text == NULL || file->arguments[file->count++] != NULL;
}

static bool take_line(struct job_file *file, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *value = strchr(line, ' ');
    if (value == NULL)
        return true;
    *value++ = '\0';
    if (strcmp(line, "kind") == 0)
        file->simulates = strcmp(value, "run") == 0;
    if (strcmp(line, "needs") == 0 && file->needs == NULL)
        return (file->needs = strdup(value)) != NULL;
    return strcmp(line, "argument") != 0 || add_argument(file, value);
}

static int read_file(struct job_file *file, const char *folder, struct error *err)
{
    char *line = NULL;
    size_t room = 0;
    FILE *in = paths_open(folder, "job", "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, folder, 0, 0, "not the folder of a job: %s",
                         strerror(errno));
    bool good = true;
    while (good && getline(&line, &room, in) >= 0)
        good = take_line(file, line);
    free(line);
    fclose(in);
    return good ? 0 : error_no_memory(err);
}

/* Adds a line to the log; it serves people and tests only. */
static void write_log(const char *what, int code)
{
    char name[256], date[32];
    FILE *log = fopen("log", "a");
    host_name(name, sizeof name);
    host_date(date, sizeof date);
    if (log == NULL)
        return;
    fprintf(log, "%s %d %s %ld %s\n", what, code, name, (long)getpid(), date);
    fclose(log);
}

/* Locks the job; waits for another process that executes it. */
static int take_lock(const char *folder, int *lock, struct error *err)
{
    *lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int result = *lock >= 0 ? flock(*lock, LOCK_EX) : -1;
    while (result != 0 && errno == EINTR && stop_signal() == 0)
        result = flock(*lock, LOCK_EX);
    if (result == 0)
        return 0;
    if (*lock >= 0 && errno == EINTR)
        return stop_code();
    return error_set(err, ERROR_OUTPUT, folder, 0, 0, "cannot lock the job: %s",
                     strerror(errno));
}

static int execute(const struct sweep_work *work, struct job_file *file, struct error *err)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%u", work->threads);
    if (file->simulates && (!add_argument(file, "--threads") || !add_argument(file, threads)))
        return error_no_memory(err);
    if (!add_argument(file, NULL))
        return error_no_memory(err);
    return work->execute((int)file->count, file->arguments, err);
}

/* Executes the job of the working folder, which this process has locked. */
static int work_locked(const struct sweep_work *work, struct job_file *file, struct error *err)
{
    char text[ERROR_TEXT];
    struct error wrong = {0};
    double started = host_seconds();
    if (access("done", F_OK) == 0)
        return 0;
    int code = sweep_folder_message(".", text, sizeof text);
    if (code != 0)
        return error_set(err, (enum error_kind)code, NULL, 0, 0, "%s", text);
    write_log("start", 0);
    code = execute(work, file, &wrong);
    if (stop_signal() != 0 && code != 0) {
        write_log("stopped", code);
        error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s", stop_name());
        return stop_code();
    }
    if (code == 0) {
        const struct sweep_cost cost = {host_seconds() - started, host_peak_mib()};
        code = sweep_folder_write_done(".", cost, err);
        write_log("done", code);
        return code;
    }
    write_log("failed", (int)wrong.kind);
    if (sweep_folder_write_failed(".", (int)wrong.kind, wrong.text, err) != 0)
        return -1;
    return error_pass(err, &wrong);
}

static int work_here(const struct sweep_work *work, const char *folder, struct job_file *file,
                     struct error *err)
{
    int lock = -1;
    stop_init();
    int code = take_lock(folder, &lock, err);
    if (code == 0)
        code = work_locked(work, file, err);
    if (lock >= 0)
        close(lock);
    return code;
}

/* Executes the job that FILE needs. */
static int work_before(const struct sweep_work *work, const char *folder,
                       const struct job_file *file, struct error *err)
{
    struct error wrong = {0}, ignored = {0};
    char *path = NULL;
    if (file->needs == NULL)
        return 0;
    if (asprintf(&path, "%s/../%s", folder, file->needs) < 0)
        return error_no_memory(err);
    int code = sweep_work_run(work, path, &wrong);
    free(path);
    if (code == 0 || stop_signal() != 0)
        return code;
    error_set(err, wrong.kind, NULL, 0, 0, "job %s, which it needs: %s", file->needs,
              wrong.text);
    sweep_folder_write_failed(folder, (int)err->kind, err->text, &ignored);
    return -1;
}

int sweep_work_run(const struct sweep_work *work, const char *folder, struct error *err)
{
    struct job_file file = {0};
    char *absolute = paths_absolute(folder);
    int code = absolute != NULL ? read_file(&file, absolute, err) : error_no_memory(err);
    if (code == 0 && access(absolute, W_OK | X_OK) != 0)
        code = error_set(err, ERROR_OUTPUT, absolute, 0, 0, "%s", strerror(errno));
    if (code == 0)
        code = work_before(work, absolute, &file, err);
    if (code == 0 && chdir(absolute) != 0)
        code = error_set(err, ERROR_OUTPUT, absolute, 0, 0, "%s", strerror(errno));
    if (code == 0)
        code = work_here(work, absolute, &file, err);
    finish_file(&file);
    free(absolute);
    return code;
}
