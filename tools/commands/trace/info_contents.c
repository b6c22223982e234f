#include "tools/commands/trace/info_contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void info_contents_finish(struct info_contents *contents)
{
    for (size_t i = 0; i < contents->count; i++)
        free(contents->functions[i].name);
    free(contents->functions);
    free(contents->formats.items);
    free(contents->gpus.items);
}

/* The function whose name has LENGTH bytes at NAME, a new one if needed; NULL when memory ran
 * out. */
static struct info_function *find(struct info_contents *contents, const char *name,
                                  size_t length)
{
    for (size_t i = contents->count; i-- > 0;)
        if (strncmp(contents->functions[i].name, name, length) == 0 &&
            contents->functions[i].name[length] == '\0')
            return &contents->functions[i];
    struct info_function *more =
        reallocarray(contents->functions, contents->count + 1, sizeof *more);
    if (more == NULL)
        return NULL;
    contents->functions = more;
    more[contents->count] = (struct info_function){.name = strndup(name, length)};
    return more[contents->count].name != NULL ? &more[contents->count++] : NULL;
}

static int add_version(struct info_versions *versions, uint32_t version)
{
    size_t i = 0;
    while (i < versions->count && versions->items[i] < version)
        i++;
    if (i < versions->count && versions->items[i] == version)
        return 0;
    uint32_t *more = reallocarray(versions->items, versions->count + 1, sizeof *more);
    if (more == NULL)
        return -1;
    memmove(more + i + 1, more + i, (versions->count - i) * sizeof *more);
    more[i] = version;
    versions->items = more;
    versions->count++;
    return 0;
}

int info_contents_add(struct info_contents *contents, const struct trace_kernel *kernel,
                      struct error *err)
{
    const struct trace_header *header = trace_kernel_header(kernel);
    const struct trace_function *code = trace_kernel_function(kernel);
    struct info_function *function = find(contents, header->name, strlen(header->name));
    if (function == NULL || add_version(&contents->formats, header->version) != 0 ||
        add_version(&contents->gpus, header->binary_version) != 0)
        return error_no_memory(err);
    function->launched = true;
    if (code != NULL)
        function->insts = code->count;
    return 0;
}

int info_contents_note(struct info_contents *contents, const char *line, struct error *err)
{
    static const char predicates[] = "# predicates ", waits[] = "# waits ";
    bool is_waits = strncmp(line, waits, strlen(waits)) == 0;
    if (!is_waits && strncmp(line, predicates, strlen(predicates)) != 0)
        return 0;
    line += is_waits ? strlen(waits) : strlen(predicates);
    struct info_function *function = find(contents, line, strcspn(line, " "));
    if (function == NULL)
        return error_no_memory(err);
    function->predicates |= !is_waits;
    function->waits |= is_waits;
    return 0;
}

/* ---- printing ---------------------------------------------------------- */

static void print_functions(const struct info_contents *contents)
{
    size_t launched = 0, with_code = 0, with_predicates = 0, with_waits = 0;
    unsigned long insts = 0;
    for (size_t i = 0; i < contents->count; i++) {
        const struct info_function *function = &contents->functions[i];
        if (!function->launched)
            continue;
        launched++;
        with_code += function->insts > 0;
        with_predicates += function->predicates;
        with_waits += function->waits;
        insts += function->insts;
    }
    printf("functions     %zu, %zu with code", launched, with_code);
    if (with_code > 0)
        printf(" (%lu instructions)", insts);
    printf(", %zu with predicates, %zu with waiting loops\n", with_predicates, with_waits);
}

void info_contents_print(const struct info_contents *contents,
                         const struct trace_workload *workload)
{
    const struct info_versions *formats = &contents->formats, *gpus = &contents->gpus;
    print_functions(contents);
    printf("format        %s", workload->store != NULL ? "packed" : "text");
    for (size_t i = 0; i < formats->count; i++) {
        printf("%s%u", i == 0 ? ", tracer version " : ", ", formats->items[i] / 10);
        if (formats->items[i] % 10 != 0)
            printf(".%u", formats->items[i] % 10);
    }
    printf("\ncompiled for  ");
    for (size_t i = 0; i < gpus->count; i++)
        if (gpus->items[i] == 0)
            printf("%sunknown", i == 0 ? "" : ", ");
        else
            printf("%ssm_%u", i == 0 ? "" : ", ", gpus->items[i]);
    putchar('\n');
}
