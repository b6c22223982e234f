/* Any bytes are a plan or an error with a place, and a plan that was read can
 * be written and read again, and has a design. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/run/plan/plan.h"
#include "tools/run/sample/sample_design.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct plan *plan = plan_parse("fuzz.plan", (const char *)data, size, &err);
    if (plan == NULL) {
        if (err.kind == ERROR_NONE)
            abort();
        return 0;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    plan_write(plan, NULL, plan->digest, out);
    fclose(out);
    struct plan *again = plan_parse("fuzz.plan", text, length, &err);
    if (again == NULL || again->count != plan->count) {
        fprintf(stderr, "does not read back: %s\n%s", err.text, text);
        abort();
    }
    struct sample_design design;
    if (sample_design_init(&design, plan, NULL, &err) != 0 ||
        design.launches < (double)design.count)
        abort();
    sample_design_finish(&design);
    plan_destroy(again);
    plan_destroy(plan);
    free(text);
    return 0;
}
