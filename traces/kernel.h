/* The inside of a kernel trace. */
#ifndef HEARTH_TRACES_KERNEL_H
#define HEARTH_TRACES_KERNEL_H

#include "traces/base/files/spill.h"
#include "traces/between/between.h"
#include "traces/block.h"
#include "traces/builder.h"
#include "traces/functions/functions_cache.h"
#include "traces/insts.h"
#include "traces/text/line.h"
#include "traces/text/source.h"
#include "traces/text/walk.h"
#include "traces/traces.h"

/* How the body of a trace is read. */
struct kernel_layout {
    /* Reads the next block, as trace_kernel_next_block(). */
    int (*next_block)(struct trace_kernel *kernel, struct trace_block **block,
                      struct error *err);
    void (*finish)(struct trace_kernel *kernel); /* NULL: nothing to do */
};

extern const struct kernel_layout kernel_packed; /* the others are those of readers */
extern const struct walk_ops kernel_walk;        /* of grouped text */

struct packed;
struct raw_blocks;

struct trace_kernel {
    struct source source;
    struct trace_header header;
    const struct kernel_layout *layout;
    struct packed *packed;  /* of kernel_packed */
    struct raw_blocks *raw; /* of a raw trace, once its lines have been read */
    bool memory_only, no_shared, bare_shared;
    unsigned extras; /* of lines that are wanted: a set of enum trace_extra */
    struct insts insts;
    struct line_reader reader;
    struct walk walk;  /* of grouped text */
    uint32_t previous; /* instruction of the warp, for the guess */
    struct builder builder;
    struct spill spill;
    struct block_pool pool;
    uint64_t blocks; /* of the grid */
    uint64_t blocks_read;
    uint32_t warps; /* of a block */
    char *note;
    struct source_pipe *pipe;              /* that the source is of, or NULL */
    const struct trace_function *function; /* its code, or NULL */
    struct functions_cache *own_code;      /* of a text trace that is of no workload */
    struct trace_launch_maps *maps;        /* or NULL */
    struct between between;                /* empty unless wanted */
    uint32_t cluster[3];                   /* blocks of a cluster; 0: none, or not known */
    int32_t programmatic;                  /* trace_launch_facts.programmatic */
    bool begun, failed;
};

/* A zeroed one, for trace_kernel_close(); NULL when memory ran out. */
struct trace_kernel *kernel_create(const char *path, const struct trace_kernel_options *options,
                                   struct error *err);
/* Reads the header of KERNEL, whose source is open, and gets ready for its first block. */
int kernel_start(struct trace_kernel *kernel, const struct trace_kernel_options *options,
                 struct error *err);
/* Adds a sentence to what had to be assumed. */
void kernel_add_note(struct trace_kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The memory that OPTIONS grant. */
size_t kernel_budget(const struct trace_kernel_options *options);

/* Opens the trace at PATH, a file or the pipe of WORKLOAD (NULL: none), as it is: raw or
 * grouped. Returns 0, or -1 with nothing to finish. */
int kernel_open_source(struct source *source, const char *path,
                       const struct trace_workload *workload, struct error *err);

struct store;

/* The packed workload and the *LAUNCH of it that PATH names, and whether as a
 * memory-only view; *OWNED: it was opened for this and is to be closed. NULL
 * without an error if PATH names none. */
struct store *packed_find(const char *path, const struct trace_kernel_options *options,
                          size_t *launch, bool *owned, bool *memory, struct error *err);

/* The store that KERNEL, which is packed, is of, and the index of its *LAUNCH. */
struct store *packed_store(const struct trace_kernel *kernel, size_t *launch);

/* The code that the workload of KERNEL, which is packed, has; *LISTED, which the caller frees,
 * is how the launch was listed. NULL on error. */
const struct functions *packed_functions(const struct trace_kernel *kernel, char **listed,
                                         struct error *err);

/* Takes KERNEL, zeroed, of a launch in a packed workload, if PATH names one.
 * Returns 1 with the header read, 0 if it does not, -1 on error. */
int packed_open(struct trace_kernel *kernel, const char *path,
                const struct trace_kernel_options *options, struct error *err);

/* Whether memory-only views keep the instruction. */
static inline bool kernel_keeps(const struct trace_inst *inst)
{
    if (inst->flags & TRACE_INST_EXIT)
        return true;
    return inst->access != TRACE_ACCESS_NONE && inst->space != TRACE_SPACE_CONSTANT &&
           inst->unit != TRACE_UNIT_TEXTURE;
}

/* Whether records of INST are handed on. */
static inline bool kernel_wants(const struct trace_kernel *kernel,
                                const struct trace_inst *inst)
{
    return !kernel->memory_only ||
           (kernel_keeps(inst) && !(kernel->no_shared && inst->access != TRACE_ACCESS_NONE &&
                                    inst->space == TRACE_SPACE_SHARED));
}

/* Whether the addresses of records of INST are handed on. */
static inline bool kernel_wants_addresses(const struct trace_kernel *kernel,
                                          const struct trace_inst *inst)
{
    return !kernel->bare_shared || inst->space != TRACE_SPACE_SHARED;
}

/* Whether lines of instruction INST have addresses that records of it do not have. */
static inline bool kernel_has_bare_address(const struct trace_kernel *kernel, uint32_t inst)
{
    return kernel->insts.texts[inst].has_addresses &&
           kernel->insts.items[inst].access == TRACE_ACCESS_NONE;
}

/* Reduces LINE, which is wanted, to what is handed on of it. */
static inline void kernel_strip(const struct trace_kernel *kernel, struct line *line)
{
    if (kernel_wants_addresses(kernel, &kernel->insts.items[line->record.inst]))
        return;
    line->record.mode = TRACE_ADDRESS_NONE;
    line->words = 0;
}

/* How many bytes the next block may take in memory. */
size_t kernel_block_limit(struct trace_kernel *kernel);

#endif
