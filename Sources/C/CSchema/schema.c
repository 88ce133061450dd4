#include "CSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Swift's own embedding makes an array literal of the file, which takes the compiler seconds; this takes none.
static const unsigned char bytes[] = {
#embed "../../../schema.sql"
};

const unsigned char *castq_schema(void) { return bytes; }

unsigned long castq_schema_length(void) { return sizeof bytes; }
