#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "traces/base/text/texts.h"

#define MANY 20000

/* More than a block, one longer than a block, and the empty one; none ever moves. */
START_TEST(texts_stay)
{
    static const char *kept[MANY];
    static char large[100000];
    struct texts texts = {0};
    char text[32];
    const char *empty = texts_keep(&texts, "", 0);
    for (int i = 0; i < MANY; i++) {
        int length = snprintf(text, sizeof text, "kernel-%d", i);
        kept[i] = texts_keep(&texts, text, (size_t)length);
    }
    memset(large, 'x', sizeof large);
    ck_assert_uint_eq(strlen(texts_keep(&texts, large, sizeof large)), sizeof large);
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "kernel-%d", i);
        ck_assert_str_eq(kept[i], text);
    }
    ck_assert_str_eq(empty, "");
    texts_finish(&texts);
}
END_TEST

/* A list may name the same file a million times. */
START_TEST(equal_texts_share)
{
    struct texts texts = {0};
    const char *first = texts_keep(&texts, "kernel-1", 8);
    ck_assert_ptr_eq(texts_keep(&texts, "kernel-1.traceg", 8), first);
    ck_assert_str_eq(texts_keep(&texts, "kernel-1.traceg", 15), "kernel-1.traceg");
    ck_assert_str_eq(texts_keep(&texts, "kernel", 6), "kernel");
    for (int i = 0; i < MANY; i++)
        ck_assert_ptr_eq(texts_keep(&texts, "kernel-1", 8), first);
    ck_assert_uint_eq(texts.count, 1);
    texts_finish(&texts);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {texts_stay, equal_texts_share};
    return RUN_TESTS("texts", tests);
}
