/* The address map, the SMs of each half of L2 and the DRAM timing. */
#include "sim/config/derive.h"

#include <string.h>

#include "sim/config/fields.h"

/* The built-in maps; they are numbered as in -gpgpu_mem_address_mask. */
static const struct {
    uint32_t number;
    struct sim_address_map map;
} built_in[] = {
    {0, {.chip_bit = 10, .row = 0x7FFE000, .bank = 0x300, .column = 0x1CFF}},
    {1, {.chip_bit = 13, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {2, {.chip_bit = 11, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {3, {.chip_bit = 11, .row = 0xFFFE000, .bank = 0x1800, .column = 0x7FF}},
    {5, {.chip_bit = 5, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {6, {.chip_bit = 6, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {14, {.chip_bit = 14, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {15, {.chip_bit = 15, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {16, {.chip_bit = 16, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {100, {.chip_bit = 1, .row = 0x7FFE000, .bank = 0x3, .column = 0x1FFC}},
    {103, {.chip_bit = 3, .row = 0x7FFE000, .bank = 0x3, .column = 0x1FFC}},
    {106, {.chip_bit = 6, .row = 0x7FFE000, .bank = 0x1800, .column = 0x7FF}},
    {160, {.chip_bit = 6, .row = 0x7FFE000, .bank = 0x300, .column = 0x1CFF}},
};

static int built_in_map(const struct build *build, struct sim_address_map *map)
{
    uint32_t number = build->config->options.gpgpu_mem_address_mask;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        if (built_in[i].number == number) {
            *map = built_in[i].map;
            return 0;
        }
    }
    return build_fail(build, SIM_OPTION_gpgpu_mem_address_mask, 0,
                      "there is no map %u: expected 0-3, 5, 6, 14-16, 100, 103, 106 or 160, or "
                      "-gpgpu_mem_addr_mapping",
                      number);
}

/* Adds address bit BIT to the field that LETTER names. */
static int map_bit(struct sim_address_map *map, char letter, int bit)
{
    uint64_t mask = (uint64_t)1 << bit;
    switch (letter) {
    case 'D':
    case 'd':
        map->chip |= mask;
        return 0;
    case 'R':
    case 'r':
        map->row |= mask;
        return 0;
    case 'B':
    case 'b':
        map->bank |= mask;
        return 0;
    case 'S':
    case 's':
        map->burst |= mask;
        map->column |= mask;
        return 0;
    case 'C':
    case 'c':
        map->column |= mask;
        return 0;
    case '0':
        return 0;
    default:
        return -1;
    }
}

static int map_bits(struct fields *fields, struct sim_address_map *map)
{
    const enum sim_option option = SIM_OPTION_gpgpu_mem_addr_mapping;
    int bit = 64;
    for (; !fields_at_end(fields); fields->at++) {
        char c = fields->text[fields->at];
        if (strchr("|. ", c) != NULL)
            continue;
        if (bit == 0)
            return build_fail(fields->build, option, fields->at,
                              "expected 64 address bits; got more");
        if (map_bit(map, c, --bit) < 0)
            return build_fail(fields->build, option, fields->at,
                              "address bit %d: expected D, R, B, C, S or 0; got '%c'", bit, c);
        if (map->chip != 0 && map->chip_bit >= 0)
            return build_fail(fields->build, option, fields->at,
                              "address bit %d: D and dramid@%d exclude each other", bit,
                              map->chip_bit);
    }
    if (bit != 0)
        return build_fail(fields->build, option, fields->at, "expected 64 address bits; got %d",
                          64 - bit);
    return 0;
}

static int read_map(const struct build *build, struct sim_address_map *map)
{
    const enum sim_option option = SIM_OPTION_gpgpu_mem_addr_mapping;
    struct fields fields = fields_of(build, option, 2);
    memset(map, 0, sizeof *map);
    if (fields_at_end(&fields))
        return built_in_map(build, map);
    map->chip_bit = -1;
    if (strncmp(fields.text, "dramid@", 7) == 0) {
        uint32_t bit;
        fields.at = 7;
        if (fields_u32(&fields, "channel bit", 0, 47, &bit) < 0 ||
            fields_separator(&fields, ';', "address bits") < 0)
            return -1;
        map->chip_bit = (int)bit;
    }
    if (map_bits(&fields, map) < 0)
        return -1;
    uint32_t channels = build->config->options.gpgpu_n_mem;
    if (map->chip_bit < 0 && ((channels & (channels - 1)) != 0 ||
                              1ull << __builtin_popcountll(map->chip) != channels))
        return build_fail(build, option, 0,
                          "%d channel bits (D) do not number %u channels (-gpgpu_n_mem)",
                          __builtin_popcountll(map->chip), channels);
    return 0;
}

int derive_address_map(const struct build *build, struct sim_address_map *map)
{
    /* By number; 3 to 5 are hashes without a published definition. */
    static const int indexing[] = {0, 1, 2, 0, 0, 0, 2};
    if (read_map(build, map) < 0)
        return -1;
    map->indexing = indexing[build->config->options.gpgpu_memory_partition_indexing];
    return 0;
}

#define MAX_RUN 1024u

int derive_half_runs(const struct build *build)
{
    struct sim_config *config = build->config;
    struct fields fields = fields_of(build, SIM_OPTION_hearth_l2_half_sms, SIM_MAX_HALF_RUNS);
    for (config->l2_half_run_count = 0;;) {
        if (config->l2_half_run_count == SIM_MAX_HALF_RUNS)
            return build_fail(build, fields.option, fields.at, "expected at most %d runs",
                              SIM_MAX_HALF_RUNS);
        if (fields_u32(&fields, "SMs", 1, MAX_RUN,
                       &config->l2_half_runs[config->l2_half_run_count++]) < 0)
            return -1;
        if (!fields_accept(&fields, ','))
            return fields_end(&fields);
    }
}

/* Below them a line is whole, above them is the page. */
#define MIN_HALF_BIT 7u
#define MAX_HALF_BIT 20u

int derive_half_bits(const struct build *build)
{
    uint64_t *mask = &build->config->l2_half_bits;
    struct fields fields = fields_of(build, SIM_OPTION_hearth_l2_half_bits, 14);
    *mask = 0;
    if (strcmp(fields.text, "none") == 0)
        return 0;
    for (uint32_t bit;;) {
        size_t at = fields.at;
        if (fields_u32(&fields, "bit", MIN_HALF_BIT, MAX_HALF_BIT, &bit) < 0)
            return -1;
        if (*mask >> bit & 1)
            return build_fail(build, fields.option, at, "bit %u occurs twice", bit);
        *mask |= UINT64_C(1) << bit;
        if (!fields_accept(&fields, ','))
            return fields_end(&fields);
    }
}

#define MAX_BANKS  1024u
#define MAX_CYCLES 65535u

/* In the order of values without names. */
static const struct {
    const char *name;
    size_t offset;
    uint32_t min, max;
    bool optional;
} timings[] = {
    {"nbk", offsetof(struct sim_dram_timing, banks), 1, MAX_BANKS, false},
    {"CCD", offsetof(struct sim_dram_timing, ccd), 0, MAX_CYCLES, false},
    {"RRD", offsetof(struct sim_dram_timing, rrd), 0, MAX_CYCLES, false},
    {"RCD", offsetof(struct sim_dram_timing, rcd), 0, MAX_CYCLES, false},
    {"RAS", offsetof(struct sim_dram_timing, ras), 0, MAX_CYCLES, false},
    {"RP", offsetof(struct sim_dram_timing, rp), 0, MAX_CYCLES, false},
    {"RC", offsetof(struct sim_dram_timing, rc), 0, MAX_CYCLES, false},
    {"CL", offsetof(struct sim_dram_timing, cl), 0, MAX_CYCLES, false},
    {"WL", offsetof(struct sim_dram_timing, wl), 0, MAX_CYCLES, false},
    {"CDLR", offsetof(struct sim_dram_timing, cdlr), 0, MAX_CYCLES, false},
    {"WR", offsetof(struct sim_dram_timing, wr), 0, MAX_CYCLES, false},
    {"nbkgrp", offsetof(struct sim_dram_timing, bank_groups), 1, MAX_BANKS, true},
    {"CCDL", offsetof(struct sim_dram_timing, ccdl), 0, MAX_CYCLES, true},
    {"RTPL", offsetof(struct sim_dram_timing, rtpl), 0, MAX_CYCLES, true},
};
#define TIMINGS (sizeof timings / sizeof *timings)

static int timing_value(struct fields *fields, size_t i, struct sim_dram_timing *dram)
{
    return fields_u32(fields, timings[i].name, timings[i].min, timings[i].max,
                      (uint32_t *)((char *)dram + timings[i].offset));
}

static int timings_in_order(struct fields *fields, struct sim_dram_timing *dram)
{
    for (size_t i = 0; i < TIMINGS; i++) {
        if (fields_at_end(fields) && timings[i].optional)
            return 0;
        if ((i > 0 && fields_separator(fields, ':', timings[i].name) < 0) ||
            timing_value(fields, i, dram) < 0)
            return -1;
    }
    return fields_end(fields);
}

static void skip_separators(struct fields *fields)
{
    fields->at += strspn(fields->text + fields->at, ":; ");
}

static int named_timing(struct fields *fields, struct sim_dram_timing *dram, bool seen[TIMINGS])
{
    const char *name = fields->text + fields->at;
    size_t length = strcspn(name, "=:; "), i = 0;
    while (i < TIMINGS &&
           (strncmp(timings[i].name, name, length) != 0 || timings[i].name[length] != '\0'))
        i++;
    if (i == TIMINGS)
        return build_fail(
            fields->build, fields->option, fields->at,
            "there is no timing '%.*s': expected nbk, CCD, RRD, RCD, RAS, RP, RC, CL, WL, "
            "CDLR, WR, nbkgrp, CCDL or RTPL",
            length > 40 ? 40 : (int)length, name);
    fields->at += length;
    fields->number = (unsigned)i + 1;
    seen[i] = true;
    return fields_separator(fields, '=', timings[i].name) < 0 ? -1
                                                              : timing_value(fields, i, dram);
}

static int timings_by_name(struct fields *fields, struct sim_dram_timing *dram)
{
    bool seen[TIMINGS] = {false};
    for (skip_separators(fields); !fields_at_end(fields); skip_separators(fields))
        if (named_timing(fields, dram, seen) < 0)
            return -1;
    for (size_t i = 0; i < TIMINGS; i++)
        if (!seen[i] && !timings[i].optional)
            return build_fail(fields->build, fields->option, 0, "%s is missing",
                              timings[i].name);
    return 0;
}

int derive_dram(const struct build *build, struct sim_dram_timing *dram)
{
    const enum sim_option option = SIM_OPTION_gpgpu_dram_timing_opt;
    struct fields fields = fields_of(build, option, TIMINGS);
    *dram = (struct sim_dram_timing){.bank_groups = 1};
    if ((strchr(fields.text, '=') == NULL ? timings_in_order(&fields, dram)
                                          : timings_by_name(&fields, dram)) < 0)
        return -1;
    uint32_t slices = build->config->options.gpgpu_n_sub_partition_per_mchannel;
    if ((dram->bank_groups & (dram->bank_groups - 1)) != 0 ||
        dram->banks % dram->bank_groups != 0)
        return build_fail(build, option, 0,
                          "%u bank groups are no power of two that divides %u banks",
                          dram->bank_groups, dram->banks);
    if (dram->banks % slices != 0)
        return build_fail(build, option, 0,
                          "%u banks do not divide among %u L2 slices "
                          "(-gpgpu_n_sub_partition_per_mchannel)",
                          dram->banks, slices);
    return 0;
}
