#define _GNU_SOURCE /* asprintf */
#include "tools/report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traces/base/files/output_file.h"

/* Letters that fit next to each other under the chart. */
#define LETTERS 60

static bool labels_fit(const struct plot *plot)
{
    size_t letters = 0;
    for (size_t row = 0; row < report_table_rows(plot->sheet); row++)
        letters += strlen(report_table_cell(plot->sheet, row, plot->x)) + 2;
    return plot->kind == PLOT_LINES || letters <= LETTERS;
}

static void write_head(const struct plot *plot, FILE *out)
{
    fprintf(out,
            "set terminal svg size 760,400 dynamic font 'sans-serif,12' background 'white'\n"
            "set output '%s.svg'\n"
            "set datafile separator ','\n"
            "set title '%s'\nset xlabel '%s'\nset ylabel '%s'\n"
            "set grid ytics lc '#dddddd'\nset border 3\nset tics nomirror\n"
            "set key outside right top noenhanced\n"
            "set xtics %s noenhanced\n",
            plot->name, plot->title, plot->x_label, plot->y_label,
            labels_fit(plot) ? "norotate" : "rotate by -30");
}

static void write_lines(const struct plot *plot, FILE *out)
{
    fputs("plot ", out);
    for (int i = 0; i < PLOT_SERIES && plot->y[i] != 0; i++)
        fprintf(out,
                "%s'%s.csv' every ::1 using %u:%u with linespoints lw 2 pt 7 ps 0.5 title '%s'",
                i > 0 ? ", " : "", plot->sheet->name, plot->x + 1, plot->y[i] + 1,
                plot->sheet->columns[plot->y[i]].name);
}

static void write_bars(const struct plot *plot, FILE *out)
{
    fprintf(out,
            "set style data histograms\nset style fill solid 0.8\nset yrange [0:*]\n"
            "set xrange [-0.7:%zu-0.3]\nplot ",
            report_table_rows(plot->sheet));
    for (int i = 0; i < PLOT_SERIES && plot->y[i] != 0; i++)
        fprintf(out, "%s'%s.csv' every ::1 using %u:xtic(%u) title '%s'", i > 0 ? ", " : "",
                plot->sheet->name, plot->y[i] + 1, plot->x + 1,
                plot->sheet->columns[plot->y[i]].name);
}

static void write_boxes(const struct plot *plot, FILE *out)
{
    const unsigned *y = plot->y;
    const char *data = plot->sheet->name;
    fprintf(out,
            "set boxwidth 0.5\nset style fill solid 0.3\nset xrange [-0.7:%zu-0.3]\nunset key\n"
            "plot '%s.csv' every ::1 using 0:%u:%u:%u:%u:xtic(%u) with candlesticks lw 1.5 "
            "whiskerbars 0.5, '' every ::1 using 0:%u:%u:%u:%u with candlesticks lw 3 lt -1",
            report_table_rows(plot->sheet), data, y[1] + 1, y[0] + 1, y[4] + 1, y[3] + 1,
            plot->x + 1, y[2] + 1, y[2] + 1, y[2] + 1, y[2] + 1);
}

static int write_script(const struct plot *plot, const char *path, struct error *err)
{
    struct output_file output = {0};
    if (output_file_open(&output, path, NULL, true, err) != 0)
        return -1;
    FILE *out = output.file;
    write_head(plot, out);
    switch (plot->kind) {
    case PLOT_LINES:
        write_lines(plot, out);
        break;
    case PLOT_BARS:
        write_bars(plot, out);
        break;
    case PLOT_BOXES:
        write_boxes(plot, out);
        break;
    }
    putc('\n', out);
    int result = output_file_commit(&output, err);
    output_file_finish(&output);
    return result;
}

/* In the child process: runs gnuplot in FOLDER without output. */
static _Noreturn void become(const char *folder, const char *script)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, 1);
        dup2(null, 2);
    }
    if (chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(127);
}

static bool run(const char *folder, const char *script)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        become(folder, script);
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int plot_draw(const struct plot *plot, const char *folder, bool *drawn, struct error *err)
{
    char *path, *script;
    *drawn = false;
    if (asprintf(&path, "%s/%s.gp", folder, plot->name) < 0)
        return error_no_memory(err);
    script = path + strlen(folder) + 1;
    int result = write_script(plot, path, err);
    if (result == 0)
        *drawn = run(folder, script);
    free(path);
    return result;
}
