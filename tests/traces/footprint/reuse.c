/* Reuse: small chains of launches worked out by hand, and random ones against
 * plain arrays. */
#include <stdio.h>
#include <string.h>

#include "tests/traces/footprint/follow.h"
#include "traces/footprint/copied.h"

#define BASE UINT64_C(0x7f1000000000)

/* ---- reuse ------------------------------------------------------------- */

/* N lines of 4-byte words from OFFSET on. */
static void load_lines(char text[4096], uint64_t offset, int n)
{
    *text = '\0';
    for (int i = 0; i < n; i++)
        sprintf(text + strlen(text), "%x ffffffff 1 R1 LDG.E 1 R2 4 1 0x%lx 4\n", 16 * i,
                (unsigned long)(0x7f1000000000 + offset + 128 * (uint64_t)i));
}

static struct trace_footprint follow_lines(struct trace_reuse *reuse, uint64_t offset, int n)
{
    char lines[4096], count[8];
    load_lines(lines, offset, n);
    sprintf(count, "%d", n);
    return follow(reuse, count, lines);
}

/* M1 = 8 lines, M2 = 4 of which 1 is of M1, M3 = 2 of M2, M4 = none of M3. */
START_TEST(consecutive)
{
    struct trace_reuse *reuse = create(0);
    struct trace_footprint f1 = follow_lines(reuse, 0, 8);
    ck_assert_uint_eq(f1.lines.shared + f1.sectors.shared + f1.shared_addresses, 0);
    struct trace_footprint f2 = follow_lines(reuse, 7 * 128, 4);
    ck_assert_uint_eq(f2.lines.shared, 1);
    ck_assert_uint_eq(f2.sectors.shared, 4);
    ck_assert_uint_eq(f2.shared_addresses, 32);
    struct trace_footprint f3 = follow_lines(reuse, 9 * 128, 2);
    ck_assert_uint_eq(f3.shared_addresses, 64);
    struct trace_footprint f4 = follow_lines(reuse, 0, 1);
    ck_assert_uint_eq(f4.lines.shared + f4.sectors.shared + f4.shared_addresses, 0);
    /* The same sectors by other addresses. */
    struct trace_footprint f5 =
        follow(reuse, "1", "0 0000ffff 1 R1 LDG.E.U16 1 R2 2 1 0x7f1000000002 8");
    ck_assert_uint_eq(f5.sectors.shared, 4);
    ck_assert_uint_eq(f5.addresses, 16);
    ck_assert_uint_eq(f5.shared_addresses, 0);
    trace_reuse_destroy(reuse);
}
END_TEST

static void assert_source(const struct trace_footprint *footprint, size_t i, bool copy,
                          uint32_t distance, uint64_t sectors, uint64_t lines, uint64_t copied)
{
    ck_assert_uint_lt(i, footprint->source_count);
    const struct trace_reuse_source *source = &footprint->sources[i];
    ck_assert_int_eq(source->copy, copy);
    ck_assert_uint_eq(source->distance, distance);
    ck_assert_uint_eq(source->sectors, sectors);
    ck_assert_uint_eq(source->newer_lines, lines);
    ck_assert_uint_eq(source->newer_copied, copied);
}

START_TEST(distances)
{
    struct trace_reuse *reuse = create(0);
    follow_lines(reuse, 0, 4);                            /* 1: A B C D */
    follow_lines(reuse, 4 * 128, 2);                      /* 2: E F */
    follow_lines(reuse, 3 * 128, 1);                      /* 3: D */
    struct trace_footprint f = follow_lines(reuse, 0, 8); /* 4: A to H */
    ck_assert_uint_eq(f.source_count, 3);
    assert_source(&f, 0, false, 1, 4, 0, 0);  /* D */
    assert_source(&f, 1, false, 2, 8, 1, 0);  /* E F; D is newer */
    assert_source(&f, 2, false, 3, 12, 3, 0); /* A B C; D E F are newer */
    ck_assert_uint_eq(f.reused, 24);
    ck_assert_uint_eq(f.copied, 0);
    ck_assert_uint_eq(f.sectors.all, 32); /* G and H are nobody's */
    struct trace_reuse_totals totals;
    trace_reuse_totals(reuse, &totals);
    ck_assert_uint_eq(totals.launches, 4);
    ck_assert_uint_eq(totals.lines, 8);
    ck_assert_uint_eq(totals.sectors, 32);
    trace_reuse_destroy(reuse);
}
END_TEST

