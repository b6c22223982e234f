#include "traces/base/draft.h"

#include <stdlib.h>

bool draft_begin(struct draft *draft)
{
    *draft = (struct draft){0};
    draft->out = open_memstream(&draft->text, &draft->size);
    return draft->out != NULL;
}

bool draft_end(struct draft *draft)
{
    if (fclose(draft->out) != 0) {
        free(draft->text);
        draft->text = NULL;
    }
    return draft->text != NULL; /* where fclose() lacks memory, it only sets NULL */
}
