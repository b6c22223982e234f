#include "tools/cards.h"

#include "sim/config.h"

#define MIB (1024.0 * 1024.0)

/* Bytes a nanosecond that all data buses move. */
static double bandwidth(const struct sim_config *config)
{
    const struct sim_options *options = &config->options;
    double bytes_a_tick = (double)options->gpgpu_n_mem * options->gpgpu_n_mem_per_ctrlr *
                          options->gpgpu_dram_buswidth * options->dram_data_command_freq_ratio;
    return bytes_a_tick * config->dram_mhz / 1000;
}

static double l2_size(const struct sim_config *config)
{
    const struct sim_cache_config *l2 = &config->l2;
    double slices = (double)config->options.gpgpu_n_mem *
                    config->options.gpgpu_n_sub_partition_per_mchannel;
    return slices * l2->sets * l2->ways * l2->line / MIB;
}

static int print_card(const struct sim_bundled_config *card, FILE *out, struct error *err)
{
    struct sim_config *config = sim_config_create(&card->name, 1, NULL, 0, NULL, NULL, err);
    if (config == NULL)
        return -1;
    fprintf(out, "%-10s %4u %8.5g %8.5g %6.1f %6.0f  %-30s  %s\n", card->name,
            config->options.gpgpu_n_clusters * config->options.gpgpu_n_cores_per_cluster,
            config->core_mhz, config->dram_mhz, l2_size(config), bandwidth(config),
            card->hardware, card->description);
    sim_config_destroy(config);
    return 0;
}

int cards_list(FILE *out, struct error *err)
{
    fprintf(out, "%-10s %4s %8s %8s %6s %6s  %-30s  %s\n", "name", "SMs", "core MHz",
            "DRAM MHz", "L2 MiB", "GB/s", "against hardware", "card");
    for (const struct sim_bundled_config *card = sim_bundled_configs; card->name != NULL;
         card++)
        if (print_card(card, out, err) < 0)
            return -1;
    return 0;
}
