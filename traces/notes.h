/* What the tracer's comments in lists say (tracer/README.md): facts of launches, tensor maps,
 * loops that wait, what else changes memory. Included by traces.h. They are commands of kind
 * TRACE_NOTE in a workload, or TRACE_COPY_DEVICE, in the order in which things happened. */
#ifndef HEARTH_TRACES_NOTES_H
#define HEARTH_TRACES_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_note_kind {
    TRACE_NOTE_OTHER,
    TRACE_NOTE_LAUNCH,     /* "# launch": facts of the launch that follows */
    TRACE_NOTE_TENSOR_MAP, /* "# tensormap": a tensor map was made */
    TRACE_NOTE_WAIT,       /* "# waits": a loop that only waits */
    TRACE_NOTE_PREDICATES, /* "# predicates": predicate registers of an instruction */
    TRACE_NOTE_COPY,       /* "# copy": one that the list has no line for */
    TRACE_NOTE_SET,        /* "# set": a memset */
    TRACE_NOTE_MANAGED,    /* "# managed": managed memory was allocated */
    TRACE_NOTE_WRITTEN,    /* "# written": memory that something wrote that the list lacks */
};

/* The kind of LINE. */
enum trace_note_kind trace_note_kind(const char *line);

/* The memory that LINE, a TRACE_NOTE_COPY, _SET or _WRITTEN, says was written. Returns false
 * for other lines, also for malformed ones, for what is written in several pieces, and for CUDA
 * arrays. */
bool trace_note_written(const char *line, uint64_t *address, uint64_t *bytes);

/* Where LINE, whose first word after '#' is "copy", "set" or "written", departs from the forms
 * of such lines: it says nothing to trace_note_written(). *EXPECTED becomes such a form. NULL:
 * nowhere, or the line has another first word, or words but no number after it. */
const char *trace_note_wrong(const char *line, const char **expected);

/* Maps that the parameters of a launch hold; further ones are passed over. */
#define TRACE_NOTE_MOST_MAPS 32

struct trace_launch_facts {
    uint64_t launch;        /* its kernel id */
    uint32_t dynamic_shmem; /* bytes of shared memory that were asked for at the launch */
    uint32_t cluster[3];    /* blocks of a cluster; 1, 1, 1: none */
    bool cooperative;
    int32_t carveout;     /* per cent of L1 wanted as shared memory; -1: the driver's choice */
    int32_t programmatic; /* 1: it may begin before the one before it in its stream has ended,
                           * which lets it (programmatic stream serialization); 0: not; -1: the
                           * list does not say */
    bool has_window;      /* accesses to WINDOW have a hint for L2 */
    struct {
        uint64_t address, bytes;
        double hit_ratio;    /* part of the accesses that are treated as `hit`, 0 to 1 */
        unsigned hit, miss;  /* CUaccessProperty: 0 normal, 1 streaming, 2 persisting */
        uint64_t persisting; /* bytes of L2 that are set aside for persisting accesses */
    } window;
    uint32_t map_count;
    struct {
        uint32_t offset; /* bytes, in the parameters of the kernel */
        uint32_t number; /* of the tensor map: the n-th TRACE_NOTE_TENSOR_MAP of the list, from
                            1 */
    } maps[TRACE_NOTE_MOST_MAPS];
};

/* Fills FACTS from LINE, a TRACE_NOTE_LAUNCH. Returns false if it makes no sense. */
bool trace_note_launch(const char *line, struct trace_launch_facts *facts);

/* Finds where the parameters of a launch begin, so that trace_async.map tells the tensor map:
 * at that address less *BASE it is in the parameters. ADDRESSES are COUNT different ones that
 * instructions of the launch have used. Returns whether there is exactly one place where all of
 * them are of MAPS. */
bool trace_note_map_base(const struct trace_launch_facts *facts, const uint64_t *addresses,
                         size_t count, uint64_t *base);
struct trace_launch_maps;
/* The same with maps whose contents are known. */
bool trace_launch_maps_base(const struct trace_launch_maps *maps, const uint64_t *addresses,
                            size_t count, uint64_t *base);

#define TRACE_TENSOR_MAP_BYTES 128

/* What cuTensorMapEncodeTiled() or cuTensorMapEncodeIm2col() was called with; numbers without
 * another meaning here are those of cuda.h. */
struct trace_tensor_map {
    uint8_t bytes[TRACE_TENSOR_MAP_BYTES]; /* that it made */
    bool im2col;                           /* else tiled */
    uint32_t type;                         /* CUtensorMapDataType */
    uint64_t address;                      /* of the tensor in global memory */
    uint32_t rank;                         /* dimensions, 1 to 5; the first is the innermost */
    uint64_t dims[5];                      /* elements */
    uint64_t strides[5];        /* bytes from element to element, the first one's too */
    uint32_t steps[5];          /* elements from one that is copied to the next */
    uint32_t box[5];            /* tiled: elements of a box; else 0 */
    int32_t lower[3], upper[3]; /* im2col: corners of the box of pixels, `rank` - 2 */
    uint32_t channels, pixels;  /* im2col: of a column; else 0 */
    uint32_t interleave, swizzle, promotion, fill;
};

/* Fills MAP from LINE, a TRACE_NOTE_TENSOR_MAP. Returns false if it makes no sense. */
bool trace_note_tensor_map(const char *line, struct trace_tensor_map *map);
/* Bytes of an element of MAP; 0: it has a size that is no whole number of bytes, or its type is
 * not known. */
uint32_t trace_tensor_map_element(const struct trace_tensor_map *map);
/* Bytes that a copy of MAP moves into or out of shared memory, where nothing lies outside of
 * the tensor; 0: not known. */
uint64_t trace_tensor_map_bytes(const struct trace_tensor_map *map);

/* The tensor maps that the parameters of a launch hold. */
struct trace_launch_maps {
    uint32_t count;
    struct {
        uint32_t offset; /* bytes, in the parameters */
        struct trace_tensor_map map;
    } maps[TRACE_NOTE_MOST_MAPS];
};

/* A loop in which nothing is done but to ask a barrier or to read what others write. */
struct trace_wait {
    const char *function; /* in LINE, not terminated */
    size_t length;        /* of its name */
    uint32_t first, last; /* PC of its instructions; the last one is the branch */
};

/* Fills WAIT from LINE, a TRACE_NOTE_WAIT. Returns false if it makes no sense. */
bool trace_note_wait(const char *line, struct trace_wait *wait);

#endif
