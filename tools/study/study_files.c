#include "tools/study/study_files.h"

#include "tools/report/page.h"
#include "traces/base/files/paths.h"

static int join(char path[STUDY_FILES_PATH], const char *folder, const char *name,
                struct error *err)
{
    int length = snprintf(path, STUDY_FILES_PATH, "%s/%s", folder, name);
    if (length > 0 && length < STUDY_FILES_PATH)
        return 0;
    return error_set(err, ERROR_OUTPUT, folder, 0, 0, "the name is too long");
}

int study_files_init(struct study_files *files, const char *folder, struct input_guard *reads,
                     struct error *err)
{
    char path[STUDY_FILES_PATH];
    *files = (struct study_files){.folder = folder,
                                  .output.check = reads != NULL ? input_guard_check : NULL,
                                  .output.data = reads};
    if (folder[0] == '\0')
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "no name for the folder of the study");
    if (join(path, folder, "runs", err) != 0)
        return -1;
    return paths_make_folder(path, err);
}

void study_files_finish(struct study_files *files)
{
    output_files_finish(&files->output);
}

FILE *study_files_open(struct study_files *files, const char *name, struct error *err)
{
    char path[STUDY_FILES_PATH];
    return join(path, files->folder, name, err) == 0 &&
                   output_files_open(&files->output, 0, path, "", true, err) == 0
               ? files->output.files[0].file
               : NULL;
}

int study_files_close(struct study_files *files, struct error *err)
{
    return output_files_commit(&files->output, err);
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
    char name[128];
    snprintf(name, sizeof name, "%s.svg", plot->name);
    FILE *out = study_files_open(files, name, err);
    if (out == NULL)
        return -1;
    plot_write(plot, SVG_FILE, out);
    return study_files_close(files, err);
}

void study_files_show_plot(const struct plot *plot, FILE *page)
{
    fputs("<figure>", page);
    plot_write(plot, SVG_PAGE, page);
    fputs("</figure>\n", page);
}

void study_files_show_sheet(const struct report_table *sheet, const struct plot *chart,
                            size_t most, FILE *page)
{
    if (report_table_rows(sheet) == 0)
        return;
    page_heading(page, sheet->title);
    if (sheet->note != NULL)
        page_paragraph(page, "%s", sheet->note);
    if (chart != NULL)
        study_files_show_plot(chart, page);
    report_table_write_html(sheet, page, most);
}

void study_files_tell(const struct study_files *files)
{
    printf("\n%s/index.html\n", files->folder);
}
