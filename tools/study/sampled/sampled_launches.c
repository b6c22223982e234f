/* hearth study sampled: the table of launches that a method sampled inside. */
#include <math.h>

#include "tools/study/sampled/sampled.h"

static const struct report_table_column columns[] = {
    {"method", "", "that chose the launch"},
    {"warm", "", "policy"},
    {"intra", "", "method that sampled inside it"},
    {"launch", "", "number in the workload"},
    {"kernel", "", ""},
    {"full", "cycles", "in the full run"},
    {"check", "", "for which the method refused: simulated in full; empty: it did not"},
    {"whole", "cycles", "with the same warm-up, simulated in full"},
    {"cycles", "cycles", "projected"},
    {"error", "%", "of the projection, against `whole`"},
    {"bar", "%", "half the interval that the method gives; empty: none"},
    {"inside", "", "whether `whole` is inside the interval"},
    {"stability", "", "relative spread of what the method watched; empty: unknown"},
    {"simulated_insts", "", "warp instructions that were simulated"},
    {"fewer_insts", "times", "warp instructions of the launch over those"},
};

static void add_launch(const struct run_measure *launch, const struct run_measure *whole,
                       struct report_table *sheet)
{
    double bar = launch->outcome.bar, off = fabs(launch->simulated - whole->simulated);
    report_table_text(sheet, intra_check_name(launch->outcome.check));
    report_table_number(sheet, whole->simulated, 0);
    report_table_number(sheet, launch->simulated, 0);
    report_table_number(
        sheet, report_table_percent(launch->simulated - whole->simulated, whole->simulated), 2);
    report_table_number(sheet, 100 * bar, 2);
    report_table_text(sheet, isnan(bar)                           ? ""
                             : off <= bar * launch->simulated + 1 ? "yes"
                                                                  : "no");
    report_table_number(sheet, launch->outcome.stability, 4);
    report_table_number(sheet, launch->simulated_insts, 0);
    report_table_number(
        sheet, launch->simulated_insts > 0 ? launch->warp_insts / launch->simulated_insts : NAN,
        1);
}

static void add_cell(const struct sampled *study, const struct sampled_plan *plan, size_t p,
                     struct report_table *sheet)
{
    const struct sampled_variant *variant = &study->variants[p];
    const struct run_measures *here = &plan->cells[0][p].measures;
    const struct run_measures *whole = &plan->cells[0][variant->whole].measures;
    for (size_t i = 0; i < here->count && i < whole->count; i++) {
        const struct run_measure *launch = &here->launches[i];
        if (launch->intra == NULL)
            continue;
        report_table_text(sheet, plan->method.text);
        report_table_text(sheet, variant->policy);
        report_table_text(sheet, variant->intra);
        report_table_count(sheet, launch->launch);
        report_table_text(sheet, launch->kernel);
        report_table_number(sheet, study->full[0].measures.launches[plan->rows[i]].simulated,
                            0);
        add_launch(launch, &whole->launches[i], sheet);
    }
}

void sampled_fill_launches(const struct sampled *study, struct report_table *sheet)
{
    *sheet = (struct report_table){
        .name = "launches",
        .title = "Launches that were sampled inside",
        .note = "Each against the same launch with the same warm-up, simulated in full.",
        REPORT_TABLE_OF(columns)};
    for (size_t m = 0; m < study->plan_count; m++)
        for (size_t p = 0; p < study->variant_count && study->plans[m].path != NULL; p++)
            if (study->variants[p].inside > 0)
                add_cell(study, &study->plans[m], p, sheet);
}
