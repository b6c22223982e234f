#define _GNU_SOURCE /* mkdtemp */
#include "tests/sim/support.h"

#include <stdio.h>
#include <unistd.h>

struct sim_config *test_config(const char *const *sets)
{
    static const char *const base[] = {
        "gpgpu_kernel_launch_latency=0",
        "gpgpu_perf_sim_memcpy=0",
        "gpgpu_n_clusters=1",
        "gpgpu_n_mem=1",
        "gpgpu_n_sub_partition_per_mchannel=1",
        "gpgpu_clock_domains=1000:1000:1000:1000",
    };
    const char *all[64], *source = "rtx3070";
    unsigned count = 0;
    for (size_t i = 0; i < sizeof base / sizeof *base; i++)
        all[count++] = base[i];
    for (; *sets != NULL; sets++)
        all[count++] = *sets;
    struct error err = {0};
    struct sim_config *config = sim_config_create(&source, 1, all, count, NULL, NULL, &err);
    ck_assert_msg(config != NULL, "%s", err.text);
    return config;
}

/* ---- machine code ---- */

/* Of the launch that is being written, by PC / 16. */
static struct {
    uint64_t low, high;
} codes[512];
static unsigned code_count; /* 0: it has no code */

/* The control bits that TEXT, "{4,y,w0,r1,m3,u5}", asks for, in their place in the high word.
 */
static uint64_t control_bits(char *text)
{
    uint64_t stall = 1, yield = 0, write = 7, read = 7, wait = 0, reuse = 0;
    char *save = NULL;
    for (char *part = strtok_r(text, "{,}", &save); part; part = strtok_r(NULL, "{,}", &save)) {
        bool named = *part >= 'a';
        uint64_t number = strtoull(part + named, NULL, named ? 16 : 10);
        switch (*part) {
        case 'y':
            yield = 1;
            break;
        case 'w':
            write = number;
            break;
        case 'r':
            read = number;
            break;
        case 'm':
            wait = number;
            break;
        case 'u':
            reuse = number;
            break;
        default:
            stall = number;
        }
    }
    return (stall | !yield << 4 | write << 5 | read << 8 | wait << 11 | reuse << 17) << 41;
}

/* Instruction AT has the control bits CONTROL, and reads the first three registers of SOURCES
 * as operands A, B and C: form 1 of Volta's encoding. */
static void add_code(unsigned at, char *control, char *const *sources, unsigned count)
{
    unsigned reg[3] = {255, 255, 255};
    ck_assert_uint_lt(at, sizeof codes / sizeof *codes);
    for (unsigned i = 0; i < count && i < 3; i++)
        reg[i] = (unsigned)atoi(sources[i] + 1);
    codes[at].low = 1u << 9 | (uint64_t)reg[0] << 24 | (uint64_t)reg[1] << 32;
    codes[at].high = control_bits(control) | reg[2];
    if (at >= code_count)
        code_count = at + 1;
}

static void write_code(FILE *out, const struct launch_text *text)
{
    fputs("!functions 1\nfunction k\n", out);
    if (text->code != NULL) {
        fputs(text->code, out);
        return;
    }
    fprintf(out, "code %u\n", code_count);
    for (unsigned i = 0; i < code_count; i++)
        fprintf(out, "%016llx%016llx\n", (unsigned long long)codes[i].high,
                (unsigned long long)codes[i].low);
}

/* ---- programs to traces ---- */

static void write_list(FILE *out, char *const *words, unsigned count)
{
    fprintf(out, "%u", count);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " %s", words[i]);
}

/* The words of one instruction, behind its mask. */
static void write_words(FILE *out, char *const *words, unsigned count)
{
    unsigned opcode = 0, end;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(words[i], "=") == 0)
            opcode = i + 1;
    write_list(out, words, opcode ? opcode - 1 : 0);
    fprintf(out, " %s ", words[opcode]);
    for (end = opcode + 1; end < count && words[end][0] == 'R';)
        end++;
    write_list(out, &words[opcode + 1], end - opcode - 1);
    if (end == count)
        fputs(" 0", out);
    else if (words[end][0] == '$')
        fprintf(out, " 0 %s", words[end] + 1);
    for (; end < count; end++)
        if (words[end][0] != '$' && strchr("[]", words[end][0]) == NULL)
            fprintf(out, " %s", words[end]);
    fputc('\n', out);
}

