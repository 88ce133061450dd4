#include "CWebAssets.h"

#include <stddef.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

// Swift's own embedding makes an array literal of each file, which takes the compiler 20 s for 100 KB; this takes none.

// BEGIN FILES: one #embed for each file of Sources/CastqWeb/Assets.
static const unsigned char app_css[] = {
#embed "../CastqWeb/Assets/app.css"
};
static const unsigned char app_js[] = {
#embed "../CastqWeb/Assets/app.js"
};
// END FILES

#define ASSET(name, type, bytes) {name, type, bytes, sizeof bytes}
#define CSS "text/css; charset=utf-8"
#define JS "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"
#define PNG "image/png"
#define MANIFEST "application/manifest+json"

static const castq_web_asset assets[] = {
    // BEGIN TABLE: the same files by name.
    ASSET("app.css", CSS, app_css),
    ASSET("app.js", JS, app_js),
    // END TABLE
};

const castq_web_asset *castq_web_asset_at(unsigned long index) {
  return index < sizeof assets / sizeof assets[0] ? &assets[index] : NULL;
}
