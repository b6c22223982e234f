/* traces: workloads and their instruction traces.
 *
 * A workload is an application's ordered list of copies and kernel launches.
 * A launch's trace is opened with trace_kernel_open(), which reads its header;
 * then its thread blocks are read one by one, in the order of the file. Memory
 * use does not depend on the length of the trace: a block that is too large for
 * its share of the memory budget is spilled to disk and read warp by warp.
 *
 * Functions that can fail return 0 (or a count) on success and -1 with ERR
 * filled. A handle may be used by one thread at a time; different handles are
 * independent. The exceptions are trace_warp_fill() and trace_block_release():
 * while one thread reads blocks, other threads may fill and release the blocks
 * that they own.
 *
 * Public headers of this folder: traces.h and those that it includes
 * (annotate.h, async.h, extras.h, footprint.h, function.h, inst.h, notes.h, profile.h, sink.h,
 * verify.h, write.h), and address.h, which users of record addresses include themselves.
 * Synthetic workloads have a library of their own: traces/synth/synth_workloads.h. The headers
 * in traces/base/ are for all of the project. All other headers are private to traces/. */
#ifndef HEARTH_TRACES_TRACES_H
#define HEARTH_TRACES_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/annotate.h"
#include "traces/async.h"
#include "traces/base/error.h"
#include "traces/extras.h"
#include "traces/footprint.h"
#include "traces/function.h"
#include "traces/inst.h"
#include "traces/notes.h"
#include "traces/profile.h"
#include "traces/sink.h"
#include "traces/verify.h"
#include "traces/write.h"

/* ---- workload ---------------------------------------------------------- */

enum trace_command_kind {
    TRACE_COPY_HTOD, /* MemcpyHtoD */
    TRACE_COPY_DTOH, /* MemcpyDtoH: kept, no effect on caches */
    TRACE_KERNEL,
    TRACE_NOTE,        /* any other line: kept as text, "!" lines included */
    TRACE_COPY_DEVICE, /* a note of what the device wrote outside of launches, as
                          trace_note_written() reads it */
};

/* One line of a kernelslist. */
struct trace_command {
    enum trace_command_kind kind;
    uint32_t line;    /* in the list, from 1 */
    const char *text; /* kernels: the name as listed, "kernel-<launch>" in a packed workload;
                         else the line. Owned by the workload */
    union {
        struct {
            uint64_t address, bytes; /* of the device: what is written, or read (DTOH) */
        } copy;
        struct {
            const char *listed; /* in a packed workload: the name in the list that was packed;
                                   else NULL. Owned by the workload */
            uint64_t packed;    /* in a packed workload: bytes of the file that it takes,
                                   about */
        } kernel;
    };
};

/* Whether COMMAND says that device memory was written outside of launches: `copy` is what. */
static inline bool trace_command_writes(const struct trace_command *command)
{
    return command->kind == TRACE_COPY_HTOD || command->kind == TRACE_COPY_DEVICE;
}

/* Whether COMMAND is a line "# written", which says so because a launch reads that memory, not
 * because somebody saw it written. */
static inline bool trace_command_is_inferred(const struct trace_command *command)
{
    return command->kind == TRACE_COPY_DEVICE &&
           trace_note_kind(command->text) == TRACE_NOTE_WRITTEN;
}

struct store; /* a packed workload, private */
struct functions_cache;
struct source_pipe;
struct tarball;

struct note_places;
struct texts;

struct trace_workload {
    char *path;   /* as given */
    char *folder; /* names in the list resolve against it; "." at least */
    struct trace_command *commands;
    size_t count;
    char *list;          /* path of the list; NULL for a packed workload or a single trace */
    char *trace;         /* path of a single trace; else NULL */
    char *note;          /* what is amiss with the file, one sentence; or NULL */
    struct store *store; /* private; NULL unless packed */
    struct tarball *tarball;      /* private; NULL unless the list is in an archive */
    size_t archive_length;        /* so many bytes of `path` are an archive; 0: it is in none */
    struct source_pipe *pipe;     /* private; NULL unless a single trace out of a pipe */
    struct functions_cache *code; /* private */
    struct texts *texts;          /* private: of the commands */
    struct note_places *notes;    /* private: of the commands */
};

/* Opens PATH: a folder with kernelslist.g (or kernelslist, un-grouped), a
 * list of any name, a packed workload, a single trace file (a workload of
 * one launch), or an archive (tar or zip) with such a folder or a packed
 * workload, ARCHIVE, ARCHIVE/FOLDER or ARCHIVE/FILE, which is unpacked into
 * a temporary file without a name.
 * Trace files are not opened here. Returns NULL on error. */
