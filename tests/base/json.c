#include <stdio.h>

#include "tests/suite.h"
#include "traces/base/json.h"

START_TEST(json_is_well_formed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct json json;
    json_init(&json, out);
    json_open(&json, NULL, '{');
    json_text(&json, "a", "q\"b\\n\n\xc3\xa4\xff");
    json_open_line(&json, "list", '[');
    json_count(&json, NULL, UINT64_MAX);
    json_open(&json, NULL, '{');
    json_bool(&json, "x", true);
    json_close(&json, '}');
    json_close(&json, ']');
    json_open(&json, "empty", '{');
    json_close(&json, '}');
    json_number(&json, "n", 0.12345, 3);
    json_close(&json, '}');
    fclose(out);
    ck_assert_str_eq(text, "{\n  \"a\": \"q\\\"b\\\\n\\u000a\xc3\xa4\\ufffd\",\n"
                           "  \"list\": [18446744073709551615, {\"x\": true}],\n"
                           "  \"empty\": {},\n  \"n\": 0.123\n}\n");
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {json_is_well_formed};
    return RUN_TESTS("json", tests);
}
