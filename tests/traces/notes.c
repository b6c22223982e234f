/* The tracer's comments in lists. */
#include "traces/notes/note_places.h"
#include <stdio.h>
#include <string.h>

#include "tests/traces/support.h"

#define LAUNCH "# launch 7 dynamic=512 cluster=2,1,1 cooperative=1 carveout=-1"

START_TEST(kinds)
{
    ck_assert_int_eq(trace_note_kind(LAUNCH), TRACE_NOTE_LAUNCH);
    ck_assert_int_eq(trace_note_kind("# waits f 0000 0010"), TRACE_NOTE_WAIT);
    ck_assert_int_eq(trace_note_kind("# copy to 0x1 from 0x2 3"), TRACE_NOTE_COPY);
    ck_assert_int_eq(trace_note_kind("# set 0x1 2"), TRACE_NOTE_SET);
    ck_assert_int_eq(trace_note_kind("# written 0x1 2"), TRACE_NOTE_WRITTEN);
    ck_assert_int_eq(trace_note_kind("# write 0x1 2"), TRACE_NOTE_OTHER);
    ck_assert_int_eq(trace_note_kind("# launch"), TRACE_NOTE_OTHER);
    ck_assert_int_eq(trace_note_kind("# launched 1"), TRACE_NOTE_OTHER);
    ck_assert_int_eq(trace_note_kind("#launch 1"), TRACE_NOTE_OTHER);
    ck_assert_int_eq(trace_note_kind(""), TRACE_NOTE_OTHER);
}
END_TEST

START_TEST(launches)
{
    struct trace_launch_facts facts;
    ck_assert(trace_note_launch(LAUNCH, &facts));
    ck_assert_uint_eq(facts.launch, 7);
    ck_assert_uint_eq(facts.dynamic_shmem, 512);
    ck_assert_uint_eq(facts.cluster[0], 2);
    ck_assert_uint_eq(facts.cluster[2], 1);
    ck_assert(facts.cooperative);
    ck_assert_int_eq(facts.carveout, -1);
    ck_assert_int_eq(facts.programmatic, -1);
    ck_assert(trace_note_launch(LAUNCH " programmatic=1", &facts));
    ck_assert_int_eq(facts.programmatic, 1);
    ck_assert(trace_note_launch(LAUNCH " programmatic=0 maps=0:1", &facts));
    ck_assert_int_eq(facts.programmatic, 0);
    ck_assert(trace_note_launch(LAUNCH, &facts));
    ck_assert(!facts.has_window);
    ck_assert_uint_eq(facts.map_count, 0);
    ck_assert(trace_note_launch(LAUNCH
                                " window=0x00007f4000000000,65536,0.750,2,1 persisting=99"
                                " maps=48:2,304:1",
                                &facts));
    ck_assert(facts.has_window);
    ck_assert_uint_eq(facts.window.address, 0x7f4000000000);
    ck_assert_uint_eq(facts.window.bytes, 65536);
    ck_assert_double_eq(facts.window.hit_ratio, 0.75);
    ck_assert_uint_eq(facts.window.hit, 2);
    ck_assert_uint_eq(facts.window.miss, 1);
    ck_assert_uint_eq(facts.window.persisting, 99);
    ck_assert_uint_eq(facts.map_count, 2);
    ck_assert_uint_eq(facts.maps[1].offset, 304);
    ck_assert_uint_eq(facts.maps[1].number, 1);
}
END_TEST

START_TEST(launches_that_make_no_sense)
{
    static const char *const wrong[] = {
        "# launch x dynamic=512 cluster=2,1,1 cooperative=1 carveout=-1",
        "# launch 7 dynamic=4294967296 cluster=2,1,1 cooperative=1 carveout=-1",
        "# launch 7 dynamic=512 cluster=2,1 cooperative=1 carveout=-1",
        "# launch 7 dynamic=512 cluster=2,1,1,1 cooperative=1 carveout=-1",
        "# launch 7 dynamic=512 cluster=2,1,1 cooperative=2 carveout=-1",
        "# launch 7 dynamic=512 cluster=2,1,1 cooperative=1 carveout=",
        LAUNCH " programmatic=2",
        LAUNCH " programmatic=",
        "# launch 7 dynamic=512 cluster=2,1,1 cooperative=1 carveout=-4294967296",
        LAUNCH " window=0x1,2,0.5,3,1 persisting=1",
        LAUNCH " window=0x1,2,0.5,1",
        LAUNCH " window=0x1,2,0.5,1,1",
        LAUNCH " maps=",
        LAUNCH " maps=1",
        LAUNCH " maps=1:0",
        "# launch ",
    };
    struct trace_launch_facts facts;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!trace_note_launch(wrong[i], &facts), "%s", wrong[i]);
}
END_TEST