struct trace_workload *trace_workload_open(const char *path, struct error *err);
/* The same for the lines of one list already in memory (LENGTH bytes, no
 * terminator needed); FOLDER as in struct trace_workload. Used by plans,
 * which keep their own lines as TRACE_NOTE. */
struct trace_workload *trace_workload_parse(const char *name, const char *folder,
                                            const char *text, size_t length, struct error *err);
/* How many functions WORKLOAD has the code of; 0: none. Returns 0, or -1 if the code cannot be
 * read. The first call reads it. */
int trace_workload_functions(const struct trace_workload *workload, uint32_t *count,
                             struct error *err);
/* Whether PATH is a packed workload. */
bool trace_is_packed(const char *path);
/* Whether PATH is a packed workload or an archive: the names of its launches resolve against it
 * as if it were a folder. -1 without memory. */
int trace_is_one_file(const char *path);
/* The absolute path of the workload PATH, links resolved. The caller frees it; NULL with errno
 * set: it is not there, or memory is short. */
char *trace_absolute_path(const char *path);
/* The size of the trace file that the workload's list calls NAME, as it lies there; UINT64_MAX
 * if it is not there. Returns false without memory. */
bool trace_workload_size(const struct trace_workload *workload, const char *name,
                         uint64_t *size);
/* The path of the trace file that the workload's list calls NAME, in a packed workload that of
 * the file and the name. The caller frees it; NULL without memory. */
char *trace_workload_path(const struct trace_workload *workload, const char *name);
/* Whether the list says of any launch that it is programmatic (trace_kernel_programmatic()). */
bool trace_workload_programmatic(const struct trace_workload *workload);
/* Accepts NULL. */
void trace_workload_destroy(struct trace_workload *workload);

/* ---- kernel trace ------------------------------------------------------ */

/* The header of a kernel trace. Fields that the file lacks are 0. */
struct trace_header {
    char *name;  /* as in the file, usually mangled; "" if absent */
    uint64_t id; /* kernel id: the application's launch number */
    bool has_id;
    uint32_t grid[3];        /* blocks; each at least 1 */
    uint32_t block[3];       /* threads; each at least 1, 1024 in all */
    uint32_t shmem;          /* bytes of shared memory a block, static + dynamic */
    uint32_t regs;           /* registers a thread */
    uint32_t binary_version; /* 10 x major + minor compute capability: 70, 75, 86 ... */
    uint64_t stream;         /* may be a pointer */
    uint64_t shmem_base; /* start of the shared window in generic addresses; 0 = not known */
    uint64_t local_base; /* the same for local memory */
    uint32_t version;    /* tracer version x 10: 12, 20, 30, 40, 50 */
    bool lineinfo;
    bool active_masks; /* lines say which lanes were active, where the guard did not hold in all
                          of them */
    bool grouped;      /* blocks stand together; false for raw files */
    char *between;     /* what the code does between memory instructions, as the file has it:
                          trace_kernel_between(); NULL: it does not */
};

/* Sectors of a record at most: 32 lanes of up to 32 bytes, not aligned. */
#define TRACE_MAX_SECTORS 64

struct trace_kernel;

struct trace_kernel_options {
    size_t memory_budget;  /* bytes for blocks in memory, all of this kernel's together; 0 = 64
                              MiB */
    const char *spill_dir; /* where spilled data goes; NULL = $TMPDIR or /tmp */
    bool memory_only; /* only instructions that access memory, and EXIT: instructions with a
                         memory operand that is not constant or texture. Of a packed workload
                         nothing else is read. After "Cold-start" (thesis), its memory-only
                         traces */
    bool no_shared;   /* `memory_only` leaves out instructions on shared memory, too; generic
                         ones stay, wherever their addresses lie */
    bool bare_shared; /* records on shared memory come without their addresses, as
                         TRACE_ADDRESS_NONE, for readers that only need to know of them;
                         generic ones stay as they are */
    bool rows;    /* lists of addresses become TRACE_ADDRESS_ROWS_2 to _16 where they can, for
                     readers that know these: a fraction of their memory */
    bool code;    /* the code of the launch's function is wanted: trace_kernel_function(); what
                     cannot be read of it is an error. Records then have the addresses of all
                     memory operands, those of barriers and tensor maps, too */
    bool between; /* trace_kernel_between() is wanted. Where the header does not say it, the
                     first thread block of several is read in full to find out, except out of a
                     pipe */
    unsigned extras; /* a set of enum trace_extra: what trace_record_extras() gives; what cannot
                        be read of them is an error. Launches of packed workloads that have
                        numbers or active masks, if these are wanted, are then read as text,
                        which takes longer. 0: none */
    const struct trace_workload *workload; /* that PATH is of, or NULL: a packed one need not
                                              be opened again for each of its kernels. Kernels
                                              of several threads may share it; it is closed
                                              after them */
};

