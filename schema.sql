-- castq: the whole current schema. A database made by the program is exactly this; a test proves it. The file carries the schema's
-- version as user_version, and as application_id that it is castq's.
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

  -- What a person gave; `host` and `port` say where it was reached or heard last.
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
  -- When it last said nothing at all when it was asked for a proof; NULL when it has answered since.
  silent_at    INTEGER,
  -- The name under which its UUID was announced last, when that is not the one it has proved; nobody has proved this one.
  announced_name TEXT CHECK (announced_name <> ''),
  -- The IANA name of the zone in which its rules are read; NULL is the site's.
  zone         TEXT CHECK (zone <> '')
) STRICT;

CREATE UNIQUE INDEX device_default ON device (is_default) WHERE is_default = 1;

-- The queues of a device: what people put in, and one for each programme it has shown.
CREATE TABLE queue (
  -- That of its device for what people put in; below zero for a programme's.
  id           INTEGER PRIMARY KEY,
  device_id    INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  -- NULL for what people put in: the base, which plays whenever no rule wins.
  programme_id INTEGER REFERENCES programme (id) ON DELETE CASCADE,
  -- For rules that start at moments of their own: they interrupt, also what plays the same programme, which has its own place.
  for_starts   INTEGER NOT NULL DEFAULT 0 CHECK (for_starts IN (0, 1)),
  -- Travels in the tag of each item, so that another database's items are never taken for ours.
  identity     TEXT NOT NULL UNIQUE CHECK (length(identity) >= 16),
  repeat_mode  TEXT NOT NULL DEFAULT 'off' CHECK (repeat_mode IN ('off', 'all', 'one')),
  is_shuffled  INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
  shuffle_seed INTEGER NOT NULL DEFAULT 0,
  -- The round the list is in; entries of this round and of earlier ones are due.
  round        INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  -- What people call the list that was put in; NULL when it has no name.
  name         TEXT CHECK (name <> ''),
  -- When it was stopped by a person or by an entry that failed; NULL when it may play.
  stopped_at   INTEGER,
  -- The list of the configuration that it has got last, with the settings that came of it; NULL when it has none.
  configured_list TEXT CHECK (configured_list GLOB '{*}'),
  -- What its lists say of themselves to other players; NULL when they say nothing.
  foreign_fields TEXT CHECK (foreign_fields GLOB '{*}'),
  CHECK ((programme_id IS NULL) = (id = device_id)),
  UNIQUE (device_id, programme_id, for_starts)
) STRICT;

