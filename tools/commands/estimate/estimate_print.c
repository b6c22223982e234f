#include <stdio.h>
#include <string.h>

#include "tools/commands/estimate/estimate_request.h"
#include "traces/base/json.h"

static void print_text(const struct report_table *const *sheets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            printf("\n");
        if (sheets[i]->title != NULL)
            printf("%s\n", sheets[i]->title);
        report_table_write_text(sheets[i], stdout);
    }
}

int estimate_print(const struct report_table *const *sheets, size_t count, const char *format,
                   struct error *err)
{
    struct json json;
    for (size_t i = 0; i < count; i++)
        if (sheets[i]->failed)
            return error_no_memory(err);
    if (strcmp(format, "text") == 0) {
        print_text(sheets, count);
    } else if (strcmp(format, "csv") == 0) {
        report_table_write_csv(sheets[0], stdout);
    } else {
        json_init(&json, stdout);
        json_open(&json, NULL, '{');
        for (size_t i = 0; i < count; i++)
            report_table_write_json(sheets[i], &json);
        json_close(&json, '}');
    }
    return 0;
}
