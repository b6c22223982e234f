/* Speed of the trace reader: writes synthetic traces to temporary files, reads
 * them and prints thousands of warp instructions a second. */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "traces/traces.h"

#define BLOCKS     200
#define WARPS      8
#define ITERATIONS 100
#define BODY       12 /* instructions of the loop */

enum mode { LIST_ALL, COMPRESSED };

static void print_addresses(FILE *out, enum mode mode, int form, uint64_t base)
{
    if (mode == LIST_ALL) {
        fprintf(out, "0");
        for (int i = 0; i < 32; i++)
            fprintf(out, " 0x%lx", (unsigned long)(base + (unsigned)(i * i % 13) * 32));
    } else if (form == 1) {
        fprintf(out, "1 0x%lx 4", (unsigned long)base);
    } else {
        fprintf(out, "2 0x%lx", (unsigned long)base);
        for (int i = 1; i < 32; i++)
            fprintf(out, " %d", i % 5 == 0 ? -992 : 16 * (i % 3));
    }
}

/* A tiled loop: a quarter of it memory accesses, as in real kernels. */
static void print_iteration(FILE *out, enum mode mode, uint64_t base)
{
    fprintf(out, "0080 ffffffff 1 R8 LDG.E 1 R4 4 ");
    print_addresses(out, mode, 1, 0x7f3580000000 + base);
    fprintf(out, " 0 \n0090 ffffffff 0 STS 2 R10 R8 4 ");
    print_addresses(out, mode, 1, base & 0xfff);
    fprintf(out, " 0 \n00a0 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 \n"
                 "00b0 ffffffff 1 R12 LDS 1 R11 4 ");
    print_addresses(out, mode, 2, base & 0xfff);
    fprintf(out, " 0 \n");
    for (int i = 0; i < 4; i++)
        fprintf(out, "%04x ffffffff 1 R14 FFMA 3 R12 R13 R14 0 0 \n", 0xc0 + 16 * i);
    fprintf(out, "0100 ffffffff 1 R4 IADD3 2 R4 R255 0 64 \n"
                 "0110 ffffffff 1 R20 IADD3 1 R20 0 1 \n"
                 "0120 ffffffff 0 ISETP.NE.AND 1 R20 0 0 \n0130 ffffffff 0 BRA 0 0 0 \n");
}

static void print_trace(FILE *out, enum mode mode)
{
    fprintf(out,
            "-kernel name = bench\n-kernel id = 1\n-grid dim = (%d,1,1)\n"
            "-block dim = (%d,1,1)\n-binary version = 86\n-accelsim tracer version = 5\n"
            "-enable lineinfo = 0\n\n#traces format\n\n",
            BLOCKS, WARPS * 32);
    for (int b = 0; b < BLOCKS; b++) {
        fprintf(out, "#BEGIN_TB\n\nthread block = %d,0,0\n\n", b);
        for (int w = 0; w < WARPS; w++) {
            fprintf(out, "warp = %d\ninsts = %d\n", w, ITERATIONS * BODY);
            for (int i = 0; i < ITERATIONS; i++)
                print_iteration(out, mode, (uint64_t)((b * WARPS + w) * ITERATIONS + i) * 128);
            fprintf(out, "\n");
        }
        fprintf(out, "#END_TB\n\n");
    }
}

static int write_xz(const char *from, const char *to)
{
    char buffer[65536];
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_add_filter_xz(a);
    archive_write_set_options(a, "xz:compression-level=1");
    archive_write_set_format_raw(a);
    archive_entry_set_filetype(entry, AE_IFREG);
    FILE *in = fopen(from, "rb");
    int ok = in != NULL && archive_write_open_filename(a, to) == ARCHIVE_OK &&
             archive_write_header(a, entry) == ARCHIVE_OK;
    for (size_t n; ok && (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        ok = archive_write_data(a, buffer, n) == (la_ssize_t)n;
    ok = archive_write_close(a) == ARCHIVE_OK && ok;
    archive_write_free(a);
    archive_entry_free(entry);
    if (in != NULL)
        fclose(in);
    return ok ? 0 : -1;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int measure(const char *label, const char *path)
{
    struct error err = {0};
    struct trace_block *block;
    uint64_t insts = 0;
    double start = cpu_seconds();
    struct trace_kernel *kernel = trace_kernel_open(path, NULL, &err);
    while (kernel != NULL && trace_kernel_next_block(kernel, &block, &err) == 1) {
        for (uint32_t w = 0; w < block->warp_count; w++)
            insts += block->warps[w].total;
        trace_block_release(block);
    }
    trace_kernel_close(kernel);
    if (err.kind != ERROR_NONE) {
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    double seconds = cpu_seconds() - start;
    printf("%-24s %8.0f k warp inst/s  (%lu instructions)\n", label,
           (double)insts / seconds / 1e3, (unsigned long)insts);
    return 0;
}

/* Measures the trace in PATH, and XZ made of it unless that is NULL. */
static int run(const char *label, enum mode mode, const char *path, const char *xz)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return -1;
    print_trace(out, mode);
    if (fclose(out) != 0 || measure(label, path) != 0)
        return -1;
    if (xz == NULL)
        return 0;
    return write_xz(path, xz) != 0 ? -1 : measure("the same, .xz", xz);
}

int main(void)
{
    const char *base = getenv("TMPDIR");
    char folder[4096], path[4200], xz[4300];
    snprintf(folder, sizeof folder, "%s/hearth-bench-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/bench.traceg", folder);
    snprintf(xz, sizeof xz, "%s.xz", path);
    int rc = run("stride and delta lines", COMPRESSED, path, xz);
    if (rc == 0)
        rc = run("list-all lines", LIST_ALL, path, NULL);
    remove(path);
    remove(xz);
    rmdir(folder);
    return rc == 0 ? 0 : 1;
}
