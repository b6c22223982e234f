#include "tools/view/run_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/report/kernel_title.h"
#include "tools/view/run_rows.h"
#include "traces/base/bytes.h"
#include "traces/base/files/path_guess.h"
#include "traces/base/files/paths.h"

/* While a view is read. */
struct view_reading {
    struct run_view *view;
    struct map kernels;  /* hash of a name -> index */
    struct map repeated; /* launch -> rows so far */
    char *segment;
    uint64_t offset; /* of the segment's clock */
    uint64_t first;
};

void view_sum_add(struct view_sum *sum, const struct view_sum *part)
{
    sum->launches += part->launches;
    sum->cycles += part->cycles;
    sum->gap += part->gap;
    sim_counters_add(&sum->counters, &part->counters);
}

double view_ratio(const struct run_view *view, const struct view_sum *sum,
                  enum sim_derived_index index)
{
    double parts[2];
    sim_derived_table[index].parts(&sum->counters, sum->cycles, sum->gap, &view->peaks, parts);
    return parts[1] > 0 ? parts[0] / parts[1] : NAN;
}

double view_seconds(const struct run_view *view, double cycles)
{
    return cycles / view->peaks.core_hz;
}

/* ---- kernels ---- */

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;
    for (; *name != '\0'; name++)
        hash = map_key(hash, (unsigned char)*name);
    return hash;
}

static bool add_kernel(struct view_reading *reading, const char *name)
{
    struct run_view *view = reading->view;
    if (!array_room(&view->kernels, view->kernel_count, sizeof *view->kernels))
        return false;
    struct view_kernel *kernel = &view->kernels[view->kernel_count];
    *kernel = (struct view_kernel){.name = texts_keep(&view->texts, name, strlen(name)),
                                   .full = kernel_title_full(name)};
    view->kernel_count++;
    if (kernel->full != NULL)
        kernel->brief = kernel_title_brief(kernel->full);
    return kernel->name != NULL && kernel->brief != NULL;
}

/* The index of the kernel NAME, or MAP_NONE if memory is short. */
static uint32_t kernel_of(struct view_reading *reading, const char *name)
{
    struct run_view *view = reading->view;
    uint64_t key = hash_of(name);
    uint32_t index = map_get(&reading->kernels, key);
    for (; index != MAP_NONE && strcmp(view->kernels[index].name, name) != 0;
         index = map_get(&reading->kernels, ++key))
        continue;
    if (index != MAP_NONE)
        return index;
    index = (uint32_t)view->kernel_count;
    return add_kernel(reading, name) && map_set(&reading->kernels, key, index) ? index
                                                                               : MAP_NONE;
}

/* ---- launches ---- */

static struct view_sum sum_of(const struct run_rows *rows)
{
    return (struct view_sum){1, rows->cycles, rows->gap, rows->counters};
}

/* Clocks of segments begin anew: later ones follow the earlier ones. False if memory is
 * short. */
static bool follow_segment(struct view_reading *reading, const struct run_rows *rows)
{
    if (reading->segment != NULL && strcmp(reading->segment, rows->segment) == 0)
        return true;
    char *name = strdup(rows->segment);
    reading->offset = reading->view->elapsed;
    reading->first = rows->start;
    free(reading->segment);
    reading->segment = name;
    return name != NULL;
}

static void count_inside(struct run_view *view, const struct run_rows *rows)
{
    bool inside = rows->intra[0] != '\0', refused = rows->check[0] != '\0';
    view->inside_count += inside && !refused;
    view->refused_count += refused;
    view->simulated += inside ? rows->simulated : rows->counters.warp_insts;
}

static bool add_launch(struct view_reading *reading, const struct run_rows *rows)
{
    struct run_view *view = reading->view;
    struct view_sum sum = sum_of(rows);
    uint32_t kernel = kernel_of(reading, rows->kernel);
    if (kernel == MAP_NONE || !follow_segment(reading, rows) ||
        !array_room(&view->launches, view->launch_count, sizeof *view->launches))
        return false;
    uint32_t again = map_get(&reading->repeated, map_key(rows->launch, 0));
    again = again == MAP_NONE ? 0 : again;
    struct view_launch *launch = &view->launches[view->launch_count++];
    *launch = (struct view_launch){
        .step = rows->step,
        .launch = rows->launch,
        .stream = rows->stream,
        .cycles = rows->cycles,
        .start = reading->offset + (rows->start - reading->first),
        .kernel = kernel,
        .again = again,
        .grid = texts_keep(&view->texts, rows->grid, strlen(rows->grid)),
        .block = texts_keep(&view->texts, rows->block, strlen(rows->block)),
        .ipc = rows->cycles > 0
                   ? (float)((double)rows->counters.thread_insts / (double)rows->cycles)
                   : NAN,
        .occupancy = (float)view_ratio(view, &sum, SIM_DERIVED_occupancy),
        .l1_hits = (float)view_ratio(view, &sum, SIM_DERIVED_l1d_hit_rate),
        .l2_hits = (float)view_ratio(view, &sum, SIM_DERIVED_l2_read_hit_rate),
        .dram_use = (float)view_ratio(view, &sum, SIM_DERIVED_dram_bandwidth_use)};
    uint64_t end = launch->start + launch->cycles;
    view->elapsed = end > view->elapsed ? end : view->elapsed;
    view_sum_add(&view->kernels[kernel].sum, &sum);
    view_sum_add(&view->sum, &sum);
    count_inside(view, rows);
    return launch->grid != NULL && launch->block != NULL &&
           map_set(&reading->repeated, map_key(rows->launch, 0), again + 1);
}

