#include "sim/memory/address.h"

#include <string.h>

#include "sim/memory/hash.h"
#include "traces/base/split_mix.h"

enum indexing { INDEXING_NONE, INDEXING_XOR, INDEXING_IPOLY };

/* The field of the bits under MASK. */
static struct address_field field_of(uint64_t mask)
{
    struct address_field field = {0};
    for (unsigned n = 0; mask != 0; field.runs++) {
        unsigned at = (unsigned)__builtin_ctzll(mask);
        uint64_t rest = ~(mask >> at);
        unsigned bits = rest == 0 ? 64 : (unsigned)__builtin_ctzll(rest);
        uint64_t ones = bits == 64 ? ~0ull : (1ull << bits) - 1;
        field.run[field.runs] =
            (struct address_run){.mask = ones << at, .shift = (uint8_t)(at - n)};
        mask &= ~(ones << at);
        n += bits;
    }
    return field;
}

static uint64_t pack(uint64_t value, const struct address_field *field)
{
    uint64_t packed = 0;
    for (uint32_t i = 0; i < field->runs; i++)
        packed |= (value & field->run[i].mask) >> field->run[i].shift;
    return packed;
}

static uint32_t round_up_power(uint32_t value)
{
    uint32_t power = 1;
    while (power < value)
        power <<= 1;
    return power;
}

/* MASK with BITS zero bits inserted at position AT. */
static uint64_t insert_bits(uint64_t mask, unsigned at, unsigned bits)
{
    uint64_t low = mask & ((1ull << at) - 1);
    return (mask & ~((1ull << at) - 1)) << bits | low;
}

static unsigned log2_of(uint32_t power)
{
    return (unsigned)__builtin_ctz(power);
}

/* The lowest COUNT bits of MASK. */
static uint64_t lowest_bits(uint64_t mask, unsigned count)
{
    uint64_t low = 0;
    for (unsigned i = 0; i < count && mask != 0; i++) {
        low |= mask & -mask;
        mask &= mask - 1;
    }
    return low;
}

/* Halves are told by bits only where channels are a remainder: of one half's channels. */
static int init_halves(struct address_spec *spec, const struct sim_config *config,
                       struct error *err)
{
    bool power = (spec->channels & (spec->channels - 1)) == 0;
    if (config->options.hearth_l2_far_latency == 0 || config->l2_half_bits == 0)
        return 0;
    spec->half_bits = config->l2_half_bits;
    spec->half_draw = split_mix(config->options.hearth_l2_half_seed, 0);
    if (!power && spec->channels % 2 == 0 && spec->indexing == INDEXING_NONE)
        return 0;
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "-hearth_l2_half_bits: needs an even number of channels that is no power "
                     "of two (%u, -gpgpu_n_mem), and -gpgpu_memory_partition_indexing 0",
                     spec->channels);
}

int address_init(struct address_spec *spec, const struct sim_config *config, struct error *err)
{
    const struct sim_address_map *map = &config->address_map;
    memset(spec, 0, sizeof *spec);
    spec->channels = (uint32_t)config->options.gpgpu_n_mem;
    spec->slices_per_channel = (uint32_t)config->options.gpgpu_n_sub_partition_per_mchannel;
    spec->indexing = (uint32_t)map->indexing;
    spec->banks = config->dram.banks;
    spec->bank_indexing = (uint32_t)config->options.dram_bnk_indexing_policy;
    uint64_t row = map->row, bank = map->bank, chip = map->chip;
    if (spec->slices_per_channel == 0 ||
        (spec->slices_per_channel & (spec->slices_per_channel - 1)))
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-gpgpu_n_sub_partition_per_mchannel %u: expected a power of two",
                         spec->slices_per_channel);
    bool power = (spec->channels & (spec->channels - 1)) == 0;
    spec->rotate = config->options.hearth_channel_rotation;
    if (spec->rotate && power)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "-hearth_channel_rotation: %u channels are a power of two; use "
                         "-gpgpu_memory_partition_indexing",
                         spec->channels);
    unsigned chip_bits = power ? log2_of(spec->channels) : 0;
    if (map->chip_bit < 0) {
        spec->chip_bit = map->chip == 0 ? 8 : (uint32_t)__builtin_ctzll(map->chip);
        if (map->chip != 0 && 1u << __builtin_popcountll(map->chip) != spec->channels)
            return error_set(err, ERROR_USAGE, NULL, 0, 0,
                             "-gpgpu_mem_addr_mapping: %d channel bits (D) for %u channels",
                             __builtin_popcountll(map->chip), spec->channels);
    } else {
        spec->chip_bit = (uint32_t)map->chip_bit;
        row = insert_bits(row, spec->chip_bit, chip_bits);
        bank = insert_bits(bank, spec->chip_bit, chip_bits);
        chip = power ? (uint64_t)(spec->channels - 1) << spec->chip_bit : 0;
    }
    if (init_halves(spec, config, err) != 0)
        return -1;
    unsigned slice_bits = log2_of(spec->slices_per_channel);
    spec->row = field_of(row);
    spec->bank = field_of(bank);
    spec->chip = field_of(chip);
    spec->partition = field_of(~(lowest_bits(bank, slice_bits) | chip));
    spec->high_shift = spec->chip_bit +
                       (power ? chip_bits : log2_of(round_up_power(spec->channels)) - 1) +
                       slice_bits;
    spec->hash_banks = round_up_power(spec->channels) * spec->slices_per_channel;
    return 0;
}

