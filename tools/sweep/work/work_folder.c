#include "tools/sweep/work/work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "traces/base/process/host.h"
#include "traces/base/process/stop.h"

void work_folder_log(const char *what, int code)
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

int work_folder_enter(const char *folder, struct error *err)
{
    return chdir(folder) == 0
               ? 0
               : error_set(err, ERROR_OUTPUT, folder, 0, 0, "%s", strerror(errno));
}

/* Locks the job. Returns as work_folder_run(). */
static int take_lock(const struct work_folder *job, int *lock, struct error *err)
{
    int how = LOCK_EX | (job->wait ? 0 : LOCK_NB);
    *lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int result = *lock >= 0 ? flock(*lock, how) : -1;
    while (result != 0 && errno == EINTR && stop_signal() == 0)
        result = flock(*lock, how);
    if (result == 0)
        return 0;
    if (*lock >= 0 && errno == EINTR)
        return stop_code();
    if (*lock >= 0 && errno == EWOULDBLOCK)
        return WORK_LOCKED;
    return error_set(err, ERROR_OUTPUT, job->folder, 0, 0, "cannot lock the job: %s",
                     strerror(errno));
}

static int execute(const struct work_folder *job, struct error *err)
{
    char threads[16];
    struct job_text *text = job->text;
    snprintf(threads, sizeof threads, "%u", job->work->threads);
    if (text->simulates && (!job_text_add(text, "--threads") || !job_text_add(text, threads)))
        return error_no_memory(err);
    return job->work->execute((int)text->count, text->arguments, err);
}

static int write_done(const struct work_folder *job, double started, struct error *err)
{
    double mib = host_peak_mib();
    const struct sweep_cost cost = {job->before.seconds + host_seconds() - started,
                                    job->before.mib > mib ? job->before.mib : mib};
    int code = sweep_folder_write_done(".", cost, err);
    work_folder_log("done", code);
    return code;
}

/* Executes the job of the working folder, which this process has locked. */
static int work_locked(const struct work_folder *job, struct error *err)
{
    char message[ERROR_TEXT];
    struct error wrong = {0};
    double started = host_seconds();
    if (access("done", F_OK) == 0)
        return 0;
    int code = sweep_folder_message(".", message, sizeof message);
    if (code != 0)
        return error_set(err, (enum error_kind)code, NULL, 0, 0, "%s", message);
    work_folder_log("start", 0);
    code = execute(job, &wrong);
    if (stop_signal() != 0 && code != 0) {
        work_folder_log("stopped", code);
        error_set(err, ERROR_SIMULATION, NULL, 0, 0, "stopped by %s", stop_name());
        return stop_code();
    }
    if (code == 0)
        return write_done(job, started, err);
    work_folder_log("failed", (int)wrong.kind);
    if (sweep_folder_write_failed(".", (int)wrong.kind, wrong.text, err) != 0)
        return -1;
    return error_pass(err, &wrong);
}

int work_folder_run(const struct work_folder *job, struct error *err)
{
    int lock = -1;
    stop_init();
    int code = work_folder_enter(job->folder, err);
    if (code == 0)
        code = take_lock(job, &lock, err);
    if (code == 0)
        code = work_locked(job, err);
    if (lock >= 0)
        close(lock);
    return code;
}
