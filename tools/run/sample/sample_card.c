#include "tools/run/sample/sample_card.h"

int sample_card_apply(struct sampling_options *options, const struct sampling_method *method,
                      const struct run_request *card, struct error *err)
{
    if (!(method->options & SAMPLING_BIT(SAMPLING_CORES)) || options->cores > 0)
        return 0;
    struct sim_config *config = run_config(card, NULL, err);
    if (config == NULL)
        return -1;
    options->cores = sim_config_sms(config);
    sim_config_destroy(config);
    return 0;
}