/* True if the number of channels is not a power of two: the channel is then a remainder. */
static bool by_remainder(const struct address_spec *spec)
{
    return spec->chip.runs == 0 && spec->channels > 1;
}

/* ---- halves ------------------------------------------------------------ */

#define HALF_PAGE 21 /* log2 of the bytes of a page: its physical address is not known */

/* Of the first page, the first half: there, address bits alone have to tell the half. */
static uint32_t half_of_page(const struct address_spec *spec, uint64_t page)
{
    return page != 0 ? split_mix(spec->half_draw + page, 0) & 1 : 0;
}

static uint32_t half_of(const struct address_spec *spec, uint64_t address)
{
    return (uint32_t)__builtin_parityll(address & spec->half_bits) ^
           half_of_page(spec, address >> HALF_PAGE);
}

/* ADDRESS as its half sees it: without the lowest bit that tells the half, which follows from
 * the half and the others. */
static uint64_t in_half(const struct address_spec *spec, uint64_t address)
{
    uint64_t low = (spec->half_bits & -spec->half_bits) - 1;
    return spec->half_bits != 0 ? (address >> 1 & ~low) | (address & low) : address;
}

/* ---- channels ---------------------------------------------------------- */

/* Where channels are a remainder: those that lines take turns in. */
static uint32_t turns(const struct address_spec *spec)
{
    return spec->half_bits != 0 ? spec->channels / 2 : spec->channels;
}

/* ADDRESS as the row, bank and set masks see it. */
static uint64_t inner(const struct address_spec *spec, uint64_t address)
{
    if (!by_remainder(spec))
        return address;
    uint64_t own = in_half(spec, address), low = own & ((1ull << spec->chip_bit) - 1);
    return (own >> spec->chip_bit) / turns(spec) << spec->chip_bit | low;
}

uint32_t address_slice(const struct address_spec *spec, uint64_t address)
{
    uint32_t chip, bank = (uint32_t)pack(inner(spec, address), &spec->bank);
    uint64_t high;
    if (by_remainder(spec)) {
        uint64_t chunk = in_half(spec, address) >> spec->chip_bit;
        uint32_t channels = turns(spec);
        chip = (uint32_t)(chunk % channels);
        high = chunk / channels;
        if (spec->rotate)
            chip = (chip + hash_spread(high)) % channels;
        if (spec->half_bits != 0)
            chip += half_of(spec, address) * channels;
    } else {
        chip = (uint32_t)pack(address, &spec->chip);
        high = address >> spec->high_shift;
    }
    uint32_t low_bank = bank & (spec->slices_per_channel - 1);
    if (spec->indexing == INDEXING_XOR && !by_remainder(spec))
        chip = hash_xor(high, chip, spec->channels);
    uint32_t slice = chip * spec->slices_per_channel + low_bank;
    if (spec->indexing == INDEXING_IPOLY && spec->hash_banks > 1) {
        slice = hash_ipoly(high, slice, spec->hash_banks);
        if (by_remainder(spec))
            slice %= spec->channels * spec->slices_per_channel;
    }
    return slice;
}

uint64_t address_in_slice(const struct address_spec *spec, uint64_t address)
{
    return pack(inner(spec, address), &spec->partition);
}

uint32_t address_bank(const struct address_spec *spec, uint64_t address)
{
    uint32_t bank = (uint32_t)pack(inner(spec, address), &spec->bank) & (spec->banks - 1);
    if (spec->bank_indexing == INDEXING_XOR)
        return hash_xor(address_row(spec, address), bank, spec->banks);
    if (spec->bank_indexing == INDEXING_IPOLY)
        return hash_ipoly(address_row(spec, address), bank, spec->banks);
    return bank;
}

uint32_t address_row(const struct address_spec *spec, uint64_t address)
{
    return (uint32_t)pack(inner(spec, address), &spec->row);
}
