#ifndef CASTQ_WEB_ASSETS_H
#define CASTQ_WEB_ASSETS_H

// A file that the browser gets, compiled in: the program has none beside it.
typedef struct {
  const char *_Nonnull name;
  // Its media type.
  const char *_Nonnull type;
  const unsigned char *_Nonnull bytes;
  unsigned long length;
} castq_web_asset;

// The asset with this number, from 0; NULL past the last one.
const castq_web_asset *_Nullable castq_web_asset_at(unsigned long index);

#endif