START_TEST(copies)
{
    struct error err = {0};
    struct trace_reuse *reuse = create(0);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE, 4 * 128, &err), 0); /* A to D */
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE, 0, &err), 0);
    follow_lines(reuse, 2 * 128, 4); /* 1: C to F */
    /* Of C the second sector and a byte of the third. */
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE + 2 * 128 + 32, 33, &err), 0);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE + (1 << 20), 130, &err), 0);
    struct trace_footprint f = follow_lines(reuse, 0, 8); /* 2: A to H */
    ck_assert_uint_eq(f.source_count, 3);
    assert_source(&f, 0, true, 0, 2, 0, 0);
    assert_source(&f, 1, false, 1, 14, 0, 3);
    assert_source(&f, 2, true, 1, 8, 4, 3);
    ck_assert_uint_eq(f.lines.shared, 4); /* whoever wrote them since */
    ck_assert_uint_eq(f.reused, 14);
    ck_assert_uint_eq(f.copied, 10);
    f = follow_lines(reuse, 0, 4); /* 3: the launch has touched what was copied */
    ck_assert_uint_eq(f.source_count, 1);
    assert_source(&f, 0, false, 1, 16, 0, 0);
    /* All there is. */
    ck_assert_int_eq(trace_reuse_copy(reuse, 0, UINT64_MAX, &err), 0);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE, UINT64_MAX, &err), 0);
    f = follow_lines(reuse, 0, 4);
    assert_source(&f, 0, true, 0, 16, 0, 0);
    trace_reuse_destroy(reuse);
}
END_TEST

static void expect_unwritten(struct trace_reuse *reuse, const uint64_t *sectors, size_t count)
{
    size_t found;
    const uint64_t *unwritten = trace_reuse_unwritten(reuse, &found);
    ck_assert_uint_eq(found, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(unwritten[i], BASE / 32 + sectors[i]);
}

/* What a launch reads before anybody has touched it: in ascending order, and only once. */
START_TEST(read_before_written)
{
    struct error err = {0};
    struct trace_reuse *reuse = create(0);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE + 32, 33, &err), 0);
    /* Sectors 4 to 7, written first; 8 to 11, then 0 to 3, of which two were copied; an atomic,
     * 12; local memory. */
    follow(reuse, "6",
           "0 ffffffff 0 STG.E 1 R2 4 1 0x7f1000000080 4\n"
           "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000080 4\n"
           "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000100 4\n"
           "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 4\n"
           "0 00000001 0 RED.E.ADD 1 R2 4 1 0x7f1000000180 4\n"
           "0 ffffffff 1 R1 LDL 1 R2 4 1 0x40 0\n");
    expect_unwritten(reuse, (uint64_t[]){0, 3, 8, 9, 10, 11, 12}, 7);
    /* Of 12 to 15, one has been touched; nobody asks who wrote the others of the atomic's. */
    follow(reuse, "1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000180 4\n");
    expect_unwritten(reuse, (uint64_t[]){13, 14, 15}, 3);
    follow(reuse, "1", "0 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000180 4\n");
    expect_unwritten(reuse, NULL, 0);
    trace_reuse_destroy(reuse);
    /* Without the option none are kept. */
    reuse = trace_reuse_create(NULL, &err);
    ck_assert_ptr_nonnull(reuse);
    follow_lines(reuse, 0, 1);
    expect_unwritten(reuse, NULL, 0);
    trace_reuse_destroy(reuse);
}
END_TEST

/* Ranges against an array, with all overlaps that a short space has. */
START_TEST(ranges_of_copies)
{
    enum { SPACE = 24 };
    struct copied copied = {0};
    uint32_t last[SPACE] = {0}, state = 1;
    for (uint32_t epoch = 1; epoch < 3000; epoch++) {
        state = state * 1664525 + 1013904223;
        uint32_t first = (state >> 8) % SPACE, length = (state >> 20) % 6 + 1;
        uint32_t end = first + length < SPACE ? first + length : SPACE;
        ck_assert_int_eq(copied_add(&copied, first, end - 1, epoch), 0);
        for (uint32_t i = first; i < end; i++)
            last[i] = epoch;
        for (uint32_t i = 0; i < SPACE; i++) {
            uint32_t at = epoch % 2 ? i : SPACE - 1 - i;
            ck_assert_uint_eq(copied_find(&copied, at), last[at]);
        }
        ck_assert_uint_le(copied.count, SPACE);
    }
    copied_finish(&copied);
}
END_TEST

