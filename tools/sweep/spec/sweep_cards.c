#include "tools/sweep/spec/sweep_cards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sim/config.h"
#include "tools/sweep/spec/launcher_parts.h"
#include "traces/base/bytes.h"
#include "traces/base/files/paths.h"
#include "traces/base/spelling.h"

static const char *find_bundled(const char *name, size_t length)
{
    for (const struct sim_bundled_config *card = sim_bundled_configs; card->name != NULL;
         card++)
        if (strlen(card->name) == length && strncasecmp(card->name, name, length) == 0)
            return card->name;
    return NULL;
}

/* Adds the option file NAME. Returns 1, 0 if there is none, or -1. */
static int add_file(struct sweep_spec *spec, struct sweep_card *card, const char *folder,
                    const char *name, struct error *err)
{
    char *joined = name[0] == '/' ? strdup(name) : paths_join(folder, name);
    char *path = joined != NULL ? paths_absolute(joined) : NULL;
    int result = path == NULL ? error_no_memory(err) : access(path, F_OK) == 0;
    if (result == 1 && !sweep_spec_add(spec, &card->files, path))
        result = error_no_memory(err);
    free(joined);
    free(path);
    return result;
}

/* What the launcher calls so, on the card as its files say. Returns 1, 0 if there is no such
 * part, or -1. */
static int take_known(struct sweep_spec *spec, struct sweep_card *card, const char *part,
                      struct error *err)
{
    struct sim_config *config = sim_config_create(
        card->files.items, (unsigned)card->files.count, NULL, 0, NULL, NULL, err);
    if (config == NULL)
        return -1;
    int result = launcher_parts_add(spec, &card->values, config, part, err);
    sim_config_destroy(config);
    return result;
}

/* Returns 1, 0 if no line defines PART, or -1. */
static int take_define(struct sweep_spec *spec, struct sweep_card *card, const char *part,
                       struct error *err)
{
    for (size_t d = 0; d < spec->define_count; d++) {
        const struct sweep_names *values = &spec->defines[d].values;
        if (strcmp(spec->defines[d].name, part) != 0)
            continue;
        for (size_t v = 0; v < values->count; v++)
            if (!sweep_spec_add(spec, &card->values, values->items[v]))
                return error_no_memory(err);
        return 1;
    }
    return 0;
}

static int take_part(struct sweep_spec *spec, struct sweep_card *card, const char *part,
                     struct error *err)
{
    int taken = take_define(spec, card, part, err);
    if (taken == 0)
        taken = take_known(spec, card, part, err);
    if (taken == 0)
        return error_set(err, ERROR_USAGE, NULL, 0, 0,
                         "\"%s\" is not SASS or another part that docs/sweeps.md lists, nor a "
                         "name that a line \"define\" before has",
                         part);
    return taken < 0 ? -1 : 0;
}

/* Of NAME, LENGTH characters are what may be a bundled configuration. */
static int no_card(const char *name, size_t length, struct error *err)
{
    char card[SPELLING_LIMIT], hint[SPELLING_HINT];
    snprintf(card, sizeof card, "%.*s", (int)length, name);
    struct spelling_guess guess = spelling_guess(card);
    for (const struct sim_bundled_config *b = sim_bundled_configs; b->name != NULL; b++)
        spelling_consider(&guess, b->name);
    return error_set(err, ERROR_USAGE, NULL, 0, 0,
                     "\"%s\" is not a file or a bundled configuration%s", name,
                     guess.name != NULL ? spelling_hint(&guess, "", hint)
                                        : "; hearth config list shows these");
}

/* NAME or NAME-PART-PART. */
static int take_source(struct sweep_spec *spec, struct sweep_card *card, const char *folder,
                       char *name, struct error *err)
{
    const char *bundled = find_bundled(name, strlen(name));
    if (bundled != NULL)
        return sweep_spec_add(spec, &card->files, bundled) ? 0 : error_no_memory(err);
    int file = add_file(spec, card, folder, name, err);
    if (file != 0)
        return file < 0 ? -1 : 0;
    size_t length = strcspn(name, "-");
    bundled = find_bundled(name, length);
    if (bundled == NULL)
        return no_card(name, length, err);
    if (!sweep_spec_add(spec, &card->files, bundled))
        return error_no_memory(err);
    char *rest = name + length, *at;
    for (char *part = strtok_r(rest, "-", &at); part != NULL; part = strtok_r(NULL, "-", &at))
        if (take_part(spec, card, part, err) != 0)
            return -1;
    return 0;
}

int sweep_cards_add(struct sweep_spec *spec, const char *folder, const struct sweep_line *line,
                    size_t word, struct error *err)
{
    struct error wrong = {0};
    struct sweep_card card = {.name = sweep_spec_keep(spec, line->words[word].text)};
    if (card.name == NULL || !array_room(&spec->cards, spec->card_count, sizeof card))
        return error_no_memory(err);
    for (size_t c = 0; c < spec->card_count; c++)
        if (strcmp(spec->cards[c].name, card.name) == 0)
            return sweep_line_fail(line, word, err, "the card is there already");
    int result = 0;
    char *text = line->words[word].text, *at;
    for (char *name = strtok_r(text, "+", &at); name != NULL && result == 0;
         name = strtok_r(NULL, "+", &at))
        result = take_source(spec, &card, folder, name, &wrong);
    spec->cards[spec->card_count++] = card;
    if (result != 0)
        return sweep_line_fail(line, word, err, "%s", wrong.text);
    return card.files.count > 0 ? 0 : sweep_line_fail(line, word, err, "a name is expected");
}