START_TEST(more_maps_than_are_kept)
{
    char line[1024] = LAUNCH " maps=";
    struct trace_launch_facts facts;
    for (int i = 0; i < 40; i++)
        sprintf(line + strlen(line), "%s%d:%d", i > 0 ? "," : "", 64 * i, i + 1);
    ck_assert(trace_note_launch(line, &facts));
    ck_assert_uint_eq(facts.map_count, TRACE_NOTE_MOST_MAPS);
    ck_assert_uint_eq(facts.maps[31].number, 32);
}
END_TEST

/* One address fits several bases; two that are as far apart as two maps do not. */
START_TEST(places_of_maps)
{
    struct trace_launch_facts facts;
    uint64_t base, addresses[] = {0x7f0000000340, 0x7f0000000240};
    ck_assert(trace_note_launch(LAUNCH " maps=48:2,304:1", &facts));
    ck_assert(!trace_note_map_base(&facts, addresses, 1, &base));
    ck_assert(trace_note_map_base(&facts, addresses, 2, &base));
    ck_assert_uint_eq(base, 0x7f0000000210);
    addresses[1] -= 64;
    ck_assert(!trace_note_map_base(&facts, addresses, 2, &base));
    ck_assert(!trace_note_map_base(&facts, addresses, 0, &base));
    facts.map_count = 1;
    ck_assert(trace_note_map_base(&facts, addresses, 1, &base));
    ck_assert_uint_eq(base, 0x7f0000000310);
}
END_TEST

#define ZEROS "00000000000000000000000000000000" /* 16 bytes */
#define MAP                                                                                    \
    "# tensormap ef" ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS "00000000000000000000000000001" \
    "2"
#define TENSOR  " type=6 address=0x00007f4000000000 dims=128,64,3 strides=256,16384 steps=1,1,2"
#define CHOICES " interleave=0 swizzle=3 promotion=2 fill=1"

START_TEST(tiled_maps)
{
    struct trace_tensor_map map;
    ck_assert(trace_note_tensor_map(MAP " tiled" TENSOR " box=64,8,3" CHOICES, &map));
    ck_assert_uint_eq(map.bytes[0], 0xef);
    ck_assert_uint_eq(map.bytes[127], 0x12);
    ck_assert(!map.im2col);
    ck_assert_uint_eq(map.type, 6);
    ck_assert_uint_eq(map.address, 0x7f4000000000);
    ck_assert_uint_eq(map.rank, 3);
    ck_assert_uint_eq(map.dims[2], 3);
    ck_assert_uint_eq(map.strides[0], 2);
    ck_assert_uint_eq(map.strides[2], 16384);
    ck_assert_uint_eq(map.steps[2], 2);
    ck_assert_uint_eq(map.box[1], 8);
    ck_assert_uint_eq(map.swizzle, 3);
    ck_assert_uint_eq(map.promotion, 2);
    ck_assert_uint_eq(map.fill, 1);
    ck_assert_uint_eq(trace_tensor_map_element(&map), 2);
    ck_assert_uint_eq(trace_tensor_map_bytes(&map), 2 * 64 * 8 * 2);
    map.type = 13; /* 4 bits */
    ck_assert_uint_eq(trace_tensor_map_element(&map), 0);
}
END_TEST

