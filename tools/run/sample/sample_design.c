#include "tools/run/sample/sample_design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/plan/plan_line.h"
#include "traces/base/number.h"
#include "traces/base/ranges.h"

#define CONFIDENCE 0.95

/* A measured launch while the design is made. */
struct chosen_launch {
    const struct plan_launch *launch;
    size_t number; /* index among the measured launches of the plan */
};

static bool is_measured(const struct plan *plan, const bool *skip, size_t i)
{
    return plan->items[i].kind == PLAN_LAUNCH && plan->items[i].launch.role == PLAN_MEASURE &&
           (skip == NULL || !skip[i]);
}

/* ---- what the plan says of its method ---------------------------------- */

static void read_method(struct sample_design *design, const struct plan_line *line)
{
    const char *scale = plan_line_get(line, "scale"), *draw = plan_line_get(line, "draw");
    const char *unit = plan_line_get(line, "insts");
    const char *confidence = plan_line_get(line, "confidence");
    design->of.random = draw != NULL && strcmp(draw, "random") == 0;
    if (scale != NULL && strcmp(scale, "insts") == 0 && unit != NULL)
        for (int u = SAMPLING_WARP_INSTS; u <= SAMPLING_THREAD_INSTS; u++)
            if (strcmp(unit, sampling_unit_name((enum sampling_unit)u)) == 0)
                design->unit = (enum sampling_unit)u;
    if (confidence != NULL) /* the plan reader has checked it */
        number_decimal(confidence, 0, 1, &design->of.confidence);
}

/* Reads a number of !total; NaN: missing, or a number that a double does not represent
 * exactly. */
static double read_total(const struct plan_line *line, const char *key)
{
    const char *value = plan_line_get(line, key);
    uint64_t number;
    return value != NULL && number_whole(value, 0, (UINT64_C(1) << 53) - 1, &number)
               ? (double)number
               : NAN;
}

/* Reads !total: the totals of the launches that DESIGN represents. If it represents only some
 * of them, as in a plan.out of some launches of a sample, the totals only show that others are
 * missing. */
static void read_totals(struct sample_design *design, const struct plan_line *line)
{
    double launches = read_total(line, "launches");
    if (!(fabs(launches - design->launches) < 0.5)) {
        design->whole &= isnan(launches) || !design->listed;
        return;
    }
    design->warp_insts = read_total(line, "warp_insts");
    design->thread_insts = read_total(line, "thread_insts");
}

static int read_remarks(struct sample_design *design, const struct plan *plan,
                        struct error *err)
{
    for (size_t i = 0; i < plan->remark_count; i++) {
        struct plan_line line;
        if (plan_line_init(&line, plan->remarks[i], plan->path, 0, err) != 0)
            return -1;
        if (strcmp(line.word, "method") == 0)
            read_method(design, &line);
        if (strcmp(line.word, "total") == 0)
            read_totals(design, &line);
        plan_line_finish(&line);
    }
    return 0;
}

/* ---- strata ------------------------------------------------------------ */

