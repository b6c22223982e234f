#include <stdio.h>
#include <string.h>

#include "tools/commands/estimate/estimate_request.h"
#include "traces/base/json.h"

int estimate_print(const struct report_table *sheet, const char *format, struct error *err)
{
    struct json json;
    if (sheet->failed)
        return error_no_memory(err);
    if (strcmp(format, "text") == 0) {
        report_table_write_text(sheet, stdout);
    } else if (strcmp(format, "csv") == 0) {
        report_table_write_csv(sheet, stdout);
    } else {
        json_init(&json, stdout);
        json_open(&json, NULL, '{');
        report_table_write_json(sheet, &json);
        json_close(&json, '}');
    }
    return 0;
}