CREATE INDEX queue_programme ON queue (programme_id) WHERE programme_id IS NOT NULL;

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
  queue_id            INTEGER NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
  -- That of its queue: one screen shows one thing, whichever of its queues that is in.
  device_id           INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
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

  -- Intent again. For the receiver application.
  credentials         TEXT,
  credentials_type    TEXT,
  -- What to do when it cannot be played: skip, stop or how often to retry; NULL is the feeder's own rule.
  on_error            TEXT CHECK (on_error IN ('skip', 'stop') OR on_error GLOB 'retry [1-9]*'),

  -- What is shown while nothing of the list can be is a list of its own, with positions of its own; its
  -- present round is the lowest one of its entries.
  role                TEXT NOT NULL DEFAULT 'main' CHECK (role IN ('main', 'fallback')),

  -- Who wrote it: files of this machine are served for what this machine's own lists name alone.
  origin              TEXT NOT NULL DEFAULT 'network' CHECK (origin IN ('local', 'network')),

  -- What its list says of it to other players, for export: {"attributes": [[name, value]], "lines": [text]}.
  foreign_fields      TEXT CHECK (foreign_fields GLOB '{*}'),

  CHECK (source_line IS NULL OR source_file IS NOT NULL),
  -- What the receiver has, or has had, was offered to it.
  CHECK (state NOT IN ('offered', 'queued', 'playing', 'finished') OR (turn > 0 AND offered_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX queue_entry_order ON queue_entry (queue_id, role, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_due ON queue_entry (queue_id, role, round, position) WHERE state <> 'cancelled';
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

  -- What it was shown by; NULL in rows of very old files, which do not say.
  kind             TEXT CHECK (kind IN ('base', 'rule', 'announcement', 'share')),
  -- The rule, in the words of that day, and the local time that names its occurrence; NULL for the base.
  rule_id          INTEGER,
  rule_name        TEXT,
  rule_revision    INTEGER,
  occurrence       TEXT,
  -- When the occurrence was to begin.
  planned_at       INTEGER,
  decision_id      INTEGER,
  -- Proof: its place in the order of the ends, the hash over its words and the hash before, as hexadecimal digits.
  chain            INTEGER CHECK (chain > 0),
  hash             TEXT CHECK ((hash IS NULL) = (chain IS NULL) AND length(hash) = 64),
  -- The key with which the device had proved itself, as in `device.pinned_key`; NULL when it had not.
  device_key       TEXT,
  -- Whether the system's clock was synchronised at the end; NULL when that is unknown.
  is_clock_synchronised INTEGER CHECK (is_clock_synchronised IN (0, 1)),

  -- Why it ended, by the closed set of PlayCause; NULL while it plays, and where that is not known.
  cause            TEXT CHECK (cause IN (
                     'completed', 'time_limit', 'rule', 'announcement', 'share', 'rule_ended', 'replaced',
                     'skipped', 'stopped', 'transferred', 'quiet_hours', 'nothing_due', 'list_stopped', 'castq_ended',
                     'guest', 'device_stopped', 'device_lost', 'device_removed', 'other_box',
                     'failed', 'unplayable', 'stalled', 'ended_early', 'unreported', 'unobserved')),
  -- The name of the rule, or the title of the guest, that interrupted it; NULL where nothing with a name did.
  caused_by        TEXT CHECK (caused_by IS NULL OR (caused_by <> '' AND cause IS NOT NULL)),
  -- The highest speed at which it was played: 1 is the usual one; NULL where that is not known.
  rate             REAL CHECK (rate > 0),
  -- Seconds between its beginning and its end in which castq did not see the device; NULL where that is not known.
  unobserved_s     REAL CHECK (unobserved_s >= 0),
  -- Which try of the entry in its round it was, from 1; NULL where that is not known.
  attempt          INTEGER CHECK (attempt > 0),
  -- Proof: with what the hash of address, source and line is made, so that it can be shown without them; 32 hexadecimal digits.
  nonce            TEXT CHECK (length(nonce) = 32),
  -- How `hash` was made; NULL for format 1 and without a seal.
  proof_format     INTEGER
    CHECK (proof_format IS NULL OR (proof_format = 2 AND hash IS NOT NULL AND nonce IS NOT NULL)),

  UNIQUE (entry_id, turn),
  CHECK (started_at IS NOT NULL OR ended_at IS NOT NULL),
  CHECK (started_at IS NOT NULL OR played_s = 0),
  CHECK ((ended_at IS NULL) = (outcome IS NULL) AND (outcome IS NULL) = (evidence IS NULL))
) STRICT;

CREATE INDEX play_time ON play (coalesce(started_at, ended_at));
CREATE INDEX play_open ON play (device_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX play_chain ON play (chain) WHERE chain IS NOT NULL;

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
-- Lists that were not taken up
-- ---------------------------------------------------------------------------------------------------------------------------

-- What is wrong with the list of the configuration of a device, so that every face can say it; gone when the list is right again.
CREATE TABLE list_problem (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  -- The list; a file as an absolute path.
  source    TEXT NOT NULL CHECK (source <> ''),
  -- NULL when it is about the whole list.
  line      INTEGER CHECK (line >= 1),
  message   TEXT NOT NULL CHECK (message <> ''),
  since     INTEGER NOT NULL
) STRICT;

CREATE INDEX list_problem_device ON list_problem (device_id);

-- ---------------------------------------------------------------------------------------------------------------------------
-- What local files are made of
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

-- ---------------------------------------------------------------------------------------------------------------------------
-- Programmes and rules
-- ---------------------------------------------------------------------------------------------------------------------------

-- Something that can be played.
CREATE TABLE programme (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  name          TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- A list, a folder, an address: what `enqueue` takes. Files as absolute paths.
  source        TEXT NOT NULL CHECK (source <> ''),
  -- That of the list when it was read last; NULL when it never was.
  source_digest TEXT,
  is_shuffled   INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
  seed          INTEGER NOT NULL DEFAULT 0,
  -- What is shown while nothing of it can be; NULL is what lies below.
  filler_id     INTEGER REFERENCES programme (id) ON DELETE SET NULL CHECK (filler_id <> id),
  -- Made by a person; the others are made for a rule that names a source, and go with it.
  is_named      INTEGER NOT NULL DEFAULT 1 CHECK (is_named IN (0, 1)),
  -- Why the source could not be read last; NULL when it could.
  problem       TEXT CHECK (problem <> ''),
  created_at    INTEGER NOT NULL
) STRICT;

-- A programme that goes is looked for by what refers to it.
CREATE INDEX programme_filler ON programme (filler_id) WHERE filler_id IS NOT NULL;

CREATE TABLE device_group (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> '')
) STRICT;

CREATE TABLE group_member (
  group_id  INTEGER NOT NULL REFERENCES device_group (id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, device_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- The file or address it was imported from; NULL when days were only added by hand.
  origin     TEXT,
  etag       TEXT,
  fetched_at INTEGER,
  -- Only events whose summary has this pattern were taken.
  filter     TEXT
) STRICT;

CREATE TABLE calendar_day (
  calendar_id INTEGER NOT NULL REFERENCES calendar (id) ON DELETE CASCADE,
  -- 2026-12-24
  day         TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  label       TEXT NOT NULL,
  PRIMARY KEY (calendar_id, day)
) STRICT, WITHOUT ROWID;

-- A part of the day with a name. An end that is not after the start is on the next day.
CREATE TABLE daypart (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- Local times: 08:00, 24:00.
  start_local TEXT NOT NULL,
  end_local   TEXT NOT NULL
) STRICT;

CREATE TABLE daypart_exception (
  daypart_id  INTEGER NOT NULL REFERENCES daypart (id) ON DELETE CASCADE,
  ordinal     INTEGER NOT NULL CHECK (ordinal >= 0),
  -- Days of the week as rules have them (mon-fri), or a calendar.
  days        TEXT,
  calendar_id INTEGER REFERENCES calendar (id),
  -- Both NULL: closed.
  start_local TEXT,
  end_local   TEXT,
  PRIMARY KEY (daypart_id, ordinal),
  CHECK ((days IS NULL) <> (calendar_id IS NULL)),
  CHECK ((start_local IS NULL) = (end_local IS NULL))
) STRICT, WITHOUT ROWID;

-- Where and when a programme is on the air.
CREATE TABLE rule (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  name             TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- Each change makes another one.
  revision         INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0),
  programme_id     INTEGER NOT NULL REFERENCES programme (id),
  -- Neither: all devices.
  device_id        INTEGER REFERENCES device (id) ON DELETE CASCADE,
  group_id         INTEGER REFERENCES device_group (id),
  priority         INTEGER NOT NULL DEFAULT 0,
  kind             TEXT NOT NULL CHECK (kind IN ('window', 'trigger', 'share')),
  form             TEXT NOT NULL CHECK (form IN ('always', 'daily', 'daypart', 'cron', 'calendar', 'once')),
  -- 08:00-10:30 mon-fri, breakfast, */5 * * * *; empty for always. A day part is named here and in daypart_id.
  expression       TEXT NOT NULL,
  daypart_id       INTEGER REFERENCES daypart (id),
  -- Elapsed seconds from each start; NULL is as long as the programme, or the form has an end of its own.
  duration_s       INTEGER CHECK (duration_s > 0),
  -- NULL is the device's, else the site's.
  zone             TEXT CHECK (zone <> ''),
  -- Both days included.
  valid_from       TEXT,
  valid_until      TEXT,
  only_on          INTEGER REFERENCES calendar (id),
  not_on           INTEGER REFERENCES calendar (id),
  start_mode       TEXT NOT NULL DEFAULT 'hard' CHECK (start_mode IN ('hard', 'next', 'wait')),
  wait_s           INTEGER CHECK ((start_mode = 'wait') = (wait_s IS NOT NULL) AND wait_s >= 0),
  end_mode         TEXT NOT NULL DEFAULT 'cut' CHECK (end_mode IN ('cut', 'finish')),
  resume           TEXT NOT NULL DEFAULT 'second' CHECK (resume IN ('second', 'item', 'restart')),
  share_s_per_hour INTEGER CHECK ((kind = 'share') = (share_s_per_hour IS NOT NULL) AND share_s_per_hour BETWEEN 1 AND 3600),
  max_per_hour     INTEGER CHECK (max_per_hour > 0),
  min_gap_s        INTEGER CHECK (min_gap_s >= 0),
  missed           TEXT NOT NULL DEFAULT 'skip' CHECK (missed IN ('skip', 'run', 'within')),
  missed_within_s  INTEGER CHECK ((missed = 'within') = (missed_within_s IS NOT NULL) AND missed_within_s >= 0),
  -- 0 to 1.
  volume           REAL CHECK (volume BETWEEN 0 AND 1),
  is_enabled       INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
  note             TEXT,
  -- Made by `schedule` and `share`; the others are announcements by hand, which go when they are over.
  is_named         INTEGER NOT NULL DEFAULT 1 CHECK (is_named IN (0, 1)),
  CHECK (device_id IS NULL OR group_id IS NULL),
  CHECK ((form = 'daypart') = (daypart_id IS NOT NULL)),
  CHECK (kind <> 'trigger' OR form IN ('cron', 'calendar', 'once'))
) STRICT;

CREATE INDEX rule_programme ON rule (programme_id);

-- What differs, by the local time that the rule itself gives (2026-12-24T08:00:00).
CREATE TABLE rule_exception (
  rule_id        INTEGER NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
  original_local TEXT NOT NULL,
  action         TEXT NOT NULL CHECK (action IN ('skip', 'move', 'replace')),
  new_local      TEXT CHECK ((action = 'move') = (new_local IS NOT NULL)),
  programme_id   INTEGER REFERENCES programme (id) CHECK ((action = 'replace') = (programme_id IS NOT NULL)),
  PRIMARY KEY (rule_id, original_local)
) STRICT, WITHOUT ROWID;

CREATE INDEX rule_exception_programme ON rule_exception (programme_id) WHERE programme_id IS NOT NULL;

-- What rules were, so that yesterday can be explained; rows outlive rules.
CREATE TABLE rule_history (
  rule_id  INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  -- The rule as `schedule show --json` has it; NULL before it was made, and after it was removed.
  before   TEXT CHECK (before GLOB '{*}'),
  after    TEXT CHECK (after GLOB '{*}'),
  PRIMARY KEY (rule_id, revision)
) STRICT, WITHOUT ROWID;

-- What day parts, calendars and groups were before each change, so that rules of yesterday can be read.
CREATE TABLE named_history (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  -- start: what was changed earlier is not here. A database that was made with this table has no such row.
  kind   TEXT NOT NULL CHECK (kind IN ('calendar', 'daypart', 'group', 'start')),
  name   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  -- The members that are different afterwards, as they were; null where there was none. Of a calendar its days with their labels, of a
  -- group the numbers of its devices, of a day part "part" and "exceptions".
  before TEXT NOT NULL CHECK (before GLOB '{*}')
) STRICT;

-- Which zones the site and its devices had, so that local times of yesterday can be read. What a rule has of its own is in rule_history.
CREATE TABLE zone_history (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL is the site.
  device_id INTEGER,
  at        INTEGER NOT NULL,
  -- NULL where a device had that of the site, and where the site's was not known.
  before    TEXT CHECK (before <> ''),
  after     TEXT CHECK (after <> '')
) STRICT;

-- What a share is owed on a device.
CREATE TABLE credit (
  rule_id       INTEGER NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
  device_id     INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  -- Below zero when it has had more than its share.
  owed_ms       INTEGER NOT NULL,
  plays_in_hour INTEGER NOT NULL CHECK (plays_in_hour >= 0),
  -- Hours since 1970 in UTC, which the plays are counted in.
  hour          INTEGER NOT NULL,
  last_at       INTEGER,
  PRIMARY KEY (rule_id, device_id)
) STRICT, WITHOUT ROWID;

-- Each moment at which something else came on a screen. Rows outlive devices and rules, so they carry the words of that day.
CREATE TABLE decision (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id      INTEGER REFERENCES device (id) ON DELETE SET NULL,
  device_name    TEXT NOT NULL,
  at             INTEGER NOT NULL,
  -- When the next one was made; NULL for the last one.
  until          INTEGER,
  kind           TEXT NOT NULL CHECK (kind IN ('rule', 'base', 'announcement', 'share', 'dark')),
  rule_id        INTEGER,
  rule_name      TEXT,
  revision       INTEGER,
  programme      TEXT,
  -- The local time that names the occurrence, and the moments that count.
  occurrence     TEXT,
  starts_at      INTEGER,
  -- NULL is as long as the programme plays.
  ends_at        INTEGER,
  is_replacement INTEGER NOT NULL DEFAULT 0 CHECK (is_replacement IN (0, 1)),
  -- When it was to begin; NULL where there is no rule, and where something continues.
  planned_at     INTEGER,
  reason         TEXT NOT NULL,
  -- What waits below it: a list of {"rule", "occurrence", "start", "end", "programme", "resume"}; without a rule it is the base.
  beneath        TEXT NOT NULL DEFAULT '[]' CHECK (beneath GLOB '[[]*]'),
  -- What is due and cannot be played: a list of {"rule", "occurrence", "revision", "reason"}.
  passed_over    TEXT NOT NULL DEFAULT '[]' CHECK (passed_over GLOB '[[]*]'),
  CHECK ((rule_id IS NULL) = (occurrence IS NULL) AND (rule_id IS NULL) = (programme IS NULL)),
  CHECK ((rule_id IS NULL) = (kind IN ('base', 'dark')) OR kind = 'share')
) STRICT;

CREATE INDEX decision_time ON decision (device_id, at);

-- When a device was away: what the report of availability rests on.
CREATE TABLE outage (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id   INTEGER REFERENCES device (id) ON DELETE SET NULL,
  device_name TEXT NOT NULL,
  began_at    INTEGER NOT NULL,
  -- NULL while it lasts.
  ended_at    INTEGER CHECK (ended_at >= began_at),
  cause       TEXT NOT NULL
) STRICT;

CREATE INDEX outage_time ON outage (device_id, began_at);

-- ---------------------------------------------------------------------------------------------------------------------------
-- What goes to a centre
-- ---------------------------------------------------------------------------------------------------------------------------

-- The centre that this site reports to; without a row nothing is put into the outbox.
CREATE TABLE link (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  -- The name of this site at the centre.
  site      TEXT NOT NULL CHECK (site <> ''),
  linked_at INTEGER NOT NULL,
  -- Everything up to this number is at the centre.
  cursor    INTEGER NOT NULL DEFAULT 0 CHECK (cursor >= 0)
) STRICT;

-- What the centre has not committed yet. A number is never given twice; its digits before the last nine are the month (202612) in which
-- the play ended, or a later one when a clock was ahead before, so that the centre can keep months apart by the number alone.
CREATE TABLE outbox (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The centre does not take what is refused; it stays here.
  kind TEXT NOT NULL CHECK (kind IN ('play', 'refused')),
  -- {"play":ID}. The row of a play that has ended does not change any more, so that it is read when it is sent.
  body TEXT NOT NULL CHECK (body GLOB '{*}'),
  -- Why it was refused, in the centre's words; NULL while it is not.
  problem TEXT CHECK (problem <> '')
) STRICT;

-- The row of a play and its place in the outbox are one transaction, however the play ended.
CREATE TRIGGER play_ended AFTER UPDATE OF ended_at ON play
WHEN old.ended_at IS NULL AND new.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM link) BEGIN
  INSERT INTO outbox (seq, kind, body) VALUES (
    max(1 + coalesce((SELECT max(seq) FROM outbox), 0), 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0),
      1 + 1000000000 * coalesce(CAST(strftime('%Y%m', new.ended_at / 1000, 'unixepoch') AS INTEGER), 0)),
    'play', '{"play":' || new.id || '}');
