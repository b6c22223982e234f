#define _GNU_SOURCE /* asprintf */
#include "tests/traces/packed/packed_fixture.h"

#include <stdio.h>
#include <string.h>

#include "traces/packed/text/pack_text.h"

char *path_in(const char *folder, const char *name)
{
    char *path;
    ck_assert_int_ge(asprintf(&path, "%s/%s", folder, name), 0);
    return path;
}

/* Packs TEXTS through the public interface. ID and name of the Nth, from 1, are
 * "kernel-<N>.traceg". Returns the error's text, or NULL. */
char *pack_texts(struct fixture *fixture, const char *const *texts, size_t count,
                 const struct trace_writer_options *options)
{
    struct error err = {0};
    fixture->folder = make_folder();
    fixture->packed = path_in(fixture->folder, "packed");
    fixture->launches = count;
    struct trace_writer *writer = trace_writer_create(fixture->packed, options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_int_eq(trace_writer_line(writer, "MemcpyHtoD,0x7f0000000000,256 ", &err), 0);
    for (size_t i = 0; i < count && err.kind == ERROR_NONE; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        char *path = make_file(fixture->folder, name, texts[i], strlen(texts[i]));
        trace_writer_launch(writer, name, path, NULL, &err);
        free(path);
    }
    if (err.kind == ERROR_NONE)
        ck_assert_msg(trace_writer_end(writer, &err) == 0, "%s", err.text);
    trace_writer_destroy(writer);
    return err.kind == ERROR_NONE ? NULL : strdup(err.text);
}

void finish(struct fixture *fixture)
{
    free(fixture->packed);
    remove_folder(fixture->folder);
}

char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = NULL;
    size_t size = 0;
    ck_assert_int_ge(getdelim(&text, &size, '\0', file), -1);
    fclose(file);
    return text != NULL ? text : strdup("");
}

/* Writes the text of FIXTURE to a folder and compares it with TEXTS. */
void check_text(const struct fixture *fixture, const char *const *texts)
{
    struct error err = {0};
    const struct trace_writer_options options = {.output = TRACE_OUTPUT_FOLDER};
    char *folder = path_in(fixture->folder, "out");
    struct trace_workload *workload = trace_workload_open(fixture->packed, &err);
    ck_assert_msg(workload != NULL, "%s", err.text);
    struct trace_writer *writer = trace_writer_create(folder, &options, &err);
    ck_assert_msg(writer != NULL, "%s", err.text);
    ck_assert_msg(trace_writer_workload(writer, workload, NULL, &err) == 0, "%s", err.text);
    ck_assert_int_eq(trace_writer_end(writer, &err), 0);
    trace_writer_destroy(writer);
    trace_workload_destroy(workload);
    for (size_t i = 0; i < fixture->launches; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        char *path = path_in(folder, name), *text = read_file(path);
        ck_assert_str_eq(text, texts[i]);
        free(text);
        free(path);
    }
    free(folder);
}

