#ifndef CASTQ_SCHEMA_H
#define CASTQ_SCHEMA_H

// The text of schema.sql, in UTF-8, compiled in: the program has no file beside it.
const unsigned char *_Nonnull castq_schema(void);

// Its bytes.
unsigned long castq_schema_length(void);

#endif
