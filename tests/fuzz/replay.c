/* Feeds files to a fuzz target without a fuzzer: the corpus as a test. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST (1 << 24)

int main(int argc, char **argv)
{
    uint8_t *data = malloc(MOST);
    for (int i = 1; data != NULL && i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, MOST, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d inputs\n", argc - 1);
    free(data);
    return argc > 1 ? 0 : 1;
}
