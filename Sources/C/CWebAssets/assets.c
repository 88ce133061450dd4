#include "CWebAssets.h"

#include <stddef.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

// Swift's own embedding makes an array literal of each file, which takes the compiler 20 s for 100 KB; this takes none.

// BEGIN FILES: one #embed for each file of Sources/Faces/CastqWeb/Assets.
static const unsigned char app_css[] = {
#embed "../../Faces/CastqWeb/Assets/app.css"
};
static const unsigned char add_js[] = {
#embed "../../Faces/CastqWeb/Assets/add.js"
};
static const unsigned char announce_js[] = {
#embed "../../Faces/CastqWeb/Assets/announce.js"
};
static const unsigned char app_js[] = {
#embed "../../Faces/CastqWeb/Assets/app.js"
};
static const unsigned char casting_js[] = {
#embed "../../Faces/CastqWeb/Assets/casting.js"
};
static const unsigned char chooser_js[] = {
#embed "../../Faces/CastqWeb/Assets/chooser.js"
};
static const unsigned char controller_js[] = {
#embed "../../Faces/CastqWeb/Assets/controller.js"
};
static const unsigned char drop_js[] = {
#embed "../../Faces/CastqWeb/Assets/drop.js"
};
static const unsigned char found_js[] = {
#embed "../../Faces/CastqWeb/Assets/found.js"
};
static const unsigned char history_rows_js[] = {
#embed "../../Faces/CastqWeb/Assets/history-rows.js"
};
static const unsigned char icon_192_png[] = {
#embed "../../Faces/CastqWeb/Assets/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../../Faces/CastqWeb/Assets/icon-512.png"
};
static const unsigned char icon_svg[] = {
#embed "../../Faces/CastqWeb/Assets/icon.svg"
};
static const unsigned char keys_js[] = {
#embed "../../Faces/CastqWeb/Assets/keys.js"
};
static const unsigned char lanes_js[] = {
#embed "../../Faces/CastqWeb/Assets/lanes.js"
};
static const unsigned char library_acts_js[] = {
#embed "../../Faces/CastqWeb/Assets/library-acts.js"
};
static const unsigned char library_css[] = {
#embed "../../Faces/CastqWeb/Assets/library.css"
};
static const unsigned char library_js[] = {
#embed "../../Faces/CastqWeb/Assets/library.js"
};
static const unsigned char listbox_js[] = {
#embed "../../Faces/CastqWeb/Assets/listbox.js"
};
static const unsigned char live_js[] = {
#embed "../../Faces/CastqWeb/Assets/live.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "../../Faces/CastqWeb/Assets/manifest.webmanifest"
};
static const unsigned char now_css[] = {
#embed "../../Faces/CastqWeb/Assets/now.css"
};
static const unsigned char occurrence_js[] = {
#embed "../../Faces/CastqWeb/Assets/occurrence.js"
};
static const unsigned char palette_js[] = {
#embed "../../Faces/CastqWeb/Assets/palette.js"
};
static const unsigned char plain_css[] = {
#embed "../../Faces/CastqWeb/Assets/plain.css"
};
static const unsigned char queue_js[] = {
#embed "../../Faces/CastqWeb/Assets/queue.js"
};
static const unsigned char reports_css[] = {
#embed "../../Faces/CastqWeb/Assets/reports.css"
};
static const unsigned char reports_js[] = {
#embed "../../Faces/CastqWeb/Assets/reports.js"
};
static const unsigned char rules_js[] = {
#embed "../../Faces/CastqWeb/Assets/rules.js"
};
static const unsigned char schedule_css[] = {
#embed "../../Faces/CastqWeb/Assets/schedule.css"
};
static const unsigned char store_js[] = {
#embed "../../Faces/CastqWeb/Assets/store.js"
};
static const unsigned char stream_js[] = {
#embed "../../Faces/CastqWeb/Assets/stream.js"
};
static const unsigned char test_card_mp4[] = {
#embed "../../Faces/CastqWeb/Assets/test-card.mp4"
};
static const unsigned char toasts_js[] = {
#embed "../../Faces/CastqWeb/Assets/toasts.js"
};
static const unsigned char wall_js[] = {
#embed "../../Faces/CastqWeb/Assets/wall.js"
};
static const unsigned char why_js[] = {
#embed "../../Faces/CastqWeb/Assets/why.js"
};
// END FILES

#define ASSET(name, type, bytes) {name, type, bytes, sizeof bytes}
#define CSS "text/css; charset=utf-8"
#define JS "text/javascript; charset=utf-8"
#define SVG "image/svg+xml"
#define PNG "image/png"
#define MP4 "video/mp4"
#define MANIFEST "application/manifest+json"

static const castq_web_asset assets[] = {
    // BEGIN TABLE: the same files by name.
    ASSET("app.css", CSS, app_css),
    ASSET("add.js", JS, add_js),
    ASSET("announce.js", JS, announce_js),
    ASSET("app.js", JS, app_js),
    ASSET("casting.js", JS, casting_js),
    ASSET("chooser.js", JS, chooser_js),
    ASSET("controller.js", JS, controller_js),
    ASSET("drop.js", JS, drop_js),
    ASSET("found.js", JS, found_js),
    ASSET("history-rows.js", JS, history_rows_js),
    ASSET("icon-192.png", PNG, icon_192_png),
    ASSET("icon-512.png", PNG, icon_512_png),
    ASSET("icon.svg", SVG, icon_svg),
    ASSET("keys.js", JS, keys_js),
    ASSET("lanes.js", JS, lanes_js),
    ASSET("library-acts.js", JS, library_acts_js),
    ASSET("library.css", CSS, library_css),
    ASSET("library.js", JS, library_js),
    ASSET("listbox.js", JS, listbox_js),
    ASSET("live.js", JS, live_js),
    ASSET("manifest.webmanifest", MANIFEST, manifest_webmanifest),
    ASSET("now.css", CSS, now_css),
    ASSET("occurrence.js", JS, occurrence_js),
    ASSET("palette.js", JS, palette_js),
    ASSET("plain.css", CSS, plain_css),
    ASSET("queue.js", JS, queue_js),
    ASSET("reports.css", CSS, reports_css),
    ASSET("reports.js", JS, reports_js),
    ASSET("rules.js", JS, rules_js),
    ASSET("schedule.css", CSS, schedule_css),
    ASSET("store.js", JS, store_js),
    ASSET("stream.js", JS, stream_js),
    ASSET("test-card.mp4", MP4, test_card_mp4),
    ASSET("toasts.js", JS, toasts_js),
    ASSET("wall.js", JS, wall_js),
    ASSET("why.js", JS, why_js),
    // END TABLE
};

const castq_web_asset *castq_web_asset_at(unsigned long index) {
  return index < sizeof assets / sizeof assets[0] ? &assets[index] : NULL;
}
