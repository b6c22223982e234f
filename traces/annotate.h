/* Adding the code of functions to workloads that lack it. Included by traces.h. */
#ifndef HEARTH_TRACES_ANNOTATE_H
#define HEARTH_TRACES_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/base/error.h"
#include "traces/function.h"

struct trace_workload;

/* What was found for the launches of one name. */
struct trace_annotation_row {
    const char *name;   /* in the headers of the launches */
    const char *wrong;  /* why launches of it have no code, one sentence about the first of
                           them; NULL: all have it */
    uint64_t launches;  /* with the name */
    uint64_t with_code; /* of these: every PC has its instruction, with the same opcode and
                           the same register that it writes */
    uint64_t insts;     /* instructions that these launches executed, each once a function */
    uint64_t unnamed;   /* of these: a cubin has them, and their opcode is not in the table */
    uint32_t functions; /* different ones among these launches */
};

struct trace_annotation;

/* Reads the FILES, listings (cuobjdump -sass, nvdisasm -hex; compressed or not) and cubins, and
 * all launches of WORKLOAD, which must outlive the result. A launch gets the first function
 * with its name and GPU that has, at each traced PC, an instruction with the traced opcode that
 * writes the traced register. Returns NULL on error. */
struct trace_annotation *trace_annotate(const struct trace_workload *workload,
                                        const char *const *files, size_t count,
                                        struct error *err);
/* Accepts NULL. */
void trace_annotation_destroy(struct trace_annotation *annotation);

/* What was found, a row a name in the order of launches. */
const struct trace_annotation_row *
trace_annotation_rows(const struct trace_annotation *annotation, size_t *count);
/* The code of the launch at POSITION in the list, from 1; NULL: none fits. */
const struct trace_function *
trace_annotation_function(const struct trace_annotation *annotation, size_t position);
/* Whether that launch executes stores that traces do not show: copies of tensors and blocks to
 * global memory. */
bool trace_annotation_hides_stores(const struct trace_annotation *annotation, size_t position);

#endif