/* Maps of launches by their numbers in the list, in whatever order these are. */
START_TEST(maps_of_launches)
{
    static struct trace_launch_maps maps;
    struct note_places places = {0};
    const char *const lines[] = {
        MAP " tiled" TENSOR " box=64,8,3" CHOICES,
        MAP " tiled" TENSOR " box=32,8,3" CHOICES,
        LAUNCH " maps=64:2,192:1",
        "# launch 9 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1",
        "# launch 8 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 maps=0:3",
        "# launch 5 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 maps=0:1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert(note_places_add(&places, lines[i]));
    ck_assert(note_places_maps(&places, 7, &maps));
    ck_assert_uint_eq(maps.count, 2);
    ck_assert_uint_eq(maps.maps[0].offset, 64);
    ck_assert_uint_eq(maps.maps[0].map.box[0], 32);
    ck_assert_uint_eq(maps.maps[1].map.box[0], 64);
    ck_assert(note_places_maps(&places, 5, &maps));
    ck_assert(!note_places_maps(&places, 9, &maps)); /* has none */
    ck_assert(!note_places_maps(&places, 8, &maps)); /* the list has no third one */
    ck_assert_int_eq(note_places_programmatic(&places, 9), -1);
    ck_assert(note_places_add(
        &places,
        "# launch 6 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 programmatic=1"));
    ck_assert_int_eq(note_places_programmatic(&places, 6), 1);
    ck_assert_int_eq(note_places_programmatic(&places, 9), 0);
    note_places_finish(&places);
}
END_TEST

#define IMAGE                                                                                  \
    " im2col type=7 address=0x7f40 dims=128,64,3,2 strides=256,16384,49152 steps=1,1,1,1 "     \
    "lower=-1,-2 upper=0,1"

START_TEST(im2col_maps)
{
    struct trace_tensor_map map;
    ck_assert(trace_note_tensor_map(MAP IMAGE " channels=64 pixels=32" CHOICES, &map));
    ck_assert(map.im2col);
    ck_assert_int_eq(map.lower[1], -2);
    ck_assert_int_eq(map.upper[1], 1);
    ck_assert_uint_eq(map.channels, 64);
    ck_assert_uint_eq(trace_tensor_map_bytes(&map), 64 * 32 * 4);
}
END_TEST

START_TEST(maps_that_make_no_sense)
{
    static const char *const wrong[] = {
        "# tensormap 12 tiled" TENSOR " box=64,8,3" CHOICES,
        MAP " tiled" TENSOR " box=64,8" CHOICES,
        MAP " tiled" TENSOR CHOICES,
        MAP " other" TENSOR " box=64,8,3" CHOICES,
        MAP " im2col" TENSOR " box=64,8,3" CHOICES,
        MAP " tiled" TENSOR " box=64,8,3 interleave=0",
        MAP " tiled type=6 address=0x1 dims=1,2,3,4,5,6 steps=1 box=1" CHOICES,
        /* what CUDA refuses */
        MAP " tiled" TENSOR " box=64,257,3" CHOICES,
        MAP " tiled" TENSOR " box=64,4294967295,3" CHOICES,
        MAP " tiled" TENSOR " box=64,0,3" CHOICES,
        MAP " tiled type=6 address=0x1 dims=1,2 strides=16 steps=1,0 box=1,1" CHOICES,
        MAP " tiled type=6 address=0x1 dims=1,2 strides=16 steps=1,9 box=1,1" CHOICES,
        MAP " tiled type=6 address=0x1 dims=1,4294967297 strides=16 steps=1,1 box=1,1" CHOICES,
        MAP " tiled type=6 address=0x1 dims=1,0 strides=16 steps=1,1 box=1,1" CHOICES,
        MAP
        " tiled type=6 address=0x1 dims=1,2 strides=0x10000000000 steps=1,1 box=1,1" CHOICES,
        MAP IMAGE " channels=64 pixels=4294967295" CHOICES,
        MAP IMAGE " channels=64 pixels=1025" CHOICES,
        MAP IMAGE " channels=257 pixels=32" CHOICES,
        MAP IMAGE " channels=64 pixels=0" CHOICES,
        MAP,
        "# tensormap ",
    };
    struct trace_tensor_map map;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!trace_note_tensor_map(wrong[i], &map), "%s", wrong[i]);
}
END_TEST

START_TEST(waiting_loops)
{
    struct trace_wait wait;
    ck_assert(trace_note_wait("# waits _Z1kPf 0120 1a40", &wait));
    ck_assert_uint_eq(wait.length, 6);
    ck_assert_int_eq(strncmp(wait.function, "_Z1kPf", 6), 0);
    ck_assert_uint_eq(wait.first, 0x120);
    ck_assert_uint_eq(wait.last, 0x1a40);
    ck_assert(!trace_note_wait("# waits _Z1kPf 0120", &wait));
    ck_assert(!trace_note_wait("# waits _Z1kPf 0120 0110", &wait));
    ck_assert(!trace_note_wait("# waits _Z1kPf 0120 0130 1", &wait));
    ck_assert(!trace_note_wait("# waits ", &wait));
}
END_TEST

static const struct {
    const char *line;
    uint64_t address, bytes;
} writes[] = {
    {"# copy to 0x00007f4000001000 from 0x00007f4000000000 256", 0x7f4000001000, 256},
    {"# set 0x00007f4000000000 4096", 0x7f4000000000, 4096},
    {"# written 0x00007f4000000020 96", 0x7f4000000020, 96},
    {"# copy to 4096 from 0 0x20", 4096, 32},
    {"# set 65536 16", 65536, 16},
    {"# set 0100 010", 100, 10},
    {"# written 65536 0x10", 65536, 16},
    {"# set 0x10 0", 0x10, 0},
    {"# set 0xffffffffffffff00 255", 0xffffffffffffff00, 255}, /* as far as there is memory */
    {"# written 0x10 32\r", 0x10, 32},
    {"# set 0x400 16 \t\r", 0x400, 16},
};

START_TEST(what_was_written)
{
    uint64_t address, bytes;
    ck_assert_msg(trace_note_written(writes[_i].line, &address, &bytes), "%s", writes[_i].line);
    ck_assert_uint_eq(address, writes[_i].address);
    ck_assert_uint_eq(bytes, writes[_i].bytes);
}
END_TEST