/* The code of an instruction of these words, behind its mask. */
static void add_sources(unsigned at, char *control, char *const *words, unsigned count)
{
    unsigned opcode = 0, end;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(words[i], "=") == 0)
            opcode = i + 1;
    for (end = opcode + 1; end < count && words[end][0] == 'R';)
        end++;
    add_code(at, control, &words[opcode + 1], end - opcode - 1);
}

/* Returns how many instructions it wrote. AT is the number of the next. */
static unsigned write_inst(FILE *out, char *text, unsigned *at)
{
    char *words[80], *save = NULL;
    unsigned count = 0, times = 1, first = 0;
    const char *mask = "ffffffff";
    for (char *word = strtok_r(text, " \n", &save); word; word = strtok_r(NULL, " \n", &save))
        words[count++] = word;
    if (count == 0)
        return 0;
    if (words[0][0] == ':')
        *at = (unsigned)atoi(words[first++] + 1);
    if (count > first + 1 && strcmp(words[first + 1], "*") == 0) {
        times = (unsigned)atoi(words[first]);
        first += 2;
    }
    char *control = words[first][0] == '{' ? words[first++] : NULL;
    if (words[first][0] == '@')
        mask = words[first++] + 1;
    if (control != NULL)
        add_sources(*at, control, &words[first], count - first);
    for (unsigned i = 0; i < times; i++) {
        fprintf(out, "%04x %s ", 16 * *at, mask);
        write_words(out, &words[first], count - first);
    }
    ++*at;
    return times;
}

static void write_warp(FILE *out, unsigned number, const char *code, size_t length)
{
    char *copy = strndup(code, length), *save = NULL, *text = NULL;
    size_t size;
    FILE *insts = open_memstream(&text, &size);
    unsigned count = 0, at = 0;
    for (char *inst = strtok_r(copy, ";", &save); inst; inst = strtok_r(NULL, ";", &save))
        count += write_inst(insts, inst, &at);
    fclose(insts);
    fprintf(out, "warp = %u\ninsts = %u\n%s\n", number, count, text);
    free(text);
    free(copy);
}

static void write_block(FILE *out, unsigned number, unsigned columns, const char *code,
                        size_t length, unsigned warps)
{
    const char *end = code + length;
    bool one = memchr(code, '|', length) == NULL;
    fprintf(out, "#BEGIN_TB\n\nthread block = %u,%u,0\n\n", number % columns, number / columns);
    for (unsigned w = 0; w < warps; w++) {
        const char *bar = memchr(code, '|', (size_t)(end - code));
        write_warp(out, w, code, (size_t)((bar ? bar : end) - code));
        if (!one && bar == NULL)
            break;
        code = one ? code : bar + 1;
    }
    fputs("#END_TB\n\n", out);
}

static void write_trace(FILE *out, const struct launch_text *text)
{
    unsigned blocks = text->blocks ? text->blocks : 1,
             threads = text->threads ? text->threads : 32, rows = text->rows ? text->rows : 1;
    fprintf(out,
            "-kernel name = k\n-kernel id = %u\n-grid dim = (%u,%u,1)\n-block dim = (%u,1,1)\n",
            text->id ? text->id : 1, blocks / rows, rows, threads);
    fprintf(out, "-shmem = %u\n-nregs = %u\n-binary version = %u\n-cuda stream id = %u\n",
            text->shmem, text->regs, text->version ? text->version : 86, text->stream);
    fputs("-shmem base_addr = 0x00007f0002000000\n-local mem base_addr = 0x00007f0000000000\n"
          "-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
          "#traces format = prose\n\n",
          out);
    const char *code = text->program;
    for (unsigned b = 0; b < blocks; b++) {
        const char *next = strchr(code, '#');
        write_block(out, b, blocks / rows, code, next ? (size_t)(next - code) : strlen(code),
                    (threads + 31) / 32);
        code = next ? next + 1 : code;
    }
}

/* Opens FOLDER/NAME for writing; *PATH is to be freed. */
static FILE *create_file(const char *folder, const char *name, char **path)
{
    ck_assert_int_ge(asprintf(path, "%s/%s", folder, name), 0);
    FILE *out = fopen(*path, "w");
    ck_assert_ptr_nonnull(out);
    return out;
}

#define WORKLOADS 8 /* that live at once */

/* That of TEXT, which lives until so many others have been made; NULL: none. */
static struct trace_workload *workload_of(const struct launch_text *text, const char *folder)
{
    static struct trace_workload *workloads[WORKLOADS];
    static unsigned next;
    struct error err = {0};
    struct trace_workload **place = &workloads[next++ % WORKLOADS];
    trace_workload_destroy(*place);
    *place = NULL;
    if (text->list == NULL)
        return NULL;
    *place = trace_workload_parse("list", folder, text->list, strlen(text->list), &err);
    ck_assert_msg(*place != NULL, "%s", err.text);
    return *place;
}