static int compare_strata(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_chosen(const void *a, const void *b)
{
    const struct chosen_launch *x = a, *y = b;
    int order = compare_strata(x->launch->step->stratum, y->launch->step->stratum);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/* A launch without a stratum is a stratum of its own. */
static bool is_same(const struct chosen_launch *a, const struct chosen_launch *b)
{
    return a->launch->step->stratum != NULL && b->launch->step->stratum != NULL &&
           strcmp(a->launch->step->stratum, b->launch->step->stratum) == 0;
}

/* Counts the launches that LAUNCH represents; uses its scale if the plan does not list
 * them. */
static int count_stands(struct sample_design *design, const struct plan_launch *launch,
                        double *count, struct error *err)
{
    struct ranges ranges;
    *count = launch->step->scale;
    design->listed &= launch->step->stands != NULL;
    if (launch->step->stands == NULL)
        return 0;
    if (ranges_init(&ranges, launch->step->stands, "stands", NULL, 0, err) != 0)
        return -1;
    *count = 0;
    for (size_t i = 0; i < ranges.count; i++)
        *count += (double)(ranges.items[i].last - ranges.items[i].first) + 1;
    ranges_finish(&ranges);
    return 0;
}

/* Adds CHOSEN at place I, which may begin a stratum. */
static int add(struct sample_design *design, const struct chosen_launch *chosen, size_t i,
               bool begins, struct error *err)
{
    const struct plan_launch *launch = chosen->launch;
    double stands;
    if (count_stands(design, launch, &stands, err) != 0)
        return -1;
    if (begins)
        design->draws[design->of.count++] = (struct sampling_draw){
            .first = i,
            .spread = launch->step->spread != NULL ? launch->step->spread_number : NAN,
        };
    struct sampling_draw *draw = &design->draws[design->of.count - 1];
    draw->launches += stands;
    draw->count++;
    design->scales[i] = launch->step->scale;
    design->sizes[i] = launch->step->group != 0 ? launch->step->size : 1;
    design->grouped |= launch->step->group != 0;
    design->places[chosen->number] = i;
    design->scaled |= launch->step->scale != 1;
    return 0;
}

static int make_strata(struct sample_design *design, struct chosen_launch *chosen,
                       struct error *err)
{
    qsort(chosen, design->count, sizeof *chosen, compare_chosen);
    for (size_t i = 0; i < design->count; i++)
        if (add(design, &chosen[i], i, i == 0 || !is_same(&chosen[i - 1], &chosen[i]), err) !=
            0)
            return -1;
    for (size_t s = 0; s < design->of.count; s++) {
        struct sampling_draw *draw = &design->draws[s];
        draw->launches = fmax(draw->launches, (double)draw->count);
        design->launches += draw->launches;
    }
    if (design->grouped)
        design->of.sizes = design->sizes;
    return 0;
}

static int make_arrays(struct sample_design *design, size_t count, struct error *err)
{
    *design = (struct sample_design){
        .draws = calloc(count + 1, sizeof *design->draws),
        .scales = calloc(count + 1, sizeof *design->scales),
        .sizes = calloc(count + 1, sizeof *design->sizes),
        .places = calloc(count + 1, sizeof *design->places),
        .whole = true,
        .listed = true,
        .warp_insts = NAN,
        .thread_insts = NAN,
    };
    design->of.confidence = CONFIDENCE;
    design->of.draws = design->draws;
    design->of.scales = design->scales;
    if (design->draws != NULL && design->scales != NULL && design->sizes != NULL &&
        design->places != NULL)
        return 0;
    sample_design_finish(design);
    return error_no_memory(err);
}

int sample_design_init(struct sample_design *design, const struct plan *plan, const bool *skip,
                       struct error *err)
{
    struct chosen_launch *chosen = calloc(plan->count + 1, sizeof *chosen);
    int rc = make_arrays(design, plan->count, err);
    if (rc == 0 && chosen == NULL)
        rc = error_no_memory(err);
    for (size_t i = 0; i < plan->count && rc == 0; i++) {
        design->whole &= is_measured(plan, skip, i) == is_measured(plan, NULL, i);
        if (!is_measured(plan, skip, i))
            continue;
        chosen[design->count] = (struct chosen_launch){&plan->items[i].launch, design->count};
        design->count++;
    }
    if (rc == 0)
        rc = make_strata(design, chosen, err);
    if (rc == 0) /* after the strata, since totals apply to the launches in them */
        rc = read_remarks(design, plan, err);
    free(chosen);
    if (rc != 0)
        sample_design_finish(design);
    return rc;
}

int sample_design_init_all(struct sample_design *design, size_t count, struct error *err)
{
    if (make_arrays(design, count, err) != 0)
        return -1;
    design->of.count = design->count = count;
    design->launches = (double)count;
    for (size_t i = 0; i < count; i++) {
        design->draws[i] = (struct sampling_draw){1, i, 1, NAN};
        design->scales[i] = 1;
        design->places[i] = i;
    }
    return 0;
}

void sample_design_finish(struct sample_design *design)
{
    free(design->draws);
    free(design->scales);
    free(design->sizes);
    free(design->places);
    *design = (struct sample_design){0};
}
