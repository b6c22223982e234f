/* hearth estimate --sass: the model of a listing, equation by equation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/equations.h"
#include "estimate/listing.h"
#include "estimate/listing_model.h"
#include "tools/commands/estimate/estimate_request.h"
#include "traces/base/number.h"

#define TRIPS      64
#define MOST_TRIPS 1e12

static const struct report_table_column columns[] = {
    {"quantity", "", ""}, {"equation", "", ""}, {"formula", "", ""},
    {"value", "", ""},    {"unit", "", ""},
};

struct listing_work {
    struct listing_code listing;
    struct listing_model model;
    struct estimate_device device;
    double trips[TRIPS];
    size_t trip_count;
    struct report_table sheet, curves;
    double occupancy; /* warps of an SM */
};

static void add(struct report_table *sheet, const char *quantity, const char *equation,
                const char *formula, double value, const char *unit)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    report_table_text(sheet, quantity);
    report_table_text(sheet, equation);
    report_table_text(sheet, formula);
    report_table_text(sheet, isfinite(value) ? text : "");
    report_table_text(sheet, unit);
}

/* A row of COUNT: "23 + 4a", and its value. */
static void add_count(struct listing_work *work, const char *quantity, const char *equation,
                      struct listing_count count, const char *unit)
{
    char formula[64] = "";
    if (count.each != 0)
        snprintf(formula, sizeof formula, "%g + %ga", count.once, count.each);
    add(&work->sheet, quantity, equation, formula, listing_count_at(count, work->trips[0]),
        unit);
}

static void add_counts(struct listing_work *work)
{
    const struct listing_model *model = &work->model;
    const struct listing_latency *latency = &model->latency;
    char parts[128];
    snprintf(parts, sizeof parts, "%g + %g + %g%s", latency->instructions, latency->memory,
             latency->block, latency->bound.each != 0 ? " + loop" : "");
    add_count(work, "latency bound", "", latency->bound, "cycles");
    add(&work->sheet, "  instructions, memory, next block", "", parts,
        listing_count_at(latency->bound, work->trips[0]), "cycles");
    add_count(work, "INS_CUDA", "", model->cuda, "instructions");
    add_count(work, "INS_issued", "", listing_issued(model), "issues");
    add_count(work, "  all pairs taken off once, as in the paper's text", "",
              listing_issued_text(model), "issues");
    add_count(work, "  pairs not taken off, as in the paper's listing 5", "",
              listing_issued_listing5(model), "issues");
    add_count(work, "memory instructions", "", model->memory, "instructions");
    add_count(work, "GMem_bytes", "", model->bytes, "bytes");
}

static struct equation_warp warp_of(const struct listing_work *work)
{
    double trip = work->trips[0];
    return (struct equation_warp){
        .cuda = listing_count_at(work->model.cuda, trip),
        .issued = listing_count_at(listing_issued(&work->model), trip),
        .bytes = listing_count_at(work->model.bytes, trip),
    };
}

static const char *const term_names[TERM_COUNT] = {"CUDA cores", "issue slots", "memory"};

static double add_throughput(struct listing_work *work)
{
    const struct estimate_device *device = &work->device;
    struct equation_warp warp = warp_of(work);
    double terms[TERM_COUNT];
    enum equation_term limit;
    char formula[96];
    equation_terms(device, &warp, terms);
    double rate = equation_throughput_bound(terms, &limit);
    double bandwidth = equation_memory_bandwidth(device);
    snprintf(formula, sizeof formula, "%g x %g / 8 x %g / (%g x %g)", device->memory_clock,
             device->bus_width, device->data_rate, device->sms, device->sm_clock);
    add(&work->sheet, "GMem_bw", "4.5", formula, bandwidth, "bytes/cycle");
    snprintf(formula, sizeof formula, "32 x %g / %g", warp.cuda, device->cuda_cores);
    add(&work->sheet, "  term of CUDA cores", "4.4", formula, terms[TERM_CUDA], "cycles");
    snprintf(formula, sizeof formula, "%g / %g", warp.issued, device->schedulers);
    add(&work->sheet, "  term of issue slots", "4.4", formula, terms[TERM_ISSUE], "cycles");
    snprintf(formula, sizeof formula, "%g / %.4g", warp.bytes, bandwidth);
    add(&work->sheet, "  term of memory", "4.4", formula, terms[TERM_MEMORY], "cycles");
    add(&work->sheet, "  the same as the paper prints it: GMem_bw itself", "4.4", "", bandwidth,
        "cycles");
    add(&work->sheet, "Th_bound", "4.4", term_names[limit], rate, "warps/cycle");
    return rate;
}

/* Copies and the kernel, if a grid was given. */
static int add_times(struct listing_work *work, const struct estimate_request *request,
                     double throughput, struct error *err)
{
    const struct estimate_device *device = &work->device;
    uint32_t blocks = estimate_device_blocks(device, (uint32_t)request->block,
                                             (uint32_t)request->regs, (uint32_t)request->shmem);
    double block_warps = ceil((double)request->block / 32);
    double occupancy =
        request->occupancy > 0 ? (double)request->occupancy : blocks * block_warps;
    if (occupancy == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "a block of %g threads with %g registers each and %g bytes of shared "
                         "memory does not fit on an SM of %s",
                         (double)request->block, (double)request->regs, (double)request->shmem,
                         device->name);
    bool by_latency;
    work->occupancy = occupancy;
    double latency = listing_count_at(work->model.latency.bound, work->trips[0]);
    double rate = equation_warp_rate(occupancy, latency, throughput, &by_latency);
    add(&work->sheet, "occupancy", "", "", occupancy, "warps");
    add(&work->sheet, "W_Th", "4.3", by_latency ? "latency" : "throughput", rate,
        "warps/cycle");
    if (request->grid == 0)
        return 0;
    double warps = equation_warps((double)request->grid, (double)request->block);
    add(&work->sheet, "W_L", "4.2", "", warps, "warps");
    add(&work->sheet, "T_k", "4.1", "",
        equation_kernel_seconds(device, warps, rate, device->lambda_kernel), "s");
    return 0;
}