END;

CREATE TRIGGER play_failed AFTER INSERT ON play WHEN new.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM link) BEGIN
  INSERT INTO outbox (seq, kind, body) VALUES (
    max(1 + coalesce((SELECT max(seq) FROM outbox), 0), 1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0),
      1 + 1000000000 * coalesce(CAST(strftime('%Y%m', new.ended_at / 1000, 'unixepoch') AS INTEGER), 0)),
    'play', '{"play":' || new.id || '}');
END;

-- ---------------------------------------------------------------------------------------------------------------------------
-- What hooks have to deliver
-- ---------------------------------------------------------------------------------------------------------------------------

-- An event for one hook, kept until it was accepted.
CREATE TABLE hook_delivery (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The SHA-256 of what is to be done, in hexadecimal digits. What it is stands in the configuration, with its secret; a hook that is no
  -- longer there takes its deliveries with it.
  target     TEXT NOT NULL CHECK (length(target) = 64),
  -- What is sent, word for word.
  body       TEXT NOT NULL CHECK (body GLOB '{*}'),
  created_at INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_at    INTEGER NOT NULL,
  -- Why the last attempt was not accepted; NULL before the first.
  problem    TEXT CHECK (problem <> '')
) STRICT;

CREATE INDEX hook_delivery_due ON hook_delivery (next_at);

-- ---------------------------------------------------------------------------------------------------------------------------
-- Where devices proved who they are
-- ---------------------------------------------------------------------------------------------------------------------------

-- `host` and `port` of a device follow announcements, which anybody can make. Here it has proved its key last.
CREATE TABLE proved_place (
  device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  host      TEXT NOT NULL CHECK (host <> ''),
  port      INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535)
) STRICT;

-- ---------------------------------------------------------------------------------------------------------------------------
-- What was made up for
-- ---------------------------------------------------------------------------------------------------------------------------

-- What a process could not write until its end waits in a file. Its number is written with it, so that it is written once.
CREATE TABLE pending_batch (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id     TEXT NOT NULL UNIQUE CHECK (id <> '')
) STRICT;
