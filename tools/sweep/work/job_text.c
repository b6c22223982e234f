#define _GNU_SOURCE /* getline */
#include "tools/sweep/work/job_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"

void job_text_finish(struct job_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        free(text->arguments[i]);
    free(text->arguments);
    free(text->needs);
    free(text->split);
    *text = (struct job_text){0};
}

bool job_text_add(struct job_text *text, const char *argument)
{
    char *copy = strdup(argument);
    if (copy == NULL || !array_room(&text->arguments, text->count, sizeof *text->arguments) ||
        !array_room(&text->arguments, text->count + 1, sizeof *text->arguments)) {
        free(copy);
        return false;
    }
    text->arguments[text->count++] = copy;
    text->arguments[text->count] = NULL;
    return true;
}

static bool keep(char **place, const char *value)
{
    return *place != NULL || (*place = strdup(value)) != NULL;
}

static bool take_line(struct job_text *text, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *value = strchr(line, ' ');
    if (value == NULL)
        return true;
    *value++ = '\0';
    if (strcmp(line, "kind") == 0)
        text->simulates = strcmp(value, "run") == 0 || strcmp(value, "segment") == 0;
    if (strcmp(line, "needs") == 0)
        return keep(&text->needs, value);
    if (strcmp(line, "split") == 0)
        return keep(&text->split, value);
    return strcmp(line, "argument") != 0 || job_text_add(text, value);
}

int job_text_read(struct job_text *text, const char *folder, struct error *err)
{
    char *line = NULL;
    size_t room = 0;
    *text = (struct job_text){0};
    FILE *in = paths_open(folder, "job", "r");
    if (in == NULL)
        return error_set(err, ERROR_USAGE, folder, 0, 0, "not the folder of a job: %s",
                         strerror(errno));
    bool good = true;
    while (good && getline(&line, &room, in) >= 0)
        good = take_line(text, line);
    good &= feof(in) != 0; /* a line may have found no memory */
    free(line);
    fclose(in);
    return good ? 0 : error_no_memory(err);
}
