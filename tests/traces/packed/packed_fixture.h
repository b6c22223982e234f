/* Workloads given as text, packed. */
#ifndef HEARTH_TESTS_TRACES_PACKED_PACKED_FIXTURE_H
#define HEARTH_TESTS_TRACES_PACKED_PACKED_FIXTURE_H

#include "tests/traces/support.h"
#include "traces/packed/store.h"

/* Some lines. */
#define LDG  "0080 ffffffff 1 R8 LDG.E 1 R4 4 "
#define EXIT "0030 ffffffff 0 EXIT 0 0 0 \n"

/* A workload of some launches given as text, and its packed file. */
struct fixture {
    char *folder, *packed;
    size_t launches;
};

/* FOLDER/NAME, which the caller frees. */
char *path_in(const char *folder, const char *name);
/* Packs TEXTS through the public interface. ID and name of the Nth, from 1, are
 * "kernel-<N>.traceg". Returns the error's text, or NULL. */
char *pack_texts(struct fixture *fixture, const char *const *texts, size_t count,
                 const struct trace_writer_options *options);
/* Packs TEXTS in groups of about RECORDS. */
void pack_groups(struct fixture *fixture, char *const *texts, size_t count, uint64_t records);
void finish(struct fixture *fixture);

/* What is in a file: as text, or as bytes. */
char *read_file(const char *path);
size_t read_bytes(const char *path, uint8_t **data);
/* The records of a launch of the folder or the packed file PATH. */
char *dump_file(const char *path, size_t launch, bool memory_only, size_t budget);
/* Compares the text of FIXTURE with TEXTS. */
void check_text(const struct fixture *fixture, const char *const *texts);
/* Records, full and memory-only, in memory and spilled, are those of the text. */
void check_records(const struct fixture *fixture);
/* All of that. */
void round_trip(const char *const *texts, size_t count);

/* A warp's loop over ITERATIONS with addresses that no predictor foretells in
 * full, printed for a grid of BLOCKS. */
char *make_loop(int blocks, int iterations, unsigned seed);

#endif