/* ---- how far back ------------------------------------------------------ */

static uint32_t back(const struct trace_footprint *footprint, double percentile,
                     uint64_t capacity, bool copies_fill)
{
    const struct trace_reuse_limits limits = {percentile, capacity, copies_fill};
    return trace_reuse_back(footprint->sources, footprint->source_count, &limits);
}

START_TEST(how_far_back)
{
    /* 40 % from the launch before, 30 % from two before, 30 % from nine before; the
     * copy counts for nobody. */
    static const struct trace_reuse_source sources[] = {{true, 0, 500, 0, 0},
                                                        {false, 1, 40, 0, 64},
                                                        {false, 2, 30, 1000, 64},
                                                        {true, 5, 77, 1500, 1000},
                                                        {false, 9, 30, 5000, 1064}};
    const struct trace_footprint f = {.sources = sources, .source_count = 5};
    ck_assert_uint_eq(back(&f, 40, 0, false), 1);
    ck_assert_uint_eq(back(&f, 40.01, 0, false), 2);
    ck_assert_uint_eq(back(&f, 70, 0, false), 2);
    ck_assert_uint_eq(back(&f, 100, 0, false), 9);
    /* A cache of 5000 lines holds nothing of what is older. */
    ck_assert_uint_eq(back(&f, 100, 5001, false), 9);
    ck_assert_uint_eq(back(&f, 100, 5000, false), 2);
    ck_assert_uint_eq(back(&f, 57, 5000, false), 1); /* 40 of 70 */
    ck_assert_uint_eq(back(&f, 100, 1000, false), 1);
    ck_assert_uint_eq(back(&f, 100, 6064, true), 2);
    ck_assert_uint_eq(back(&f, 100, 6065, true), 9);
    ck_assert_uint_eq(back(&f, 100, 64, true), 0);
    ck_assert_uint_eq(trace_reuse_back(NULL, 0, &(struct trace_reuse_limits){100, 0, true}), 0);
}
END_TEST

/* ---- sectors written in part -------------------------------------------- */

/* A launch of 16 lanes with 8 bytes each, 16 apart: of the four sectors of a line half the
 * bytes, the other half with OFFSET 8. */
static struct trace_footprint follow_halves(struct trace_reuse *reuse, const char *inst,
                                            uint64_t line, int offset)
{
    char text[128];
    sprintf(text, "0 000000ff 0 %s.64 1 R2 8 1 0x%lx 16", inst,
            (unsigned long)(BASE + 128 * line + (uint64_t)offset));
    return follow(reuse, "1", text);
}

static void expect_parts(const struct trace_footprint *f, size_t i, uint32_t distance,
                         uint64_t sectors, uint64_t unready, uint64_t never, uint64_t made)
{
    ck_assert_uint_lt(i, f->source_count);
    ck_assert_uint_eq(f->sources[i].distance, distance);
    ck_assert_uint_eq(f->sources[i].sectors, sectors);
    ck_assert_uint_eq(f->sources[i].unready, unready);
    ck_assert_uint_eq(f->sources[i].never, never);
    ck_assert_uint_eq(f->sources[i].made, made);
}

