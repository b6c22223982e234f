#include "tools/run/results/correction_table.h"

#include <inttypes.h>
#include <math.h>

static const struct term {
    const char *name;
    size_t offset;
    bool overlap; /* only for correction:corrected */
} terms[] = {
#define TERM(name, overlap)                                                                    \
    {                                                                                          \
#name, offsetof(struct correction, name), overlap                                      \
    }
    TERM(accesses, false), TERM(controllers, false), TERM(forward, false),
    TERM(received, false), TERM(penalty, false),     TERM(serial, true),
    TERM(exposed, true),   TERM(parallel, true),     TERM(writes, true),
    TERM(delta, false),    TERM(cycles, false),
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
        bool shown =
            isfinite(value) && !(terms[i].overlap && kind != correction_find("corrected"));
        if (shown)
            fprintf(out, ",%.6g", value);
        else
            putc(',', out);
    }
    putc('\n', out);
}