static int read_launches(struct view_reading *reading, struct error *err)
{
    struct run_rows rows;
    int found = run_rows_open(&rows, reading->view->folder, err);
    while (found == 0 && (found = run_rows_next(&rows, err)) == 1) {
        if (!rows.measured)
            reading->view->warm_count++;
        else if (!add_launch(reading, &rows)) {
            found = error_no_memory(err);
            break;
        }
        found = 0;
    }
    run_rows_finish(&rows);
    return found;
}

/* ---- order ---- */

/* A kernel and where it was. */
struct place {
    struct view_kernel kernel;
    uint32_t index;
};

static int by_cycles(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    uint64_t left = x->kernel.sum.cycles, right = y->kernel.sum.cycles;
    if (left != right)
        return left < right ? 1 : -1;
    return x->index < y->index ? -1 : 1;
}

static bool sort_kernels(struct run_view *view)
{
    struct place *places = calloc(view->kernel_count + 1, sizeof *places);
    uint32_t *now = calloc(view->kernel_count + 1, sizeof *now);
    bool good = places != NULL && now != NULL;
    for (size_t i = 0; good && i < view->kernel_count; i++)
        places[i] = (struct place){view->kernels[i], (uint32_t)i};
    if (good)
        qsort(places, view->kernel_count, sizeof *places, by_cycles);
    for (size_t i = 0; good && i < view->kernel_count; i++) {
        view->kernels[i] = places[i].kernel;
        now[places[i].index] = (uint32_t)i;
    }
    for (size_t i = 0; good && i < view->launch_count; i++)
        view->launches[i].kernel = now[view->launches[i].kernel];
    free(places);
    free(now);
    return good;
}

static bool is_sweep(const char *folder)
{
    FILE *jobs = paths_open(folder, "sweep.jobs", "r");
    if (jobs == NULL)
        return false;
    fclose(jobs);
    return true;
}

static int read_config(struct run_view *view, struct error *err)
{
    char *path = paths_join(view->folder, "config.out");
    if (path == NULL)
        return error_no_memory(err);
    bool sweep = is_sweep(view->folder);
    if (access(path, F_OK) != 0) { /* which needs no memory that could run out */
        path_guess_fail(path, view->folder,
                        sweep
                            ? "a folder of hearth sweep; its runs are store/JOB/results in it, "
                              "with the jobs of jobs.csv"
                            : "not a results folder of hearth run",
                        err);
        free(path);
        return -1;
    }
    const char *source = path;
    view->config = sim_config_create(&source, 1, NULL, 0, NULL, NULL, err);
    free(path);
    if (view->config == NULL)
        return -1;
    view->peaks = sim_peaks_of(view->config);
    return 0;
}

int run_view_read(struct run_view *view, const char *folder, struct error *err)
{
    *view = (struct run_view){.folder = folder};
    if (!run_facts_read(&view->facts, folder))
        return error_no_memory(err);
    if (read_config(view, err) != 0)
        return -1;
    struct view_reading reading = {.view = view};
    int result = read_launches(&reading, err);
    map_finish(&reading.kernels);
    map_finish(&reading.repeated);
    free(reading.segment);
    if (result == 0 && !sort_kernels(view))
        result = error_no_memory(err);
    return result;
}

void run_view_finish(struct run_view *view)
{
    for (size_t i = 0; i < view->kernel_count; i++) {
        free(view->kernels[i].full);
        free(view->kernels[i].brief);
    }
    free(view->kernels);
    free(view->launches);
    texts_finish(&view->texts);
    run_facts_finish(&view->facts);
    sim_config_destroy(view->config);
    *view = (struct run_view){0};
}

int run_view_sum(const struct run_view *view, const bool *keep, struct view_sum *sum,
                 struct error *err)
{
    struct run_rows rows;
    size_t i = 0;
    *sum = (struct view_sum){0};
    int found = run_rows_open(&rows, view->folder, err);
    while (found == 0 && (found = run_rows_next(&rows, err)) == 1) {
        struct view_sum part = sum_of(&rows);
        if (rows.measured && i < view->launch_count && (keep == NULL || keep[i]))
            view_sum_add(sum, &part);
        i += rows.measured;
        found = 0;
    }
    run_rows_finish(&rows);
    return found;
}

static int compare_steps(const void *a, const void *b)
{
    uint64_t key = *(const uint64_t *)a, step = ((const struct view_launch *)b)->step;
    return (key > step) - (key < step);
}

const struct view_launch *run_view_step(const struct run_view *view, uint64_t step)
{
    return bsearch(&step, view->launches, view->launch_count, sizeof *view->launches,
                   compare_steps);
}
