#include "tools/run/results/correction_table.h"

#include <inttypes.h>
#include <math.h>

static const struct term {
    const char *name;
    size_t offset;
} terms[] = {
#define TERM(name)                                                                             \
    {                                                                                          \
#name, offsetof(struct correction, name)                                               \
    }
    TERM(accesses), TERM(controllers), TERM(forward), TERM(penalty), TERM(delta), TERM(cycles),
#undef TERM
};

static const size_t term_count = sizeof terms / sizeof terms[0];

void correction_table_write_head(FILE *out)
{
    fputs("step,launch,policy,cycles", out);
    for (size_t i = 0; i < term_count; i++)
        fprintf(out, ",%s%s", terms[i].name,
                terms[i].offset == offsetof(struct correction, cycles) ? "_corrected" : "");
    putc('\n', out);
}

void correction_table_write(const struct row *row, const struct correction_kind *kind,
                            FILE *out)
{
    if (!row->corrected)
        return;
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",correction:%s,%" PRIu64, row->step, row->launch,
            kind->policy.name, row->result.end_cycle - row->result.start_cycle);
    for (size_t i = 0; i < term_count; i++) {
        double value = *(const double *)((const char *)&row->correction + terms[i].offset);
        if (isfinite(value))
            fprintf(out, ",%.6g", value);
        else
            putc(',', out);
    }
    putc('\n', out);
}