static struct trace_kernel *open_kernel(const struct launch_text *text, bool rows)
{
    const char *parent = getenv("TMPDIR");
    char *folder, *trace, *code;
    ck_assert_int_ge(asprintf(&folder, "%s/hearth-sim-XXXXXX", parent ? parent : "/tmp"), 0);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    code_count = 0;
    FILE *out = create_file(folder, "kernel-1.traceg", &trace);
    write_trace(out, text);
    fclose(out);
    out = create_file(folder, "functions.code", &code);
    write_code(out, text);
    fclose(out);
    bool has_code = text->code != NULL || code_count != 0;
    const struct trace_kernel_options options = {
        .rows = rows,
        .between = rows,
        .code = has_code,
        .workload = workload_of(text, folder),
        .extras = has_code ? TRACE_EXTRA_NUMBERS | TRACE_EXTRA_ADDRESS : 0,
    };
    struct error err = {0};
    struct trace_kernel *kernel = trace_kernel_open(trace, &options, &err);
    ck_assert_msg(kernel != NULL, "%s", err.text);
    unlink(trace);
    unlink(code);
    rmdir(folder);
    free(trace);
    free(code);
    free(folder);
    return kernel;
}

struct trace_kernel *test_kernel(const struct launch_text *text)
{
    return open_kernel(text, false);
}

struct trace_kernel *test_kernel_rows(const struct launch_text *text)
{
    return open_kernel(text, true);
}

const char *repeated(const char *program, unsigned count, const char *part)
{
    static char *text;
    size_t size;
    const char *hole = strchr(program, '%');
    free(text);
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "%.*s", (int)(hole - program), program);
    for (unsigned i = 0; i < count; i++)
        fputs(part, out);
    fputs(hole + 1, out);
    fclose(out);
    return text;
}

/* ---- launches ---- */

struct bench bench_of(struct sim_config *config)
{
    struct bench bench = {.config = config};
    struct error err = {0};
    bench.sim = sim_create(bench.config, &err);
    ck_assert_msg(bench.sim != NULL, "%s", err.text);
    return bench;
}

struct bench bench_create(const char *const *sets)
{
    return bench_of(test_config(sets));
}

struct bench bench_without_loads(void)
{
    struct sim_config *config = test_config(NO_SETS);
    config->l1d.miss_queue = 1;
    return bench_of(config);
}

void bench_destroy(struct bench *bench)
{
    sim_destroy(bench->sim);
    sim_config_destroy(bench->config);
}

char *bench_save(struct bench *bench, size_t *size)
{
    struct error err = {0};
    char *text;
    FILE *out = open_memstream(&text, size);
    ck_assert_ptr_nonnull(out);
    ck_assert_msg(sim_save(bench->sim, out, "state", &err) == 0, "%s", err.text);
    fclose(out);
    return text;
}

int bench_restore(struct bench *bench, const char *text, size_t size, struct error *err)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
    ck_assert_ptr_nonnull(in);
    int result = sim_restore(bench->sim, in, "state", err);
    fclose(in);
    return result;
}

struct sim_result bench_launch(struct bench *bench, const struct launch_text *text)
{
    struct sim_result result;
    struct error err = {0};
    struct trace_kernel *kernel = test_kernel(text);
    int status = sim_launch(bench->sim, kernel, NULL, &result, &err);
    trace_kernel_close(kernel);
    ck_assert_msg(status == 0, "%s\n%s", err.text, sim_report(bench->sim));
    return result;
}

uint64_t bench_access(struct bench *bench, const char *what, uint64_t address)
{
    char program[200];
    snprintf(program, sizeof program, "@000000ff %s [ 4 1 0x%lx 4 ]; EXIT", what,
             (unsigned long)address);
    struct sim_result result = bench_launch(bench, &(struct launch_text){.program = program});
    return result_cycles(&result);
}

struct sim_result launch_on(const char *const *sets, const struct launch_text *text)
{
    struct bench bench = bench_create(sets);
    struct sim_result result = bench_launch(&bench, text);
    bench_destroy(&bench);
    return result;
}

uint64_t cycles_of(const char *const *sets, const char *program)
{
    struct sim_result result = launch_on(sets, &(struct launch_text){.program = program});
    return result_cycles(&result);
}