char *dump_file(const char *path, size_t launch, bool memory_only, size_t budget)
{
    char *name;
    struct error err = {0};
    const struct trace_kernel_options options = {.memory_only = memory_only,
                                                 .memory_budget = budget};
    ck_assert_int_ge(asprintf(&name, "%s/kernel-%zu%s", path, launch,
                              strstr(path, "packed") != NULL ? "" : ".traceg"),
                     0);
    struct trace_kernel *kernel = trace_kernel_open(name, &options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    free(name);
    return dump(kernel);
}

/* Records, full and memory-only, in memory and spilled, are those of the text. */
void check_records(const struct fixture *fixture)
{
    for (size_t i = 1; i <= fixture->launches; i++)
        for (int memory_only = 0; memory_only < 2; memory_only++)
            for (size_t budget = 0; budget < 2; budget++) {
                char *text = dump_file(fixture->folder, i, memory_only, budget);
                char *packed = dump_file(fixture->packed, i, memory_only, budget);
                ck_assert_str_eq(text, packed);
                free(text);
                free(packed);
            }
}

void round_trip(const char *const *texts, size_t count)
{
    struct fixture fixture;
    char *error = pack_texts(&fixture, texts, count, NULL);
    ck_assert_msg(error == NULL, "%s", error);
    check_text(&fixture, texts);
    check_records(&fixture);
    finish(&fixture);
}

/* A warp's loop over ITERATIONS with addresses that no predictor foretells in
 * full, printed for a grid of BLOCKS. */
char *make_loop(int blocks, int iterations, unsigned seed)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "-kernel name = loop%u\n-kernel id = %u\n-grid dim = (%d,1,1)\n"
            "-block dim = (64,1,1)\n-binary version = 86\n-accelsim tracer version = 5\n\n"
            "#traces format\n\n",
            seed % 3, seed, blocks);
    for (int b = 0; b < blocks; b++) {
        fprintf(out, "\n#BEGIN_TB\n\nthread block = %d,0,0\n", b);
        for (int w = 0; w < 2; w++) {
            fprintf(out, "\nwarp = %d\ninsts = %d\n", w, 5 * iterations + 1);
            for (int i = 0; i < iterations; i++) {
                seed = seed * 1103515245 + 12345;
                unsigned mask = seed % 5 == 0 ? seed | 1 : 0xffffffff;
                unsigned long base = 0x7f0000000000 + (unsigned long)(b * 2 + w) * 4096;
                fprintf(out, "0000 %08x 1 R8 LDG.E 1 R4 4 %s0x%lx", mask,
                        seed % 5 == 0 ? "2 " : "1 ", base + (unsigned)i * 128);
                for (int k = 1; seed % 5 == 0 && k < __builtin_popcount(mask); k++)
                    fprintf(out, " %d", (int)(seed >> k % 16 & 0xfffc) - 32768);
                fprintf(out, seed % 5 == 0 ? " 0 \n" : " 4 0 \n");
                fprintf(out, "0010 %08x 1 R9 FADD 2 R8 R8 0 0 \n", mask);
                fprintf(out, "0020 %08x 0 STS 2 R6 R9 4 1 0x%x 4 0 \n", 0xffffffff,
                        seed % 7 * 128);
                fprintf(out, "0030 ffffffff 0 ISETP.NE.AND 1 R20 0 %u \n", seed % 2);
                fprintf(out, "0040 ffffffff 0 BRA 0 0 0 \n");
            }
            fprintf(out, "0050 ffffffff 0 EXIT 0 0 0 \n");
        }
        fprintf(out, "\n#END_TB\n");
    }
    fclose(out);
    return text;
}

/* Packs TEXTS in groups of about RECORDS. */
void pack_groups(struct fixture *fixture, char *const *texts, size_t count, uint64_t records)
{
    struct error err = {0};
    const struct packed_writer_options options = {.level = 1, .group_records = records};
    fixture->folder = make_folder();
    fixture->packed = path_in(fixture->folder, "packed");
    fixture->launches = count;
    FILE *file = fopen(fixture->packed, "wb");
    struct packed_writer *writer = packed_writer_create(file, fixture->packed, &options, &err);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        struct source source;
        snprintf(name, sizeof name, "kernel-%zu.traceg", i + 1);
        free(make_file(fixture->folder, name, texts[i], strlen(texts[i])));
        ck_assert_int_eq(source_open_text(&source, name, texts[i], strlen(texts[i]), &err), 0);
        ck_assert_msg(pack_text(writer, name, &source, &err) == 0, "%s", err.text);
        source_finish(&source);
    }
    ck_assert_int_eq(packed_writer_end(writer, &err), 0);
    packed_writer_destroy(writer);
    fclose(file);
}

/* Launches that go over several groups, torn between and inside blocks. */
size_t read_bytes(const char *path, uint8_t **data)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    *data = malloc(size);
    ck_assert_uint_eq(fread(*data, 1, size, file), size);
    fclose(file);
    return size;
}