static void add_copy(struct listing_work *work, bool in, double bytes)
{
    const struct estimate_device *device = &work->device;
    char formula[96];
    snprintf(formula, sizeof formula, "%g + n / (%ge9 x %g)",
             in ? device->startup_in : device->startup_out, device->pcie_bandwidth,
             in ? device->lambda_in : device->lambda_out);
    add(&work->sheet, in ? "T_c, host to device" : "T_c, device to host", "4.6", formula,
        bytes > 0 ? equation_copy_seconds(device, in, bytes) : NAN, "s");
}

static int read_trips(struct listing_work *work, const char *text, struct error *err)
{
    char copy[512];
    char *rest = NULL;
    if (strlen(text) >= sizeof copy)
        return error_set(err, ERROR_USAGE, NULL, 0, 0, "--trip: the list is too long");
    strcpy(copy, text);
    for (char *at = strtok_r(copy, ",", &rest); at != NULL; at = strtok_r(NULL, ",", &rest)) {
        if (work->trip_count == TRIPS ||
            !number_decimal(at, 0, MOST_TRIPS, &work->trips[work->trip_count++]))
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "--trip: expected at most %d numbers from 0 to %g; got \"%s\"",
                             TRIPS, MOST_TRIPS, text);
    }
    return work->trip_count > 0
               ? 0
               : error_set(err, ERROR_USAGE, NULL, 0, 0, "--trip: expected a number");
}

/* ---- curves, section 6.3 ---- */

static const struct report_table_column curve_columns[] = {
    {"curve", "", ""}, {"x", "", ""}, {"time_us", "us", ""}, {"limit", "", ""}};

/* Section 6.3: iterations from 1 to 4096, warps of an SM from 2 to 64, or blocks of the grid.
 */
static int points_of(const char *curve, struct error *err)
{
    static const char *const names[] = {"intensity", "occupancy", "size"};
    static const int counts[] = {13, 32, 21};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], curve) == 0)
            return counts[i];
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "--curve %s: expected intensity, occupancy or size", curve);
}

static void add_point(struct listing_work *work, const struct estimate_request *request,
                      const char *curve, int point)
{
    const struct estimate_device *device = &work->device;
    bool intensity = curve[0] == 'i', size = curve[0] == 's', by_latency;
    double x = intensity || size ? ldexp(1, point) : 2 * (point + 1);
    double trip = work->trips[0], terms[TERM_COUNT];
    enum equation_term limit;
    work->trips[0] = intensity ? x : trip;
    listing_model_make(&work->model, &work->listing, device, work->trips, work->trip_count);
    struct equation_warp warp = warp_of(work);
    equation_terms(device, &warp, terms);
    double bound = equation_throughput_bound(terms, &limit);
    double latency = listing_count_at(work->model.latency.bound, work->trips[0]);
    double occupancy = intensity || size ? work->occupancy : x;
    double rate = equation_warp_rate(occupancy, latency, bound, &by_latency);
    double blocks = size ? x : request->grid > 0 ? (double)request->grid : 1;
    double seconds = equation_kernel_seconds(
        device, equation_warps(blocks, (double)request->block), rate, device->lambda_kernel);
    work->trips[0] = trip;
    report_table_text(&work->curves, curve);
    report_table_number(&work->curves, x, 0);
    report_table_number(&work->curves, 1e6 * seconds, 3);
    report_table_text(&work->curves, by_latency ? "latency" : term_names[limit]);
}

static int add_curves(struct listing_work *work, const struct estimate_request *request,
                      struct error *err)
{
    for (size_t i = 0; i < request->curve_count; i++) {
        int points = points_of(request->curves[i], err);
        for (int point = 0; point < points; point++)
            add_point(work, request, request->curves[i], point);
        if (points < 0)
            return -1;
    }
    return 0;
}

/* ---- */

static int make(struct listing_work *work, const struct estimate_request *request,
                struct error *err)
{
    if (read_trips(work, request->trips, err) != 0 ||
        estimate_device_open(&work->device, request->device, err) != 0 ||
        listing_read(&work->listing, request->listing, request->function, err) != 0)
        return -1;
    listing_model_make(&work->model, &work->listing, &work->device, work->trips,
                       work->trip_count);
    add_counts(work);
    double throughput = add_throughput(work);
    if (request->block > 0 && add_times(work, request, throughput, err) != 0)
        return -1;
    add_copy(work, true, (double)request->in);
    add_copy(work, false, (double)request->out);
    if (add_curves(work, request, err) != 0)
        return -1;
    const struct report_table *const sheets[] = {&work->sheet, &work->curves};
    return estimate_print(sheets, request->curve_count > 0 ? 2 : 1, request->format, err);
}

int estimate_listing(const struct estimate_request *request, struct error *err)
{
    struct listing_work work = {.sheet = {.name = "listing", REPORT_TABLE_OF(columns)},
                                .curves = {.name = "curves", REPORT_TABLE_OF(curve_columns)}};
    int result = make(&work, request, err);
    report_table_finish(&work.sheet);
    report_table_finish(&work.curves);
    listing_finish(&work.listing);
    return result;
}
