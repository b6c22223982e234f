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

/* Keys that are quoted once are written as others: also those that must be escaped, and those
 * at and above the longest that is kept. */
START_TEST(known_keys)
{
    static const char *const names[] = {
        "a", "q\"", "12345678901234567890123456789012345678901234567890",
        "123456789012345678901234567890123456789012345678901234567890"};
    char *texts[2] = {NULL, NULL};
    for (int known = 0; known < 2; known++) {
        size_t size = 0;
        FILE *out = open_memstream(&texts[known], &size);
        struct json json;
        json_init(&json, out);
        json_open(&json, NULL, '{');
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            struct json_key key;
            json_key_init(&key, names[i]);
            ck_assert_int_eq(key.length != 0, i % 2 == 0);
            if (known) {
                json_key_raw(&json, &key, "1", 1);
                json_key_text(&json, &key, "t");
            } else {
                json_raw(&json, names[i], "1");
                json_text(&json, names[i], "t");
            }
        }
        json_close(&json, '}');
        fclose(out);
    }
    ck_assert_str_eq(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {json_is_well_formed, known_keys};
    return RUN_TESTS("json", tests);
}