/* Opens the trace at PATH (.gz .xz .zst .bz2 or plain, grouped or raw) and
 * reads its header. A missing file is looked for with or without its
 * compression suffix, as lists outlive packing. Of a packed workload FILE the
 * launches are FILE/kernel-<launch>, and FILE/kernel-mem-<launch> for
 * `memory_only`. OPTIONS may be NULL. Returns NULL on error. */
struct trace_kernel *trace_kernel_open(const char *path,
                                       const struct trace_kernel_options *options,
                                       struct error *err);
/* The same for a launch of a packed workload, FILE/kernel-<launch>, without what reads other
 * files and code: a program that opens traces only so is not linked with libarchive.
 * `options->code` and `options->extras` have no effect. */
struct trace_kernel *trace_kernel_open_packed(const char *path,
                                              const struct trace_kernel_options *options,
                                              struct error *err);
/* The same for the trace that WORKLOAD's list calls NAME. */
struct trace_kernel *trace_workload_kernel(const struct trace_workload *workload,
                                           const char *name,
                                           const struct trace_kernel_options *options,
                                           struct error *err);
/* Accepts NULL. Every block must have been released before. */
void trace_kernel_close(struct trace_kernel *kernel);

const struct trace_header *trace_kernel_header(const struct trace_kernel *kernel);

/* What is known of a launch before it is read. */
struct trace_counts {
    uint64_t blocks;  /* thread blocks */
    uint64_t records; /* warp instructions */
    uint64_t
        memory_records; /* of these, in the memory stream: with a memory operand, and EXIT */
};

/* Fills COUNTS. Returns false where they are not known: of text. */
bool trace_kernel_counts(const struct trace_kernel *kernel, struct trace_counts *counts);

/* Fills CONTENTS, a set of enum trace_content, with what lines of the launch, or of another one
 * of its kernel that was packed with it, have. Returns 0, or -1 with ERR filled, or 1 if that
 * is not known before it is read: of text. */
int trace_kernel_contents(const struct trace_kernel *kernel, unsigned *contents,
                          struct error *err);

/* The table of static instructions so far; it grows as blocks are read, and
 * the pointer holds until the next trace_kernel_next_block(). */
const struct trace_inst *trace_kernel_insts(const struct trace_kernel *kernel, uint32_t *count);
/* The dotted opcode of an instruction, e.g. "LDG.E.64.SYS". Holds as long. */
const char *trace_kernel_opcode(const struct trace_kernel *kernel,
                                const struct trace_inst *inst);

/* A cursor over the records of one warp, in program order. The owner of the
 * block takes records from `at` up to `end` and calls trace_warp_fill() when
 * they meet. */
struct trace_warp {
    const struct trace_record *at, *end;
    const uint64_t *addresses; /* what trace_record.address indexes */
    uint64_t total;            /* records of the warp in all; read or not */
    struct trace_block *block;
    uint32_t index; /* warp number in the block, from 0 */
    /* Private to the reader: where the next records of a spilled warp are. */
    uint64_t spill_at, spill_left;
    void *chunk;
};

/* Makes `at` < `end` hold again by reading further records of a spilled warp.
 * The old ones are no longer valid. Returns 1, 0 when the warp has no more,
 * -1 on error. */
int trace_warp_fill(struct trace_warp *warp, struct error *err);

/* One thread block. */
struct trace_block {
    uint32_t index[3]; /* as printed: x, y, z */
    uint32_t
        warp_count; /* ceil(threads / 32), whatever the file lists; absent warps have total 0 */
    struct trace_warp *warps;
    struct trace_kernel *kernel;
    size_t bytes; /* held in memory, for the budget */
};

/* Reads the next block. Returns 1 with *BLOCK set (the caller owns it until
 * trace_block_release()), 0 after the last, -1 on error. Fewer or more blocks
 * than the grid has is an error of the last call. */
int trace_kernel_next_block(struct trace_kernel *kernel, struct trace_block **block,
                            struct error *err);
/* Accepts NULL. */
void trace_block_release(struct trace_block *block);

/* Opcodes that no table knows, classed by rule: one call of NOTE for each
 * distinct first token, with how many records had it. */
void trace_kernel_unknown_opcodes(const struct trace_kernel *kernel,
                                  void (*note)(void *data, const char *opcode, uint64_t count),
                                  void *data);
/* The code that the launch executes; NULL: the workload does not have it, or it was not wanted
 * (trace_kernel_options.code). Holds until the kernel is closed, and as long as its workload if
 * trace_kernel_options.workload named that and it has the launch. */
