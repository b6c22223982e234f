#include "tools/study/study_page.h"

#include <string.h>

#include "tools/report/page.h"
#include "traces/base/process/host.h"

#define LINE 1000

/* Joins COUNT words with blanks; what does not fit is left out. */
static const char *join(const char *const *words, size_t count, char text[LINE])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && words[i] != NULL && length < LINE - 1; i++)
        length +=
            (size_t)snprintf(text + length, LINE - length, "%s%s", i > 0 ? " " : "", words[i]);
    return text;
}

static void write_facts(FILE *page, const struct study_options *options, const char *gpu)
{
    char text[LINE];
    const char *const *listed = (const char *const *)options->listed;
    page_facts_begin(page);
    page_fact(page, "study of",
              join(listed != NULL ? listed : options->operands, options->operand_count, text));
    if (gpu == NULL || options->config_count > 0) {
        join(options->configs, options->config_count, text);
        page_fact(page, "configuration", text[0] != '\0' ? text : "rtx3070");
        page_fact(page, "options", join(options->sets, options->set_count, text));
    }
    page_fact(page, "simulated GPU", gpu != NULL ? gpu : "");
    page_fact(page, "command", options->command != NULL ? options->command : "");
    page_fact(page, "version", "Hearth " HEARTH_VERSION);
    host_date(text, sizeof text);
    page_fact(page, "date", text);
    page_facts_end(page);
}

void study_page_begin(FILE *page, const char *title, const struct study_conclusion *conclusion,
                      const struct study_options *options, const char *gpu)
{
    char text[STUDY_PAGE_SENTENCES * sizeof conclusion->sentences[0]] = "";
    page_begin(page, title);
    for (int i = 0; i < STUDY_PAGE_SENTENCES; i++) {
        strcat(text, i > 0 && conclusion->sentences[i][0] != '\0' ? " " : "");
        strcat(text, conclusion->sentences[i]);
    }
    if (text[0] != '\0')
        page_paragraph(page, "%s", text);
    write_facts(page, options, gpu);
}