START_TEST(written_in_part)
{
    struct trace_reuse *reuse = create(0);
    follow_lines(reuse, 0, 1);           /* 1: reads A */
    follow_halves(reuse, "STG.E", 0, 0); /* 2, 3: half of it */
    follow_halves(reuse, "STG.E", 0, 0);
    struct trace_footprint f = follow_halves(reuse, "LDG.E", 0, 8); /* 4: read since 1 */
    expect_parts(&f, 0, 1, 4, 4, 0, 0);
    expect_parts(&f, 1, 3, 0, 0, 0, 4);
    ck_assert_uint_eq(back(&f, 100, 0, false), 3);
    ck_assert_uint_eq(back(&f, 100, 1, false), 3); /* the line was last touched just before */
    f = follow_halves(reuse, "LDG.E", 0, 0);       /* 5: what was read has been fetched */
    expect_parts(&f, 0, 1, 4, 0, 0, 0);
    ck_assert_uint_eq(f.source_count, 1);
    follow_halves(reuse, "STG.E", 1, 0);     /* 6: half of B, */
    f = follow_halves(reuse, "LDG.E", 1, 0); /* 7: which has to be fetched */
    expect_parts(&f, 0, 1, 4, 0, 4, 0);
    ck_assert_uint_eq(f.source_count, 1);
    follow_halves(reuse, "STG.E", 2, 0); /* 8, 9: both halves of C */
    follow_halves(reuse, "STG.E", 2, 8);
    follow_halves(reuse, "STG.E", 2, 0);     /* 10: once more: 9 and 10 do as well */
    f = follow_halves(reuse, "LDG.E", 2, 0); /* 11 */
    expect_parts(&f, 0, 1, 4, 4, 0, 0);
    expect_parts(&f, 1, 2, 0, 0, 0, 4);
    ck_assert_uint_eq(back(&f, 100, 0, false), 2);
    trace_reuse_destroy(reuse);
}
END_TEST

/* Both halves in one launch, or a copy: whole. */
START_TEST(written_whole)
{
    struct error err = {0};
    struct trace_reuse *reuse = create(0);
    follow(reuse, "2",
           "0 000000ff 0 STG.E.64 1 R2 8 1 0x7f1000000000 16\n"
           "0 000000ff 0 STG.E.64 1 R2 8 1 0x7f1000000008 16");
    struct trace_footprint f = follow_halves(reuse, "LDG.E", 0, 0);
    expect_parts(&f, 0, 1, 4, 0, 0, 0);
    follow_halves(reuse, "STG.E", 1, 0);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE + 128, 128, &err), 0);
    f = follow_halves(reuse, "LDG.E", 1, 0);
    expect_parts(&f, 0, 0, 4, 0, 0, 0);
    ck_assert_int_eq(f.sources[0].copy, true);
    /* Copied, then written in part: whole since the copy. */
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE + 256, 128, &err), 0);
    follow_halves(reuse, "STG.E", 2, 8);
    f = follow_halves(reuse, "LDG.E", 2, 0);
    expect_parts(&f, 0, 1, 4, 4, 0, 0);
    expect_parts(&f, 1, 1, 0, 0, 0, 4);
    ck_assert_int_eq(f.sources[1].copy, true);
    trace_reuse_destroy(reuse);
}
END_TEST

/* ---- random launches against plain arrays ------------------------------ */

enum { BYTES = 1 << 14, SECTORS = BYTES / 32, LINES = BYTES / 128, LAUNCHES = 60 };

struct model {
    uint32_t state; /* of random numbers */
    uint32_t launch;
    /* When each byte began an access last, a sector and a line were touched last, read and
     * written; launches have even numbers, copies odd ones. */
    uint32_t address[BYTES], sector[SECTORS], copied[SECTORS], line[LINES];
    uint32_t read[SECTORS], written[SECTORS];
    uint64_t copied_lines[2 * LAUNCHES + 2];
    struct trace_touched sectors;
    uint64_t addresses, shared_addresses;
    uint64_t sources[2 * LAUNCHES + 2];
    bool unwritten[SECTORS]; /* read first in this launch, and never touched before */
};

static uint32_t draw(struct model *model, uint32_t below)
{
    model->state = model->state * 1664525 + 1013904223;
    return (model->state >> 8) % below;
}

static void touch(struct model *model, uint32_t address, uint32_t width, bool reads,
                  bool writes)
{
    uint32_t now = 2 * model->launch;
    if (model->address[address] != now) {
        model->addresses++;
        model->shared_addresses += model->launch > 1 && model->address[address] == now - 2;
    }
    model->address[address] = now;
    for (uint32_t s = address / 32; s <= (address + width - 1) / 32; s++) {
        uint32_t last = model->sector[s], copied = model->copied[s];
        if (last != now) {
            model->sectors.all++;
            model->sectors.shared += model->launch > 1 && last == now - 2;
            model->sources[copied > last ? copied : last]++;
            model->unwritten[s] = reads && last == 0 && copied == 0;
        }
        model->sectors.read += reads && model->read[s] != now;
        model->sectors.written += writes && model->written[s] != now;
        model->read[s] = reads ? now : model->read[s];
        model->written[s] = writes ? now : model->written[s];
        model->sector[s] = now;
    }
}

