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

/* A simulator with an L2 of one slice, two sets and two ways. */
static struct sim *small(void)
{
    static const char *const sets[] = {"gpgpu_n_clusters=1", "gpgpu_n_mem=1",
                                       "gpgpu_n_sub_partition_per_mchannel=1",
                                       "gpgpu_cache:dl2=S:2:128:2,L:B:m:L:L,A:192:4,32:0,32"};
    static struct sim *sim; /* one for all inputs: making it takes longer than an input */
    const char *source = "rtx3070";
    struct error err = {0};
    if (sim != NULL)
        return sim;
    struct sim_config *config = sim_config_create(&source, 1, sets, 4, NULL, NULL, &err);
    sim = config != NULL ? sim_create(config, &err) : NULL;
    if (sim == NULL)
        abort();
    return sim;
}

static bool restore(const void *data, size_t size)
{
    struct error err = {0};
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
    if (in == NULL)
        abort();
    bool good = sim_restore(small(), in, "fuzz", &err) == 0;
    if (good != (err.kind == ERROR_NONE))
        abort();
    fclose(in);
    return good;
}

static char *save(size_t *size)
{
    struct error err = {0};
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL || sim_save(small(), out, "fuzz", &err) != 0)
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

static void look(const void *data, size_t size)
{
    if (!restore(data, size))
        return;
    size_t first_size, second_size;
    char *first = save(&first_size);
    if (!restore(first, first_size))
        abort();
    char *second = save(&second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    look(data, size);
    char *sealed = seal(data, &size);
    look(sealed, size);
    free(sealed);
    return 0;
}