const struct trace_function *trace_kernel_function(const struct trace_kernel *kernel);
/* What the code does before a memory instruction, from the memory instruction before it in the
 * code on; "before" is a lower PC, whatever branches there are. Functional simulation reads
 * only memory instructions, and must know where a warp waits for what it has loaded. */
struct trace_between {
    uint32_t pc;           /* of the memory instruction */
    bool barrier;          /* warps wait there for their block: BAR other than BAR.ARV */
    uint64_t registers[4]; /* a bit for each register that is read or written, of those that
                              memory instructions write */
};

/* That before the memory instruction at PC of KERNEL; NULL: neither a barrier nor such a
 * register, not known, or not wanted (trace_kernel_options.between). Functions that the kernel
 * calls have PCs of their own, which are mixed up with the kernel's. Holds until the kernel is
 * closed. */
const struct trace_between *trace_kernel_between(const struct trace_kernel *kernel,
                                                 uint32_t pc);
/* All that COUNT different INSTS, in any order, do between memory instructions, as headers have
 * it (struct trace_header), on the heap. NULL when memory ran out. */
char *trace_between_text(const struct trace_inst *insts, size_t count);
/* That text if there is nothing. */
#define TRACE_BETWEEN_NONE "none"
/* The tensor maps among the launch's parameters, if trace_kernel_options.workload was given,
 * its list says which, and code was wanted; else NULL. Holds until the kernel is closed. */
const struct trace_launch_maps *trace_kernel_maps(const struct trace_kernel *kernel);
/* The blocks of a cluster in x, y and z, as the list of trace_kernel_options.workload has them,
 * or else as the code was compiled, if code was wanted; NULL: there are no clusters, or nothing
 * says so. Holds until the kernel is closed. */
const uint32_t *trace_kernel_cluster(const struct trace_kernel *kernel);
/* Whether the launch may begin before the one before it in its stream has ended:
 * trace_launch_facts.programmatic, as the list of trace_kernel_options.workload has it. */
int trace_kernel_programmatic(const struct trace_kernel *kernel);
/* What the reader had to assume (nearest opcode table and the like): one
 * line, or NULL. Owned by the kernel. */
const char *trace_kernel_note(const struct trace_kernel *kernel);

/* What the dotted opcode TEXT of a GPU of BINARY_VERSION (86 = sm_86) says:
 * fills unit, access, space, flags and, with a MEMORY_OPERAND, width of INST.
 * Opcodes that no table knows are classed by rule (TRACE_INST_UNKNOWN). */
void trace_inst_decode(struct trace_inst *inst, uint32_t binary_version, const char *text,
                       bool memory_operand);
/* Whether a basic block ends with INST, whose opcode is OPCODE: it may go on elsewhere
 * (branches, calls, returns, synchronisation of diverged lanes, exit) or waits for other warps
 * (barriers), as "Photon" has it. It ends, too, before an instruction that does not follow the
 * previous one in the code. */
bool trace_inst_ends_basic_block(const struct trace_inst *inst, const char *opcode);
/* Bytes of an instruction of a GPU of BINARY_VERSION. */
uint32_t trace_inst_bytes(uint32_t binary_version);
/* Whether the instruction at PC follows that at BEFORE in the code, with so many BYTES. Up to
 * Pascal, a word of control data precedes each group of three instructions. */
bool trace_inst_follows(uint32_t bytes, uint32_t before, uint32_t pc);
#define TRACE_INST_TYPES 128
/* Of INST, below TRACE_INST_TYPES: unit and space. Those of a type take about as long. */
uint8_t trace_inst_type(const struct trace_inst *inst);
/* Whether memory-only views keep the records of INST. */
bool trace_inst_in_memory_view(const struct trace_inst *inst);

/* The 32-byte sectors that a record touches: the number of each, which is its
 * address divided by 32, once, in order of lanes. INST is the record's and
 * ADDRESSES what its address counts from. Returns how many, at most 64. */
unsigned trace_record_sectors(const struct trace_record *record, const struct trace_inst *inst,
                              const uint64_t *addresses,
                              uint64_t sectors[static TRACE_MAX_SECTORS]);

/* The memory requests of a record of a launch with HEADER, in 32-byte sectors: those of global
 * and of local memory, of which the same word of 8 threads side by side is a sector. 0 for
 * other records. */
unsigned trace_record_requests(const struct trace_header *header,
                               const struct trace_record *record, const struct trace_inst *inst,
                               const uint64_t *addresses);

/* The space that a generic access to ADDRESS means: [shmem base, local base)
 * is shared, the window of 16 MiB from local base on is local, all else
 * global. Where local memory lies below, the shared window has 16 MiB too.
 * Shared when one of the bases is not known (0), as in Accel-Sim. */
enum trace_space trace_resolve_space(const struct trace_header *header, uint64_t address);

#endif
