-- castq: the whole current schema. A database made by the program is exactly this; a test proves it.
--
-- What the user wants and what happened are rows; what is happening now lives in the feeder. Intent columns are written by
-- commands, outcome columns by the feeder that holds the device's lock. Times are milliseconds since 1970 in UTC, positions and
-- lengths are seconds. JSON columns hold what the Cast protocol leaves open; only their shape is checked, because SQLite's JSON
-- functions may not stand in a schema that is opened with trusted_schema off.

-- ---------------------------------------------------------------------------------------------------------------------------
-- Devices
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TABLE device (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  name         TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  alias        TEXT UNIQUE COLLATE NOCASE CHECK (alias <> ''),
  uuid         TEXT UNIQUE CHECK (uuid <> ''),
  model        TEXT,
  host         TEXT NOT NULL CHECK (host <> ''),
  port         INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  -- How it became known: given by the user, or found.
  origin       TEXT NOT NULL DEFAULT 'static' CHECK (origin IN ('static', 'mdns')),
  is_group     INTEGER NOT NULL DEFAULT 0 CHECK (is_group IN (0, 1)),
  is_default   INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  -- Bits the device announces; NULL when it never did.
  capabilities INTEGER,
  -- SHA-256 of the key the device proved itself with; NULL while none is pinned.
  pinned_key   TEXT,
  last_seen_at INTEGER,
  created_at   INTEGER NOT NULL,

  -- Since version 3. `host` and `port` say where it was reached or heard last, this is what a person gave.
  static_host  TEXT CHECK (static_host <> ''),
  static_port  INTEGER CHECK (static_port BETWEEN 1 AND 65535 AND (static_port IS NULL) = (static_host IS NULL)),
  -- What it calls itself; `name` follows it unless a person gave the name.
  friendly_name TEXT CHECK (friendly_name <> ''),
  is_named     INTEGER NOT NULL DEFAULT 0 CHECK (is_named IN (0, 1)),
  -- Somebody named, chose or used it. Rows that only a scan has made are bounded in number.
  is_picked    INTEGER NOT NULL DEFAULT 0 CHECK (is_picked IN (0, 1)),
  -- How it was seen last; NULL when it never was.
  seen_by      TEXT CHECK (seen_by IN ('mdns', 'connect')),
  status_text  TEXT,
  -- How it has to prove who it is; a file of certificates goes with 'roots' alone.
  trust        TEXT NOT NULL DEFAULT 'pin' CHECK (trust IN ('off', 'pin', 'roots')),
  trust_roots  TEXT CHECK ((trust = 'roots') = (trust_roots IS NOT NULL)),
  pinned_at    INTEGER CHECK (pinned_at IS NULL OR pinned_key IS NOT NULL),
  -- Whether it answered a challenge the last time; NULL while it was never asked.
  can_prove    INTEGER CHECK (can_prove IN (0, 1)),

  -- Since version 5. When it last said nothing at all when it was asked for a proof; NULL when it has answered since.
  silent_at    INTEGER,
  -- The name under which its UUID was announced last, when that is not the one it has proved; nobody has proved this one.
  announced_name TEXT CHECK (announced_name <> '')
) STRICT;

CREATE UNIQUE INDEX device_default ON device (is_default) WHERE is_default = 1;

-- One queue a device.
CREATE TABLE queue (
  device_id    INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  -- Travels in the tag of each item, so that another database's items are never taken for ours.
  identity     TEXT NOT NULL UNIQUE CHECK (length(identity) >= 16),
  repeat_mode  TEXT NOT NULL DEFAULT 'off' CHECK (repeat_mode IN ('off', 'all', 'one')),
  is_shuffled  INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
  shuffle_seed INTEGER NOT NULL DEFAULT 0,
  -- The round the list is in; entries of this round and of earlier ones are due.
  round        INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  -- Since version 2: what people call the list that was put in; NULL when nobody said.
  name         TEXT CHECK (name <> ''),
  -- Since version 5: when it was stopped by a person or by an entry that failed; NULL when it may play.
  stopped_at   INTEGER
) STRICT;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Media
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TABLE media_item (
  id                       INTEGER PRIMARY KEY,
  content_id               TEXT NOT NULL,
  content_url              TEXT,
  content_type             TEXT,
  stream_type              TEXT NOT NULL,
  duration_s               REAL CHECK (duration_s >= 0),
  hls_segment_format       TEXT,
  hls_video_segment_format TEXT,
  start_absolute_time_s    REAL,
  entity                   TEXT,
  vmap_ad_tag_url          TEXT,
  vmap_ads_response        TEXT,
  text_track_style         TEXT CHECK (text_track_style GLOB '{*}'),
  custom_data              TEXT CHECK (custom_data <> ''),
  -- Members this version does not know, kept for the receiver.
  unknown_members          TEXT CHECK (unknown_members GLOB '{*}')
) STRICT;

