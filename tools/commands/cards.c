#include "tools/commands/cards.h"

#include "sim/sim.h"

#define MIB (1024.0 * 1024.0)

static int print_card(const struct sim_bundled_config *card, FILE *out, struct error *err)
{
    struct sim_config *config = sim_config_create(&card->name, 1, NULL, 0, NULL, NULL, err);
    if (config == NULL)
        return -1;
    struct sim_peaks peaks = sim_peaks_of(config);
    fprintf(out, "%-10s %4u %8.5g %8.5g %6.1f %6.0f  %-30s  %s\n", card->name, peaks.sms,
            config->core_mhz, config->dram_mhz, (double)sim_config_l2_bytes(config) / MIB,
            1e-9 * peaks.core_hz * peaks.dram_bytes, card->hardware, card->description);
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
