/* A tracer in the middle of a launch, and what it has written. */
#ifndef HEARTH_TESTS_TRACER_SCENE_H
#define HEARTH_TESTS_TRACER_SCENE_H

#include "tests/tracer/support.h"

/* A launch of 2 blocks of 40 threads, with an LDG, an FADD and an EXIT. */
struct scene {
    char *folder;
    struct tracer_options options;
    struct tracer *tracer;
    uint32_t launch, ldg, fadd, exit;
};

void set(struct scene *scene);
void set_with(struct scene *scene, const char *const *settings);
void begin(struct scene *scene);
/* Of a kernel of another name. */
void begin_named(struct scene *scene, const char *name);
/* Of BLOCKS. */
void begin_large(struct scene *scene, uint32_t blocks);
void finish_scene(struct scene *scene);

struct tracer_record record_of(const struct scene *scene, uint64_t block, uint16_t warp,
                               uint32_t inst, uint32_t mask);
int send(struct scene *scene, struct tracer_record record, struct error *err);
void send_good(struct scene *scene, uint64_t block, uint16_t warp, uint32_t inst,
               uint32_t mask);

/* Reads all launches of the workload at PATH. Returns how many. */
size_t read_launches(const char *path);
/* Returns how many records they have. */
uint64_t count_records(const char *path);

#endif
