/* Simulates a workload on a card, and prints the cycles of each launch.
 *
 *     cc cycles.c $(pkg-config --cflags --libs hearth) -o cycles
 *     ./cycles demo/reduction.packed h100
 */
#include <hearth.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s WORKLOAD CARD\n", argv[0]);
        return HEARTH_USAGE;
    }
    const char *card = argv[2];
    struct hearth_error err;
    struct hearth_results *results = hearth_run(
        &(struct hearth_request){.target = argv[1], .configs = &card, .config_count = 1}, NULL,
        &err);
    if (err.status != HEARTH_OK)
        fprintf(stderr, "%s: %s\n", argv[0], err.text);
    if (results == NULL)
        return err.status;

    const size_t kernel = hearth_find_column("kernel"), cycles = hearth_find_column("cycles");
    for (size_t i = 0; i < hearth_launches(results); i++) {
        char buffer[HEARTH_TEXT];
        printf("%-40s %12.0f\n", hearth_text(results, i, kernel, buffer),
               hearth_number(results, i, cycles));
    }
    hearth_results_destroy(results);
    return err.status;
}