/* One random record, to the model and as text. */
static int record(struct model *model, char *text)
{
    static const struct {
        const char *name;
        bool reads, writes;
    } kinds[] = {{"LDG.E", true, false}, {"STG.E", false, true}, {"RED.E.ADD", true, true}};
    static const struct {
        const char *suffix;
        uint32_t width;
    } widths[] = {{".U8", 1}, {"", 4}, {".64", 8}, {".128", 16}};
    uint32_t kind = draw(model, 3), size = draw(model, 4), mask = draw(model, 1 << 24);
    uint32_t width = widths[size].width, form = draw(model, 2);
    int32_t stride = (int32_t)draw(model, 140) - 70;
    uint32_t region = draw(model, 4) * (BYTES / 4);
    int length = sprintf(text, "0 %08x 0 %s%s 1 R2 %u %u", mask, kinds[kind].name,
                         widths[size].suffix, width, form);
    for (uint32_t n = 0, left = mask; left != 0; left &= left - 1, n++) {
        uint32_t address = form == 0 ? draw(model, BYTES / 4 - 16) + region
                                     : (uint32_t)(BYTES / 2 + (int32_t)n * stride);
        touch(model, address, width, kinds[kind].reads, kinds[kind].writes);
        if (form == 0 || n == 0)
            length += sprintf(text + length, " 0x%lx", (unsigned long)(BASE + address));
    }
    return length + sprintf(text + length,
                            form == 0   ? "\n"
                            : mask == 0 ? " 0x0 0\n"
                                        : " %d\n",
                            stride);
}

static void copy_some(struct model *model, struct trace_reuse *reuse)
{
    struct error err = {0};
    for (uint32_t n = draw(model, 4) / 2; n > 0; n--) {
        uint32_t first = draw(model, BYTES), bytes = draw(model, 2000) + 1;
        uint32_t last = first + bytes - 1 < BYTES ? first + bytes - 1 : BYTES - 1;
        ck_assert_int_eq(trace_reuse_copy(reuse, BASE + first, last - first + 1, &err), 0);
        for (uint32_t s = first / 32; s <= last / 32; s++)
            model->copied[s] = 2 * model->launch - 1;
        model->copied_lines[2 * model->launch - 1] += last / 128 - first / 128 + 1;
    }
}

/* Lines that launches touched last after EPOCH. */
static uint64_t newer_lines(const struct model *model, const uint32_t *lines, uint32_t epoch)
{
    uint64_t newer = 0;
    for (uint32_t i = 0; i < LINES; i++)
        newer += lines[i] > epoch;
    return newer;
}

static void check_sources(const struct model *model, const struct trace_footprint *footprint,
                          const uint32_t *lines)
{
    size_t at = 0;
    uint64_t copied = 0;
    while (at < footprint->source_count && footprint->sources[at].sectors == 0)
        at++;
    for (uint32_t epoch = 2 * model->launch - 1; epoch > 0; epoch--) {
        if (model->sources[epoch] > 0) {
            uint32_t distance = model->launch - (epoch + 1) / 2;
            assert_source(footprint, at++, epoch % 2 == 1, distance, model->sources[epoch],
                          newer_lines(model, lines, epoch), copied);
        }
        copied += model->copied_lines[epoch];
        while (at < footprint->source_count && footprint->sources[at].sectors == 0)
            at++; /* who made sectors whole that others touched later */
    }
    ck_assert_uint_eq(at, footprint->source_count);
}

static void check_unwritten(const struct model *model, struct trace_reuse *reuse)
{
    size_t count, at = 0;
    const uint64_t *sectors = trace_reuse_unwritten(reuse, &count);
    for (uint32_t s = 0; s < SECTORS; s++) {
        if (!model->unwritten[s])
            continue;
        ck_assert_uint_lt(at, count);
        ck_assert_uint_eq(sectors[at++], BASE / 32 + s);
    }
    ck_assert_uint_eq(at, count);
}

