#include "tests/tracer/scene.h"

/* Reads all launches of the workload at PATH. Returns how many, and adds their records to
 * *RECORDS. */
static size_t read_all(const char *path, uint64_t *records)
{
    struct error err = {0};
    size_t launches = 0;
    struct trace_workload *workload = trace_workload_open(path, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    for (size_t i = 0; i < workload->count; i++) {
        if (workload->commands[i].kind != TRACE_KERNEL)
            continue;
        struct trace_kernel *kernel =
            trace_workload_kernel(workload, workload->commands[i].text, NULL, &err);
        struct trace_block *block;
        ck_assert_msg(kernel != NULL, "%s", err.text);
        int rc;
        while ((rc = trace_kernel_next_block(kernel, &block, &err)) == 1) {
            for (uint32_t w = 0; w < block->warp_count; w++)
                *records += block->warps[w].total;
            trace_block_release(block);
        }
        ck_assert_msg(rc == 0, "%s", err.text);
        trace_kernel_close(kernel);
        launches++;
    }
    trace_workload_destroy(workload);
    return launches;
}

size_t read_launches(const char *path)
{
    uint64_t records = 0;
    return read_all(path, &records);
}

uint64_t count_records(const char *path)
{
    uint64_t records = 0;
    read_all(path, &records);
    return records;
}

static uint32_t add(struct scene *scene, const char *opcode, bool memory, uint32_t pc)
{
    const struct tracer_inst inst = {.function = "k",
                                     .opcode = opcode,
                                     .memory = memory,
                                     .pc = pc,
                                     .binary_version = 86,
                                     .src_count = 1,
                                     .src = {4}};
    struct error err = {0};
    return tracer_add_inst(scene->tracer, &inst, &err);
}

void begin(struct scene *scene)
{
    begin_named(scene, "k");
}

static void begin_any(struct scene *scene, const char *name, uint32_t blocks)
{
    const struct tracer_launch launch = {.name = name,
                                         .grid = {blocks, 1, 1},
                                         .block = {40, 1, 1},
                                         .binary_version = 86,
                                         .carveout = -1};
    struct error err = {0};
    unsigned wanted;
    ck_assert_int_eq(tracer_begin_launch(scene->tracer, &launch, &scene->launch, &wanted, &err),
                     0);
    ck_assert_uint_eq(wanted, TRACER_WANT_INSTS);
}

void begin_named(struct scene *scene, const char *name)
{
    begin_any(scene, name, 2);
}

void begin_large(struct scene *scene, uint32_t blocks)
{
    begin_any(scene, "k", blocks);
}

void set_with(struct scene *scene, const char *const *settings)
{
    struct error err = {0};
    scene->folder = make_folder();
    scene->options = options_of(scene->folder, settings);
    scene->tracer = tracer_create(&scene->options, "1.7", &err);
    ck_assert_int_eq(tracer_context(scene->tracer, 1, &err), 0);
    scene->ldg = add(scene, "LDG.E", true, 0);
    scene->fadd = add(scene, "FADD", false, 16);
    scene->exit = add(scene, "EXIT", false, 32);
    begin(scene);
}

void set(struct scene *scene)
{
    set_with(scene, SETTINGS("TRACE_FILE_COMPRESS=0"));
}

struct tracer_record record_of(const struct scene *scene, uint64_t block, uint16_t warp,
                               uint32_t inst, uint32_t mask)
{
    return (struct tracer_record){.size = sizeof(struct tracer_record),
                                  .kind = TRACER_RECORD_INST,
                                  .launch = scene->launch,
                                  .block = block,
                                  .inst = inst,
                                  .warp = warp,
                                  .active = mask,
                                  .predicate = mask};
}

int send(struct scene *scene, struct tracer_record record, struct error *err)
{
    *err = (struct error){0};
    return tracer_records(scene->tracer, &record, sizeof record, err);
}

void send_good(struct scene *scene, uint64_t block, uint16_t warp, uint32_t inst, uint32_t mask)
{
    struct error err;
    ck_assert_msg(send(scene, record_of(scene, block, warp, inst, mask), &err) == 0, "%s",
                  err.text);
}

void finish_scene(struct scene *scene)
{
    struct error err = {0};
    ck_assert_msg(tracer_finish(scene->tracer, &err) == 0, "%s", err.text);
    tracer_destroy(scene->tracer);
}
