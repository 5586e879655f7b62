/* model: the documents that rows cite, from spec/documents.def, and the pictures of faults, from spec/pictures.def. */
#include <string.h>

#include <ptog/rule.h>

static const struct ptog_document documents[] = {
#define DOCUMENT(number, name) {(number), (name)},
#include "spec/documents.def"
#undef DOCUMENT
};

static const struct ptog_picture pictures[] = {
#define PICTURE(id, target, wrong, drawn_wrong, right, drawn_right)                                                    \
    {(id), (target), BEFORE, AFTER, wrong, right, drawn_wrong, drawn_right},
#include "spec/pictures.def"
#undef PICTURE
};

const struct ptog_document *ptog_document_at(size_t i)
{
    if (i < sizeof documents / sizeof documents[0])
        return &documents[i];
    return NULL;
}

const struct ptog_picture *ptog_picture_at(size_t i)
{
    if (i < sizeof pictures / sizeof pictures[0])
        return &pictures[i];
    return NULL;
}

const struct ptog_picture *ptog_picture_find(const char *id)
{
    for (size_t i = 0; id && ptog_picture_at(i); i++)
        if (strcmp(pictures[i].id, id) == 0)
            return &pictures[i];
    return NULL;
}