static void random_launch(struct model *model, struct trace_reuse *reuse)
{
    char text[32 * 700], count[12];
    uint32_t records = draw(model, 32), lines[LINES], length = 0;
    model->launch++;
    copy_some(model, reuse);
    memset(model->sources, 0, sizeof model->sources);
    memset(&model->sectors, 0, sizeof model->sectors);
    memset(model->unwritten, 0, sizeof model->unwritten);
    model->addresses = model->shared_addresses = 0;
    memset(lines, 0, sizeof lines);
    for (uint32_t s = 0; s < SECTORS; s++)
        if (model->sector[s] > lines[s / 4])
            lines[s / 4] = model->sector[s];
    text[0] = '\0';
    for (uint32_t i = 0; i < records; i++)
        length += (uint32_t)record(model, text + length);
    sprintf(count, "%u", records);
    struct trace_footprint footprint = follow(reuse, count, text);
    ck_assert_mem_eq(&footprint.sectors, &model->sectors, sizeof model->sectors);
    ck_assert_uint_eq(footprint.addresses, model->addresses);
    ck_assert_uint_eq(footprint.shared_addresses, model->shared_addresses);
    check_sources(model, &footprint, lines);
    check_unwritten(model, reuse);
}

START_TEST(random_launches)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct model *model = calloc(1, sizeof *model);
        struct trace_reuse *reuse = create(0);
        model->state = seed;
        for (int i = 0; i < LAUNCHES; i++)
            random_launch(model, reuse);
        trace_reuse_destroy(reuse);
        free(model);
    }
}
END_TEST

/* ---- records whose lanes may do nothing --------------------------------- */

static bool is_load(void *data, uint32_t pc)
{
    (*(int *)data)++;
    return pc == 0x10;
}

/* What launches touch, and what only records at PC 0x10 access: COUNT sectors from FIRST on. */
static void assert_unsure(struct trace_reuse *reuse, const char *count, const char *lines,
                          uint64_t touched, uint64_t first, size_t sectors)
{
    size_t n;
    ck_assert_uint_eq(follow(reuse, count, lines).sectors.all, touched);
    const uint64_t *unsure = trace_reuse_unsure(reuse, &n);
    ck_assert_uint_eq(n, sectors);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(unsure[i], (BASE + first) / 32 + i);
}

START_TEST(unsure)
{
    struct error err = {0};
    int asked = 0;
    struct trace_reuse *reuse = trace_reuse_create(
        &(struct trace_reuse_options){.unsure = is_load, .unsure_data = &asked}, &err);
    ck_assert_ptr_nonnull(reuse);
    ck_assert_int_eq(trace_reuse_copy(reuse, BASE, 64, &err), 0);
    const char *load = "10 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 8\n",
               *both = "10 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000000000 8\n"
                       "20 0000ffff 0 STG.E 2 R2 R1 4 1 0x7f1000000040 4\n";
    assert_unsure(reuse, "1", load, 0, 64, 6); /* of 8, the copy has 2 */
    assert_unsure(reuse, "1", load, 0, 64, 6); /* still nobody's */
    assert_unsure(reuse, "2", both, 2, 128, 4);
    assert_unsure(reuse, "1", load, 0, 128, 4);
    ck_assert_int_eq(asked, 5);
    trace_reuse_destroy(reuse);
}
END_TEST

/* More sectors than there is room for at first, each four times. */
START_TEST(many_unsure)
{
    enum { RECORDS = 4000 };
    struct error err = {0};
    int asked = 0;
    struct trace_reuse *reuse = trace_reuse_create(
        &(struct trace_reuse_options){.unsure = is_load, .unsure_data = &asked}, &err);
    char *lines = malloc(RECORDS * 80), *at = lines;
    for (uint64_t i = 0; i < RECORDS; i++)
        at += sprintf(at, "10 ffffffff 1 R1 LDG.E 1 R2 4 1 0x%lx 32\n",
                      (unsigned long)(BASE + 1024 * (i * 7 % (RECORDS / 4))));
    assert_unsure(reuse, "4000", lines, 0, 0, 32 * RECORDS / 4);
    free(lines);
    trace_reuse_destroy(reuse);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {consecutive,      distances,     copies,
                                  ranges_of_copies, how_far_back,  random_launches,
                                  written_in_part,  written_whole, read_before_written,
                                  unsure,           many_unsure};
    return RUN_TESTS("reuse", tests);
}
