/* What the bytes of tensor maps say. */
#include "tracer/maps/tensor_map.h"

#include <stdio.h>

#include "tests/tracer/support.h"
#include "traces/traces.h"

/* Notes of maps that a driver (580.159) made: all types, ranks and fields. Others can be named
 * in the environment. */
static FILE *driver_maps(void)
{
    const char *path = getenv("TENSOR_MAPS");
    FILE *file = fopen(path != NULL ? path : SOURCE_ROOT "/tests/tracer/tensor_maps.txt", "r");
    ck_assert_ptr_nonnull(file);
    return file;
}

/* Reads the next one of FILE into LINE, and its bytes. Returns whether there is one. */
static bool read_note(FILE *file, char line[1024], struct trace_tensor_map *map)
{
    if (fgets(line, 1024, file) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    ck_assert_msg(trace_note_tensor_map(line, map), "%s", line);
    return true;
}

START_TEST(maps_of_the_driver)
{
    FILE *file = driver_maps();
    struct trace_tensor_map map;
    struct tensor_map_note note;
    char line[1024];
    unsigned count = 0;
    for (; read_note(file, line, &map); count++) {
        ck_assert_msg(tensor_map_decode(map.bytes, sizeof map.bytes, &note), "%s", line);
        ck_assert_mem_eq(note.bytes, map.bytes, sizeof note.bytes);
        ck_assert_str_eq(note.text, line);
    }
    fclose(file);
    ck_assert_uint_ge(count, 40);
}
END_TEST

/* What the driver writes there, or zeros; only cuBLAS's maps may lack it. */
START_TEST(second_halves)
{
    FILE *file = driver_maps();
    struct trace_tensor_map map;
    struct tensor_map_note note;
    char line[1024];
    while (read_note(file, line, &map)) {
        ck_assert(!tensor_map_decode(map.bytes, TENSOR_MAP_SHORT, &note));
        memset(map.bytes + TENSOR_MAP_SHORT, 0, TENSOR_MAP_SHORT);
        ck_assert(tensor_map_decode(map.bytes, sizeof map.bytes, &note));
        for (size_t at = TENSOR_MAP_SHORT; at < sizeof map.bytes; at++) {
            map.bytes[at] = 0x83;
            ck_assert(!tensor_map_decode(map.bytes, sizeof map.bytes, &note));
            map.bytes[at] = 0;
        }
    }
    fclose(file);
}
END_TEST

/* From the parameters of a product of 256 x 256 matrices of FP16 by cuBLAS (nvjet) on an H100:
 * a map, and the next slot, which has only an address. */
static const uint32_t cublas[TENSOR_MAP_BYTES / 4] = {
    0x9de20000, 0x7fca, 0x46322, 0x20, 0,          0x10000000, 0, 0,          0xff,
    0xff,       0,      0,       0,    0x3f000000, 0xf,        0, 0x9de20000, 0x7fca};

START_TEST(short_maps)
{
    struct tensor_map_note note, again;
    ck_assert(tensor_map_decode(cublas, sizeof cublas, &note));
    ck_assert_mem_eq(note.bytes, cublas, TENSOR_MAP_SHORT);
    for (size_t at = TENSOR_MAP_SHORT; at < sizeof note.bytes; at++)
        ck_assert_uint_eq(note.bytes[at], 0);
    ck_assert_str_eq(strstr(note.text, " tiled"),
                     " tiled type=6 address=0x00007fca9de20000 dims=256,256,1 strides=512,0 "
                     "steps=1,1,1 box=64,16,1 interleave=0 swizzle=3 promotion=2 fill=0");
    ck_assert(tensor_map_decode(cublas, TENSOR_MAP_SHORT, &again)); /* at the end */
    ck_assert_str_eq(again.text, note.text);
}
END_TEST

static bool is_map(const uint32_t *words)
{
    struct tensor_map_note note;
    return tensor_map_decode(words, TENSOR_MAP_BYTES, &note);
}

/* Whether the map of cuBLAS with WORD instead is still one. */
static bool is_map_with(size_t place, uint32_t word)
{
    uint32_t words[TENSOR_MAP_BYTES / 4];
    memcpy(words, cublas, sizeof words);
    words[place] = word;
    return is_map(words);
}

START_TEST(other_bytes)
{
    struct tensor_map_note note;
    uint32_t words[TENSOR_MAP_BYTES / 4] = {0};
    ck_assert(!is_map(words));
    words[0] = 0x9de20000; /* an address alone */
    words[1] = 0x7fca;
    ck_assert(!is_map(words));
    ck_assert(!tensor_map_decode(cublas, TENSOR_MAP_SHORT - 1, &note));
    ck_assert(!tensor_map_decode(cublas, 0, &note));
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
            state = state * 6364136223846793005 + 1442695040888963407;
            words[j] = (uint32_t)(state >> 32);
        }
        ck_assert(!is_map(words));
    }
}
END_TEST

START_TEST(damaged_maps)
{
    static const struct {
        size_t place;
        uint32_t word;
    } wrong[] = {
        {0, 0x9de20008},  /* an address that is not aligned */
        {2, 0x46326},     /* reserved bits */
        {2, 0x80046322},  /* likewise */
        {2, 0x467a2},     /* no type: code 15 */
        {2, 0x56322},     /* no type: code 6 with the high bit */
        {2, 0x46372},     /* eight dimensions */
        {2, 0x47b22},     /* an unknown interleave */
        {2, 0x42322},     /* a box of more bytes than the swizzle has */
        {2, 0x4e0a2},     /* NaN of integers */
        {2, 0x46302},     /* one dimension, but more numbers */
        {7, 0x100},       /* a stride after the last dimension */
        {11, 1},          /* elements in a fourth dimension */
        {13, 0x3e000000}, /* a box whose rows are not multiples of 16 bytes */
        {13, 0x3f000200}, /* a step in a fourth dimension */
        {14, 0x1000f},    /* a box in a fourth dimension */
        {14, 0xffff},     /* a box that does not fit in shared memory */
        {15, 1},          /* pixels */
    };
    ck_assert(is_map_with(2, 0x46322));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!is_map_with(wrong[i].place, wrong[i].word), "%zu", i);
    ck_assert(!is_map_with(2, 0x46320)); /* a short one that is not cuBLAS's */
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {maps_of_the_driver, second_halves, short_maps, other_bytes,
                                  damaged_maps};
    return RUN_TESTS("tensor maps", tests);
}
