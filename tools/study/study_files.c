#include "tools/study/study_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/study/page.h"
#include "traces/base/files/paths.h"

static int join(char path[STUDY_FILES_PATH], const char *folder, const char *name,
                const char *end, struct error *err)
{
    int length = snprintf(path, STUDY_FILES_PATH, "%s/%s%s", folder, name, end);
    if (length > 0 && length < STUDY_FILES_PATH)
        return 0;
    return error_set(err, ERROR_OUTPUT, folder, 0, 0, "the name is too long");
}

int study_files_init(struct study_files *files, const char *folder, struct input_guard *reads,
                     struct error *err)
{
    char path[STUDY_FILES_PATH];
    *files = (struct study_files){.folder = folder, .reads = reads};
    if (folder[0] == '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "no name for the folder of the study");
    if (join(path, folder, "runs", "", err) != 0)
        return -1;
    return paths_make_folder(path, err);
}

void study_files_finish(struct study_files *files)
{
    if (files->file == NULL)
        return;
    fclose(files->file);
    unlink(files->part);
    files->file = NULL;
}

FILE *study_files_open(struct study_files *files, const char *name, struct error *err)
{
    if (join(files->path, files->folder, name, "", err) != 0 ||
        join(files->part, files->folder, name, ".part", err) != 0)
        return NULL;
    if (files->reads != NULL && (input_guard_check(files->reads, files->path, err) != 0 ||
                                 input_guard_check(files->reads, files->part, err) != 0))
        return NULL;
    files->file = fopen(files->part, "w");
    if (files->file == NULL)
        error_set(err, ERROR_OUTPUT, files->part, 0, 0, "cannot write: %s", strerror(errno));
    return files->file;
}

int study_files_close(struct study_files *files, struct error *err)
{
    FILE *file = files->file;
    files->file = NULL;
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    if (!failed && rename(files->part, files->path) == 0)
        return 0;
    error_set(err, ERROR_OUTPUT, files->path, 0, 0, "cannot write: %s", strerror(errno));
    unlink(files->part);
    return -1;
}

int study_files_sheet(struct study_files *files, const struct report_table *sheet,
                      struct error *err)
{
    char name[128];
    if (sheet->failed)
        return error_no_memory(err);
    snprintf(name, sizeof name, "%s.csv", sheet->name);
    FILE *out = study_files_open(files, name, err);
    if (out == NULL)
        return -1;
    report_table_write_csv(sheet, out);
    return study_files_close(files, err);
}

int study_files_plot(struct study_files *files, const struct plot *plot, struct error *err)
{
    bool drawn;
    int result = plot_draw(plot, files->folder, &drawn, err);
    files->no_gnuplot |= !drawn;
    return result;
}

void study_files_show_plot(const struct study_files *files, const char *name, FILE *page)
{
    char path[STUDY_FILES_PATH];
    struct error ignored = {0};
    if (join(path, files->folder, name, ".svg", &ignored) == 0)
        page_svg(page, path);
}

void study_files_show_sheet(const struct study_files *files, const struct report_table *sheet,
                            const char *chart, size_t most, FILE *page)
{
    if (report_table_rows(sheet) == 0)
        return;
    page_heading(page, sheet->title);
    if (sheet->note != NULL)
        page_paragraph(page, "%s", sheet->note);
    if (chart != NULL)
        study_files_show_plot(files, chart, page);
    report_table_write_html(sheet, page, most);
}

void study_files_tell(const struct study_files *files)
{
    printf("\n%s/index.html\n", files->folder);
    if (files->no_gnuplot)
        fputs("hearth: note: no charts: gnuplot is not there, or failed\n", stderr);
}
