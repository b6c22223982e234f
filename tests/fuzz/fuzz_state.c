/* Any bytes as a saved state of L2, as they are and with the end that makes a file of them
 * whole: refused with a message, or accepted; what is accepted is saved again, and that is
 * accepted and saves the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "traces/base/files/sealed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Simulators with an L2 of one slice, two sets and two ways: one that keeps nothing else, and
 * one that keeps L1, models caches of instructions and page walks, and begins launches at once,
 * so that its states may say when lines of code come. */
#define SMALL                                                                                  \
    "gpgpu_n_clusters=1", "gpgpu_n_mem=1", "gpgpu_n_sub_partition_per_mchannel=1",             \
        "gpgpu_cache:dl2=S:2:128:2,L:B:m:L:L,A:192:4,32:0,32"
#define SIMS 2

static struct sim *make(unsigned number)
{
    static const char *const sets[SIMS][12] = {
        {SMALL},
        {SMALL, "gpgpu_flush_l1_cache=0", "hearth_icache=1", "hearth_icache_l0=128",
         "gpgpu_cache:il1=N:1:128:2,L:R:f:N:L,S:2:48,4", "hearth_gcc=512", "hearth_gcc_ways=2",
         "hearth_page_walk=500", "gpgpu_kernel_launch_latency=0"}};
    static const unsigned counts[SIMS] = {4, 12};
    const char *source = "rtx3070";
    struct error err = {0};
    struct sim_config *config =
        sim_config_create(&source, 1, sets[number], counts[number], NULL, NULL, &err);
    struct sim *sim = config != NULL ? sim_create(config, &err) : NULL;
    if (sim == NULL)
        abort();
    return sim;
}

/* One of each for all inputs: making it takes longer than an input. */
static struct sim *sim_of(unsigned number)
{
    static struct sim *sims[SIMS];
    if (sims[number] == NULL)
        sims[number] = make(number);
    return sims[number];
}

static bool restore(struct sim *sim, const void *data, size_t size)
{
    struct error err = {0};
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
    if (in == NULL)
        abort();
    bool good = sim_restore(sim, in, "fuzz", &err) == 0;
    if (good != (err.kind == ERROR_NONE))
        abort();
    fclose(in);
    return good;
}

static char *save(struct sim *sim, size_t *size)
{
    struct error err = {0};
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL || sim_save(sim, out, "fuzz", &err) != 0)
        abort();
    fclose(out);
    return text;
}

static char *seal(const uint8_t *data, size_t *size)
{
    char *text = NULL;
    size_t contents = *size;
    struct sealed_out sealed;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        abort();
    sealed_out_init(&sealed, out);
    sealed_write(&sealed, data, contents);
    if (!sealed_out_finish(&sealed))
        abort();
    fclose(out);
    return text;
}

static void look(struct sim *sim, const void *data, size_t size)
{
    if (!restore(sim, data, size))
        return;
    size_t first_size, second_size;
    char *first = save(sim, &first_size);
    if (!restore(sim, first, first_size))
        abort();
    char *second = save(sim, &second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t whole = size;
    char *sealed = seal(data, &whole);
    for (unsigned i = 0; i < SIMS; i++) {
        look(sim_of(i), data, size);
        look(sim_of(i), sealed, whole);
    }
    free(sealed);
    return 0;
}
