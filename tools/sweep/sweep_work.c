#define _GNU_SOURCE /* asprintf */
#include "tools/sweep/sweep_work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/sweep/sweep_folder.h"
#include "tools/sweep/work/sweep_split.h"
#include "tools/sweep/work/work_folder.h"
#include "traces/base/files/paths.h"
#include "traces/base/process/stop.h"

/* Executes the job that TEXT needs. */
static int work_before(const struct sweep_work *work, const char *folder,
                       const struct job_text *text, struct error *err)
{
    struct error wrong = {0}, ignored = {0};
    char *path = NULL;
    const struct sweep_work needed = {.threads = work->threads, .execute = work->execute};
    if (text->needs == NULL)
        return 0;
    if (asprintf(&path, "%s/../%s", folder, text->needs) < 0)
        return error_no_memory(err);
    int code = sweep_work_run(&needed, path, &wrong);
    free(path);
    if (code == 0 || stop_signal() != 0)
        return code;
    error_set(err, wrong.kind, NULL, 0, 0, "job %s, which it needs: %s", text->needs,
              wrong.text);
    sweep_folder_write_failed(folder, (int)err->kind, err->text, &ignored);
    return -1;
}

/* Executes the job, in segments if it has some. */
static int work_on(const struct sweep_work *work, const char *folder, struct job_text *text,
                   struct error *err)
{
    struct work_folder job = {.work = work, .folder = folder, .text = text, .wait = true};
    int code = work_folder_enter(folder, err);
    if (code == 0 && text->split != NULL)
        code = sweep_split_run(&job, err);
    return code == 0 && !work->share ? work_folder_run(&job, err) : code;
}

int sweep_work_run(const struct sweep_work *work, const char *folder, struct error *err)
{
    struct job_text text = {0};
    char *absolute = paths_absolute(folder);
    int code = absolute != NULL ? job_text_read(&text, absolute, err) : error_no_memory(err);
    if (code == 0 && access(absolute, W_OK | X_OK) != 0)
        code = error_set(err, ERROR_OUTPUT, absolute, 0, 0, "%s", strerror(errno));
    if (code == 0)
        code = work_before(work, absolute, &text, err);
    if (code == 0)
        code = work_on(work, absolute, &text, err);
    job_text_finish(&text);
    free(absolute);
    return code;
}