/* Several pieces, arrays, other notes, and what does not make sense. */
START_TEST(what_does_not_say_what_was_written)
{
    static const char *const others[] = {
        "# copy to 0x400 from 0x10010 2048 row=256 rows=8,1 pitch=512,256 plane=0,0",
        "# copy to array from 0x400 2048",
        "# copy to 0x400 from array 384",
        "# copy to array from array 384",
        "# set 0x7f4000000000 400 row=100 rows=4 pitch=512",
        "# managed 0x10 64",
        "# launch 7 dynamic=512 cluster=2,1,1 cooperative=1 carveout=-1",
        "# copy to 0x400 from 0x500",
        "# copy to 0x400 16",
        "# copy 0x400 from 0x500 16",
        "# copy from 0x400 to 0x500 16",
        "# copy to 0x400 from0x500 16",
        "# copy to0x400 from 0x500 16",
        "# set 0x400",
        "# set",
        "# set ",
        "# set to 5 in the loop",
        "# set -1 16",
        "# set 0x400 -1",
        "# set 0x 16",
        "# set 0x400 16x",
        "# set 0x400 16\rx",
        "# set 0x400 16 17",
        "# set  0x400 16",
        "# set 0x400  16",
        "#set 0x400 16",
        "set 0x400 16",
        "# written",
        "# written 0x400",
        "# written by hand",
        "# set 0xffffffffffffff00 256", /* beyond what there is */
        "# set 0x100 0xffffffffffffffff",
        "# set 0x10000000000000000 16",
        "# set 0x400 18446744073709551616",
        "# set 0 18446744073709551616", /* not 2^64 - 1 */
        "# written 0x1ffffffffffffffff 0",
        "",
    };
    uint64_t address, bytes;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!trace_note_written(others[i], &address, &bytes), "%s", others[i]);
}
END_TEST

/* Where lines are wrong, from 1; 0: they are not. */
START_TEST(where_lines_are_wrong)
{
    static const struct {
        const char *line;
        int column;
    } lines[] = {
        {"# copy to 0x400 from 0x10010 2048 row=256 rows=8,1 pitch=512,256 plane=0,0", 0},
        {"# copy to array from 0x400 2048 row=256 rows=8,1 pitch=0,256 plane=0,0", 0},
        {"# copy to array from array 384", 0},
        {"# set 0x7f4000000000 400 row=100 rows=4 pitch=512 ", 0},
        {"# written 0x10 32 ", 0},
        {"# written by hand", 0},
        {"# copy", 7},
        {"# copy 0x400 from 0x500 16", 7},
        {"# copy from 0x400 to 0x500 16", 7},
        {"# copy to host 0x400 16", 11},
        {"# copy to 0x400 16", 16},
        {"# copy to 0x400 from 0x500", 27},
        {"# copy to 0x400 from 0x500 16 row=4", 36},
        {"# copy to 0x400 from 0x500 16 row=4 rows=4 pitch=8,8 plane=0,0", 43},
        {"# copy to 0x400 from 0x500 16 rows=4,1", 30},
        {"# set", 6},
        {"# set -1 16", 7},
        {"# set 0X400 16", 8},
        {"# set 0x400,16", 12},
        {"# set 0x400 16 17", 16},
        {"# set 0x400 16 row=4 rows=4,1 pitch=8", 28},
        {"# set 0xffffffffffffff00 256", 26},
        {"# set to 5 in the loop", 7},
        {"# written", 10},
        {"# written 0x400", 16},
        {"# written  0x400 16", 11},
        {"# written\t0x400 16", 10},
        {"# written 0x 16", 11},
        {"# written 0x10000000000000000 16", 11},
        {"# written 0x400 18446744073709551616", 17},
        {"#written 0x400 16", 1},
        {" # written 0x400 16", 1},
        {"# Written 0x400 16", 0},
        {"# writtens 0x400 16", 0},
        {"written 0x400 16", 0},
        {"# managed 0x", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *line = lines[i].line, *expected = NULL;
        const char *at = trace_note_wrong(line, &expected);
        ck_assert_msg((at == NULL ? 0 : (int)(at - line) + 1) == lines[i].column, "%s: %s",
                      line, at == NULL ? "right" : at);
        ck_assert(at == NULL || expected[0] == '#');
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        kinds,
        launches,
        launches_that_make_no_sense,
        more_maps_than_are_kept,
        places_of_maps,
        tiled_maps,
        maps_of_launches,
        im2col_maps,
        maps_that_make_no_sense,
        waiting_loops,
        what_does_not_say_what_was_written,
        where_lines_are_wrong,
    };
    const TTest *const loops[] = {what_was_written};
    return RUN_LOOPS("notes", tests, loops, sizeof writes / sizeof *writes);
}