CREATE TABLE media_metadata (
  media_item_id INTEGER PRIMARY KEY REFERENCES media_item (id) ON DELETE CASCADE,
  -- 0 generic, 1 movie, 2 TV show, 3 music track, 4 photo, 5 audiobook chapter, 100 and above an application's own.
  kind          INTEGER NOT NULL CHECK (kind >= 0),
  title         TEXT,
  subtitle      TEXT,
  -- Every other member by its wire key.
  members       TEXT CHECK (members GLOB '{*}')
) STRICT;

CREATE TABLE media_image (
  media_item_id INTEGER NOT NULL REFERENCES media_item (id) ON DELETE CASCADE,
  ordinal       INTEGER NOT NULL CHECK (ordinal >= 0),
  url           TEXT NOT NULL,
  width         INTEGER,
  height        INTEGER,
  PRIMARY KEY (media_item_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE media_track (
  media_item_id   INTEGER NOT NULL REFERENCES media_item (id) ON DELETE CASCADE,
  ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
  track_id        INTEGER NOT NULL,
  kind            TEXT NOT NULL,
  subtype         TEXT,
  content_id      TEXT,
  content_type    TEXT,
  language        TEXT,
  name            TEXT,
  roles           TEXT CHECK (roles GLOB '[[]*]'),
  custom_data     TEXT CHECK (custom_data <> ''),
  unknown_members TEXT CHECK (unknown_members GLOB '{*}'),
  PRIMARY KEY (media_item_id, ordinal),
  UNIQUE (media_item_id, track_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ad_break (
  media_item_id   INTEGER NOT NULL REFERENCES media_item (id) ON DELETE CASCADE,
  ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
  break_id        TEXT NOT NULL,
  -- NULL is a post-roll.
  position_s      REAL CHECK (position_s >= 0),
  duration_s      REAL CHECK (duration_s >= 0),
  is_watched      INTEGER NOT NULL CHECK (is_watched IN (0, 1)),
  is_embedded     INTEGER NOT NULL CHECK (is_embedded IN (0, 1)),
  is_expanded     INTEGER NOT NULL CHECK (is_expanded IN (0, 1)),
  -- The clips in the order they play.
  clip_ids        TEXT NOT NULL CHECK (clip_ids GLOB '[[]*]'),
  unknown_members TEXT CHECK (unknown_members GLOB '{*}'),
  PRIMARY KEY (media_item_id, ordinal),
  UNIQUE (media_item_id, break_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ad_break_clip (
  media_item_id      INTEGER NOT NULL REFERENCES media_item (id) ON DELETE CASCADE,
  ordinal            INTEGER NOT NULL CHECK (ordinal >= 0),
  clip_id            TEXT NOT NULL,
  title              TEXT,
  content_id         TEXT,
  content_url        TEXT,
  content_type       TEXT,
  duration_s         REAL CHECK (duration_s >= 0),
  click_through_url  TEXT,
  poster_url         TEXT,
  -- Seconds into the clip; NULL is never.
  when_skippable_s   REAL,
  hls_segment_format TEXT,
  vast_ad_tag_url    TEXT,
  vast_ads_response  TEXT,
  custom_data        TEXT CHECK (custom_data <> ''),
  unknown_members    TEXT CHECK (unknown_members GLOB '{*}'),
  PRIMARY KEY (media_item_id, ordinal),
  UNIQUE (media_item_id, clip_id)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------------------------------------------------------------------
-- The queue
-- ---------------------------------------------------------------------------------------------------------------------------

CREATE TABLE queue_entry (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id           INTEGER NOT NULL REFERENCES queue (device_id) ON DELETE CASCADE,
  media_item_id       INTEGER NOT NULL UNIQUE REFERENCES media_item (id),

  -- Intent: where it stands and how it is to be played.
  position            INTEGER NOT NULL,
  autoplay            INTEGER NOT NULL DEFAULT 1 CHECK (autoplay IN (0, 1)),
  start_time_s        REAL CHECK (start_time_s >= 0),
  playback_duration_s REAL CHECK (playback_duration_s > 0),
  preload_time_s      REAL CHECK (preload_time_s >= 0),
  playback_rate       REAL CHECK (playback_rate BETWEEN 0.5 AND 2),
  active_track_ids    TEXT CHECK (active_track_ids GLOB '[[]*]'),
  custom_data         TEXT CHECK (custom_data <> ''),
  source_file         TEXT,
  source_line         INTEGER CHECK (source_line >= 1),
  not_before          INTEGER,
  not_after           INTEGER CHECK (not_after >= not_before),
  created_at          INTEGER NOT NULL,

  -- Outcome: what became of it.
  state               TEXT NOT NULL DEFAULT 'pending' CHECK (state IN (
                        'pending', 'offered', 'queued', 'playing',
                        'finished', 'failed', 'skipped', 'interrupted', 'cancelled')),
  -- Counts its offerings; the newest one has this number.
  turn                INTEGER NOT NULL DEFAULT 0 CHECK (turn >= 0),
  -- The round it is due in next.
  round               INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  attempts            INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  offered_at          INTEGER,

  -- Intent again, since version 2.
  -- For the receiver application.
  credentials         TEXT,
  credentials_type    TEXT,
  -- What to do when it cannot be played: skip, stop or how often to retry; NULL is the feeder's own rule.
  on_error            TEXT CHECK (on_error IN ('skip', 'stop') OR on_error GLOB 'retry [1-9]*'),

  -- Since version 4. What is shown while nothing of the list can be is a list of its own, with positions of its own; its
  -- present round is the lowest one of its entries.
  role                TEXT NOT NULL DEFAULT 'main' CHECK (role IN ('main', 'fallback')),

  -- Since version 5. Who wrote it: files of this machine are served for what this machine's own lists name alone.
  origin              TEXT NOT NULL DEFAULT 'network' CHECK (origin IN ('local', 'network')),

  -- Since version 6. What its list says of it to other players, for export: {"attributes": [[name, value]], "lines": [text]}.
  foreign_fields      TEXT CHECK (foreign_fields GLOB '{*}'),

  CHECK (source_line IS NULL OR source_file IS NOT NULL),
  -- What the receiver has, or has had, was offered to it.
  CHECK (state NOT IN ('offered', 'queued', 'playing', 'finished') OR (turn > 0 AND offered_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX queue_entry_order ON queue_entry (device_id, role, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_due ON queue_entry (device_id, role, round, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_on_receiver ON queue_entry (device_id) WHERE state IN ('offered', 'queued', 'playing');
-- One screen shows one thing.
CREATE UNIQUE INDEX queue_entry_playing ON queue_entry (device_id) WHERE state = 'playing';

-- Media nobody plays any more goes with its entry; history keeps its own words.
CREATE TRIGGER queue_entry_media AFTER DELETE ON queue_entry BEGIN
  DELETE FROM media_item WHERE id = old.media_item_id;
END;

-- ---------------------------------------------------------------------------------------------------------------------------
-- History: proof of play
-- ---------------------------------------------------------------------------------------------------------------------------

-- One playing of one entry. Rows outlive entries and devices, so they carry the words of that day.
CREATE TABLE play (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id         INTEGER NOT NULL,
  turn             INTEGER NOT NULL CHECK (turn > 0),
  device_id        INTEGER REFERENCES device (id) ON DELETE SET NULL,
  device_name      TEXT NOT NULL,
  title            TEXT NOT NULL,
  url              TEXT NOT NULL,
  source_file      TEXT,
  source_line      INTEGER,
  -- NULL when no frame was ever shown.
  started_at       INTEGER,
  ended_at         INTEGER,
  -- The last moment anything was heard of it: where a play that nobody saw end is said to end.
  observed_at      INTEGER,
  start_position_s REAL,
  end_position_s   REAL,
  -- Seconds of media shown, pauses and seeks taken out.
  played_s         REAL NOT NULL DEFAULT 0 CHECK (played_s >= 0),
  duration_s       REAL CHECK (duration_s >= 0),
  outcome          TEXT CHECK (outcome IN ('finished', 'interrupted', 'cancelled', 'skipped', 'failed', 'unknown')),
  evidence         TEXT CHECK (evidence IN ('reported', 'inferred', 'unobserved')),
  -- The receiver's own words.
  idle_reason      TEXT,
  error_type       TEXT,
  error_reason     TEXT,
  detailed_code    INTEGER,
  -- Ours.
  note             TEXT,
  gap_before_s     REAL CHECK (gap_before_s >= 0),

  UNIQUE (entry_id, turn),
  CHECK (started_at IS NOT NULL OR ended_at IS NOT NULL),
  CHECK (started_at IS NOT NULL OR played_s = 0),
  CHECK ((ended_at IS NULL) = (outcome IS NULL) AND (outcome IS NULL) = (evidence IS NULL))
) STRICT;

CREATE INDEX play_time ON play (coalesce(started_at, ended_at));
CREATE INDEX play_open ON play (device_id) WHERE ended_at IS NULL;

CREATE TABLE ad_break_play (
  play_id    INTEGER NOT NULL REFERENCES play (id) ON DELETE CASCADE,
  break_id   TEXT NOT NULL,
  clip_id    TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  played_s   REAL NOT NULL CHECK (played_s >= 0),
  is_skipped INTEGER NOT NULL CHECK (is_skipped IN (0, 1)),
  PRIMARY KEY (play_id, break_id, clip_id, started_at)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------------------------------------------------------------------
-- What local files are made of, since version 7
-- ---------------------------------------------------------------------------------------------------------------------------

-- What ffprobe read, so that a file is read once. A memory: each row may go at any time.
CREATE TABLE media_probe (
  path        TEXT PRIMARY KEY CHECK (path GLOB '/*'),
  -- Bytes, and nanoseconds since 1970: a file with others is another one.
  size        INTEGER NOT NULL CHECK (size >= 0),
  modified_at INTEGER NOT NULL,
  probed_at   INTEGER NOT NULL,
  -- In the form of ffprobe, with the members that are used.
  document    TEXT CHECK (document GLOB '{*}'),
  -- Why it is no media.
  problem     TEXT CHECK (problem <> ''),
  CHECK ((document IS NULL) <> (problem IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX media_probe_age ON media_probe (probed_at);
