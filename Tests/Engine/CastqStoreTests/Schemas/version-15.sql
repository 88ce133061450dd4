-- A file of schema 15 with what castq aea91408 wrote into it on the simulator; the pin and the job are put in by hand.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
  announced_name TEXT CHECK (announced_name <> ''),

  -- Since version 8. The IANA name of the zone in which its rules are read; NULL is the site's.
  zone         TEXT CHECK (zone <> '')
) STRICT;
INSERT INTO device VALUES(1,'Lobby',NULL,NULL,NULL,'127.0.0.1',33769,'static',0,0,NULL,'5f1c0f6f7a9c2d8e4b3a19080706050403020100ffeeddccbbaa998877665544',1795860989181,1795860975615,'127.0.0.1',33769,NULL,1,1,'connect',NULL,'pin',NULL,1796000000000,1,NULL,NULL,NULL);
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

  -- Since version 14. What its lists say of themselves to other players; NULL when they say nothing.
  foreign_fields TEXT CHECK (foreign_fields GLOB '{*}'),
  CHECK ((programme_id IS NULL) = (id = device_id)),
  UNIQUE (device_id, programme_id, for_starts)
) STRICT;
INSERT INTO queue VALUES(-2,1,1,0,'77a0683744751590','off',0,0,0,NULL,NULL,NULL,NULL);
INSERT INTO queue VALUES(-1,1,2,0,'58710d862c1051ee','all',0,0,2,NULL,NULL,NULL,NULL);
INSERT INTO queue VALUES(1,1,NULL,0,'abd06307beaaceae','off',0,8035341418479220619,0,NULL,NULL,NULL,NULL);
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
INSERT INTO media_item VALUES(1,'file:///tmp/fx/media/spot.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(2,'http://127.0.0.1:9/gone.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(3,'file:///tmp/fx/media/welcome.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(4,'file:///tmp/fx/media/spot.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(5,'http://127.0.0.1:9/gone.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(6,'file:///tmp/fx/media/welcome.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(7,'file:///tmp/fx/media/spot.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(8,'http://127.0.0.1:9/gone.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(9,'file:///tmp/fx/media/welcome.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(10,'file:///tmp/fx/media/spot.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(11,'http://127.0.0.1:9/gone.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO media_item VALUES(12,'file:///tmp/fx/media/welcome.mp4',NULL,'video/mp4','BUFFERED',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE media_metadata (
  media_item_id INTEGER PRIMARY KEY REFERENCES media_item (id) ON DELETE CASCADE,
  -- 0 generic, 1 movie, 2 TV show, 3 music track, 4 photo, 5 audiobook chapter, 100 and above an application's own.
  kind          INTEGER NOT NULL CHECK (kind >= 0),
  title         TEXT,
  subtitle      TEXT,
  -- Every other member by its wire key.
  members       TEXT CHECK (members GLOB '{*}')
) STRICT;
INSERT INTO media_metadata VALUES(1,0,'Welcome',NULL,NULL);
INSERT INTO media_metadata VALUES(2,0,'Gone',NULL,NULL);
INSERT INTO media_metadata VALUES(3,0,'Second',NULL,NULL);
INSERT INTO media_metadata VALUES(4,0,'Welcome',NULL,NULL);
INSERT INTO media_metadata VALUES(5,0,'Gone',NULL,NULL);
INSERT INTO media_metadata VALUES(6,0,'Second',NULL,NULL);
INSERT INTO media_metadata VALUES(7,0,'Welcome',NULL,NULL);
INSERT INTO media_metadata VALUES(8,0,'Gone',NULL,NULL);
INSERT INTO media_metadata VALUES(9,0,'Second',NULL,NULL);
INSERT INTO media_metadata VALUES(10,0,'Welcome',NULL,NULL);
INSERT INTO media_metadata VALUES(11,0,'Gone',NULL,NULL);
INSERT INTO media_metadata VALUES(12,0,'Second',NULL,NULL);
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
INSERT INTO media_track VALUES(3,0,1,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.de.vtt','text/vtt','de','German',NULL,NULL,NULL);
INSERT INTO media_track VALUES(3,1,2,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.en.vtt','text/vtt','en','English',NULL,NULL,NULL);
INSERT INTO media_track VALUES(6,0,1,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.de.vtt','text/vtt','de','German',NULL,NULL,NULL);
INSERT INTO media_track VALUES(6,1,2,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.en.vtt','text/vtt','en','English',NULL,NULL,NULL);
INSERT INTO media_track VALUES(9,0,1,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.de.vtt','text/vtt','de','German',NULL,NULL,NULL);
INSERT INTO media_track VALUES(9,1,2,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.en.vtt','text/vtt','en','English',NULL,NULL,NULL);
INSERT INTO media_track VALUES(12,0,1,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.de.vtt','text/vtt','de','German',NULL,NULL,NULL);
INSERT INTO media_track VALUES(12,1,2,'TEXT','SUBTITLES','file:///tmp/fx/media/welcome.en.vtt','text/vtt','en','English',NULL,NULL,NULL);
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
INSERT INTO queue_entry VALUES(1,1,1,1,1,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',3,NULL,NULL,1795860975947,'finished',1,1,0,1795860976762,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(2,1,1,2,2,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',5,NULL,NULL,1795860975947,'failed',2,1,2,1795860977149,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(3,1,1,3,3,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',7,NULL,NULL,1795860975947,'finished',1,1,0,1795860976762,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(4,1,1,4,4,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',3,NULL,NULL,1795860980460,'finished',1,1,0,1795860980571,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(5,1,1,5,5,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',5,NULL,NULL,1795860980460,'failed',2,1,2,1795860980994,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(6,1,1,6,6,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',7,NULL,NULL,1795860980460,'finished',1,1,0,1795860980571,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(7,-1,1,7,1,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',3,NULL,NULL,1795860982176,'finished',4,3,0,1795860989182,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(8,-1,1,8,2,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',5,NULL,NULL,1795860982176,'failed',6,3,2,1795860989527,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(9,-1,1,9,3,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',7,NULL,NULL,1795860982176,'pending',2,2,0,1795860986159,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(10,-2,1,10,1,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',3,NULL,NULL,1795860982218,'pending',0,0,0,NULL,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(11,-2,1,11,2,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',5,NULL,NULL,1795860982218,'pending',0,0,0,NULL,NULL,NULL,NULL,'main','local',NULL);
INSERT INTO queue_entry VALUES(12,-2,1,12,3,1,NULL,NULL,NULL,NULL,NULL,NULL,'/tmp/fx/list.m3u',7,NULL,NULL,1795860982218,'pending',0,0,0,NULL,NULL,NULL,NULL,'main','local',NULL);
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

  -- Since version 8. What it was shown by; NULL for what was written before.
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

  UNIQUE (entry_id, turn),
  CHECK (started_at IS NOT NULL OR ended_at IS NOT NULL),
  CHECK (started_at IS NOT NULL OR played_s = 0),
  CHECK ((ended_at IS NULL) = (outcome IS NULL) AND (outcome IS NULL) = (evidence IS NULL))
) STRICT;
INSERT INTO play VALUES(1,1,1,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860976832,1795860977104,1795860977104,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,NULL,'base',NULL,NULL,NULL,NULL,NULL,NULL,1,'c387ede5c026312449b11991855108782b04408ddf2379a906c6ce44eefd0669',NULL,0);
INSERT INTO play VALUES(2,2,1,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860977125,1795860977125,NULL,NULL,0.0,NULL,'failed','reported',NULL,'ERROR',NULL,NULL,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'base',NULL,NULL,NULL,NULL,NULL,NULL,2,'a3a3d9d8fa80b9e2f5767c6cac6be68b9ef82ba3f86392e8aa36759e69a775f8',NULL,0);
INSERT INTO play VALUES(3,3,1,1,'Lobby','Second','file:///tmp/fx/media/welcome.mp4','/tmp/fx/list.m3u',7,1795860977148,1795860977916,1795860977916,0.0,3.0,3.0,3.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,0.045253158000000001659,'base',NULL,NULL,NULL,NULL,NULL,NULL,3,'b7c2d71f97b8f4178584a05eca322961e81c322948e5fafdde05e0379e18cd21',NULL,0);
INSERT INTO play VALUES(4,2,2,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860977939,1795860977939,NULL,NULL,0.0,NULL,'failed','reported','ERROR',NULL,NULL,NULL,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'base',NULL,NULL,NULL,NULL,NULL,NULL,4,'3784e981535a533f3335fe855a237ae084b901a620b3f21f2dbffae1a6654a62',NULL,0);
INSERT INTO play VALUES(5,4,1,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860980657,1795860980934,1795860980934,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,NULL,'base',NULL,NULL,NULL,NULL,NULL,NULL,5,'b5b443d3b7081c5398dec64ed02cab658b1623089fcc87bf97ceb06f60dbe4a3',NULL,0);
INSERT INTO play VALUES(6,5,1,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860980965,1795860980965,NULL,NULL,0.0,NULL,'failed','reported',NULL,'ERROR',NULL,NULL,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'base',NULL,NULL,NULL,NULL,NULL,NULL,6,'a9494d039fd4ba3f36cf0d7f75ccfee164a509b92dd019d6c618aec0fb00bb66',NULL,0);
INSERT INTO play VALUES(7,6,1,1,'Lobby','Second','file:///tmp/fx/media/welcome.mp4','/tmp/fx/list.m3u',7,1795860980994,1795860981758,1795860981758,0.0,3.0,3.0,3.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,0.058917251000000003813,'base',NULL,NULL,NULL,NULL,NULL,NULL,7,'6086b27f1f773302a982fe9cf05338975430dbdf5deda7e2100dcd98c88ab75d',NULL,0);
INSERT INTO play VALUES(8,5,2,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860981788,1795860981788,NULL,NULL,0.0,NULL,'failed','reported','ERROR',NULL,NULL,NULL,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'base',NULL,NULL,NULL,NULL,NULL,1,8,'37177b440b610e258169b281c8da8b8c26e75d8913cc11c881e1cbdcdb8e613f',NULL,0);
INSERT INTO play VALUES(9,7,1,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860982443,1795860982717,1795860982717,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,3,9,'da010606be5a77ab2f7292e0baf605d3f541a16eea9a362952a3815d9ce06aae',NULL,0);
INSERT INTO play VALUES(10,8,1,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860982762,1795860982762,NULL,NULL,0.0,NULL,'failed','reported',NULL,'LOAD_FAILED',NULL,905,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,4,10,'c27d955cb93a034d94a270ffb4d9433cd9f37fcf985c1da03c38977185695bd9',NULL,0);
INSERT INTO play VALUES(11,8,2,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860982809,1795860982809,NULL,NULL,0.0,NULL,'failed','reported',NULL,'LOAD_FAILED',NULL,905,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,5,11,'751f2d07d7611ebe8a5230a162e4765d3c2353e865bc6f7a16c696c6fd2c9226',NULL,0);
INSERT INTO play VALUES(12,9,1,1,'Lobby','Second','file:///tmp/fx/media/welcome.mp4','/tmp/fx/list.m3u',7,1795860983846,1795860984620,1795860984620,0.0,3.0,3.0,3.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,1.1290557530000000507,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,7,12,'b8694c8ac825665522910e1845627e6b6ad1c5c8ac6b98b0b8f67e2b12ad9e2e',NULL,0);
INSERT INTO play VALUES(13,7,2,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860984677,1795860984950,1795860984950,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,0.05712518700000000088,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,8,13,'f298a4bcb995cae21984cad9d673e3b7fd588eb50640c5f4194fe294da203054',NULL,0);
INSERT INTO play VALUES(14,8,3,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860985105,1795860985105,NULL,NULL,0.0,NULL,'failed','reported',NULL,'LOAD_FAILED',NULL,905,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,9,14,'d6602e351b08415465370ed4efd1e15f051fddb2f628fdca29babb0bfe139da9',NULL,0);
INSERT INTO play VALUES(15,8,4,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860985159,1795860985159,NULL,NULL,0.0,NULL,'failed','reported',NULL,'LOAD_FAILED',NULL,905,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,10,15,'0bc887c0e0953c1a714b2cb1d921deb8b9bdc9854cee7b30c3b0d8e4990d86f2',NULL,0);
INSERT INTO play VALUES(16,9,2,1,'Lobby','Second','file:///tmp/fx/media/welcome.mp4','/tmp/fx/list.m3u',7,1795860986213,1795860986985,1795860986985,0.0,3.0,3.0,3.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,1.2617815459999999205,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,12,16,'f388dd5a3e7403c0cc794326c779b6081f9fa6c7394d972c01b96e78bcf4f67b',NULL,0);
INSERT INTO play VALUES(17,7,3,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860987043,1795860987208,1795860987208,0.0,0.16415166000000000479,0.16415166000000000479,1.0,'interrupted','reported','CANCELLED',NULL,NULL,NULL,'another list took its place',0.058031580000000006214,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,13,17,'9ac01c96e3ba367d9f7afc4da97c52fa94113e6a93f34cb0abab41a8557853cc',NULL,0);
INSERT INTO play VALUES(18,13,1,1,'Lobby','spot','file:///tmp/fx/media/spot.mp4','/tmp/fx/media/spot.mp4',NULL,1795860987238,1795860987511,1795860987511,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,0.030580402000000003054,'announcement',3,'announcement 1795860986353-0',1,'2026-11-28T10:16:27',1795860987000,14,18,'729bb1023fb36c65aeccb579736e6c54f11fdb72c2bbb9d906048df4fb4ba4b6',NULL,0);
INSERT INTO play VALUES(19,7,4,1,'Lobby','Welcome','file:///tmp/fx/media/spot.mp4','/tmp/fx/list.m3u',3,1795860989206,1795860989479,1795860989479,0.0,1.0,1.0,1.0,'finished','reported',NULL,NULL,NULL,NULL,NULL,NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,17,19,'3c007349f1978d917e6b17b287fdc1f602fc30a2e593c80d07176abd04d47dd2',NULL,0);
INSERT INTO play VALUES(20,8,5,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860989527,1795860989527,NULL,NULL,0.0,NULL,'failed','reported','ERROR',NULL,NULL,NULL,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,18,20,'0f9394aab8ee62ac16d7169d8f7b5c4f215f65d00603f89040195c23dda95607',NULL,0);
INSERT INTO play VALUES(21,8,6,1,'Lobby','Gone','http://127.0.0.1:9/gone.mp4','/tmp/fx/list.m3u',5,NULL,1795860989571,1795860989571,NULL,NULL,0.0,NULL,'failed','reported',NULL,'LOAD_FAILED',NULL,905,'asked from here, nothing listens at 127.0.0.1:9; check the address',NULL,'share',2,'sponsor',1,'0000-01-01T00:00',NULL,19,21,'05173adf2c0d1f92322e2d337ab2624cb2e9d3b3ab0cb470716704d918195a82',NULL,0);
CREATE TABLE ad_break_play (
  play_id    INTEGER NOT NULL REFERENCES play (id) ON DELETE CASCADE,
  break_id   TEXT NOT NULL,
  clip_id    TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  played_s   REAL NOT NULL CHECK (played_s >= 0),
  is_skipped INTEGER NOT NULL CHECK (is_skipped IN (0, 1)),
  PRIMARY KEY (play_id, break_id, clip_id, started_at)
) STRICT, WITHOUT ROWID;
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
INSERT INTO media_probe VALUES('/tmp/fx/media/spot.mp4',5737,1795860975083944163,1795860976759,'{"format":{"bit_rate":45896,"duration":1,"format_name":"mov,mp4,m4a,3gp,3g2,mj2","tags":{"compatible_brands":"isomiso2avc1mp41","major_brand":"isom","minor_version":"512"}},"streams":[{"avg_frame_rate":10,"codec_name":"h264","codec_type":"video","disposition":{"default":1},"height":90,"index":0,"level":12,"pix_fmt":"yuv420p","profile":"Constrained Baseline","width":160},{"channels":1,"codec_name":"aac","codec_type":"audio","disposition":{"default":1},"index":1,"profile":"LC","sample_rate":22050}]}',NULL);
INSERT INTO media_probe VALUES('/tmp/fx/media/welcome.mp4',20633,1795860975084515971,1795860976756,'{"format":{"bit_rate":55021,"duration":3,"format_name":"mov,mp4,m4a,3gp,3g2,mj2","tags":{"compatible_brands":"isomiso2avc1mp41","major_brand":"isom","minor_version":"512"}},"streams":[{"avg_frame_rate":10,"codec_name":"h264","codec_type":"video","disposition":{"default":1},"height":90,"index":0,"level":12,"pix_fmt":"yuv420p","profile":"Constrained Baseline","width":160},{"channels":1,"codec_name":"aac","codec_type":"audio","disposition":{"default":1},"index":1,"profile":"LC","sample_rate":22050}]}',NULL);
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
INSERT INTO programme VALUES(1,'menus','/tmp/fx/list.m3u',NULL,1,-9000620807900435558,NULL,1,NULL,1795860980828);
INSERT INTO programme VALUES(2,'/tmp/fx/list.m3u','/tmp/fx/list.m3u',NULL,0,0,NULL,0,NULL,1795860982093);
CREATE TABLE device_group (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> '')
) STRICT;
INSERT INTO device_group VALUES(1,'front');
CREATE TABLE group_member (
  group_id  INTEGER NOT NULL REFERENCES device_group (id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, device_id)
) STRICT, WITHOUT ROWID;
INSERT INTO group_member VALUES(1,1);
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
INSERT INTO calendar VALUES(1,'closed',NULL,NULL,NULL,NULL);
CREATE TABLE calendar_day (
  calendar_id INTEGER NOT NULL REFERENCES calendar (id) ON DELETE CASCADE,
  -- 2026-12-24
  day         TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  label       TEXT NOT NULL,
  PRIMARY KEY (calendar_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO calendar_day VALUES(1,'2026-12-24','Christmas Eve');
CREATE TABLE daypart (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- Local times: 08:00, 24:00.
  start_local TEXT NOT NULL,
  end_local   TEXT NOT NULL
) STRICT;
INSERT INTO daypart VALUES(1,'noon','12:00','14:00');
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
INSERT INTO daypart_exception VALUES(1,0,NULL,1,NULL,NULL);
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
INSERT INTO rule VALUES(1,'lunch',2,1,NULL,1,0,'window','daypart','noon',1,NULL,NULL,NULL,NULL,NULL,1,'hard',NULL,'cut','second',NULL,NULL,NULL,'skip',NULL,NULL,1,NULL,1);
INSERT INTO rule VALUES(2,'sponsor',1,2,1,NULL,0,'share','always','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'hard',NULL,'cut','second',120,NULL,NULL,'skip',NULL,NULL,1,NULL,1);
CREATE TABLE rule_exception (
  rule_id        INTEGER NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
  original_local TEXT NOT NULL,
  action         TEXT NOT NULL CHECK (action IN ('skip', 'move', 'replace')),
  new_local      TEXT CHECK ((action = 'move') = (new_local IS NOT NULL)),
  programme_id   INTEGER REFERENCES programme (id) CHECK ((action = 'replace') = (programme_id IS NOT NULL)),
  PRIMARY KEY (rule_id, original_local)
) STRICT, WITHOUT ROWID;
INSERT INTO rule_exception VALUES(1,'2026-11-30T12:00','skip',NULL,NULL);
CREATE TABLE rule_history (
  rule_id  INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  -- The rule as `schedule show --json` has it; NULL before it was made, and after it was removed.
  before   TEXT CHECK (before GLOB '{*}'),
  after    TEXT CHECK (after GLOB '{*}'),
  PRIMARY KEY (rule_id, revision)
) STRICT, WITHOUT ROWID;
INSERT INTO rule_history VALUES(1,1,1795860981662,NULL,'{"device":"@front","enabled":true,"end":"cut","exceptions":[],"expression":"noon","for_s":null,"form":"daypart","kind":"window","max_plays":null,"min_gap_s":null,"missed":"skip","missed_within_s":null,"not_on":"closed","note":null,"only_on":null,"per_hour_s":null,"priority":0,"programme":"menus","resume":"second","revision":1,"rule":"lunch","start":"hard","tz":null,"valid_from":null,"valid_until":null,"volume":null,"wait_s":null}');
INSERT INTO rule_history VALUES(1,2,1795860981846,'{"device":"@front","enabled":true,"end":"cut","exceptions":[],"expression":"noon","for_s":null,"form":"daypart","kind":"window","max_plays":null,"min_gap_s":null,"missed":"skip","missed_within_s":null,"not_on":"closed","note":null,"only_on":null,"per_hour_s":null,"priority":0,"programme":"menus","resume":"second","revision":1,"rule":"lunch","start":"hard","tz":null,"valid_from":null,"valid_until":null,"volume":null,"wait_s":null}','{"device":"@front","enabled":true,"end":"cut","exceptions":[{"action":"skip","occurrence":"2026-11-30T12:00","programme":null,"to":null}],"expression":"noon","for_s":null,"form":"daypart","kind":"window","max_plays":null,"min_gap_s":null,"missed":"skip","missed_within_s":null,"not_on":"closed","note":null,"only_on":null,"per_hour_s":null,"priority":0,"programme":"menus","resume":"second","revision":2,"rule":"lunch","start":"hard","tz":null,"valid_from":null,"valid_until":null,"volume":null,"wait_s":null}');
INSERT INTO rule_history VALUES(2,1,1795860982093,NULL,'{"device":"Lobby","device_id":"1","enabled":true,"end":"cut","exceptions":[],"expression":null,"for_s":null,"form":"always","kind":"share","max_plays":null,"min_gap_s":0,"missed":"skip","missed_within_s":null,"not_on":null,"note":null,"only_on":null,"per_hour_s":120,"priority":0,"programme":"/tmp/fx/list.m3u","resume":"second","revision":1,"rule":"sponsor","start":"hard","tz":null,"valid_from":null,"valid_until":null,"volume":null,"wait_s":null}');
INSERT INTO rule_history VALUES(3,1,1795860986353,NULL,'{"device":"Lobby","device_id":"1","enabled":true,"end":"cut","exceptions":[],"expression":"2026-11-28T10:16:27","for_s":null,"form":"once","kind":"trigger","max_plays":null,"min_gap_s":null,"missed":"within","missed_within_s":125,"not_on":null,"note":null,"only_on":null,"per_hour_s":null,"priority":1000001,"programme":"/tmp/fx/media/spot.mp4","resume":"second","revision":1,"rule":"announcement 1795860986353-0","start":"hard","tz":"UTC","valid_from":null,"valid_until":null,"volume":null,"wait_s":null}');
INSERT INTO rule_history VALUES(3,2,1795860988414,'{"device":"Lobby","enabled":true,"end":"cut","exceptions":[],"expression":"2026-11-28T10:16:27","for_s":null,"form":"once","kind":"trigger","max_plays":null,"min_gap_s":null,"missed":"within","missed_within_s":125,"not_on":null,"note":null,"only_on":null,"per_hour_s":null,"priority":1000001,"programme":"/tmp/fx/media/spot.mp4","resume":"second","revision":1,"rule":"announcement 1795860986353-0","start":"hard","tz":"UTC","valid_from":null,"valid_until":null,"volume":null,"wait_s":null}',NULL);
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
INSERT INTO named_history VALUES(1,'calendar','closed',1795860980972,'{"2026-12-24":null}');
INSERT INTO named_history VALUES(2,'daypart','noon',1795860981175,'{"exceptions":null,"part":null}');
INSERT INTO named_history VALUES(3,'group','front',1795860981411,'{"1":null}');
CREATE TABLE zone_history (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL is the site.
  device_id INTEGER,
  at        INTEGER NOT NULL,
  -- NULL where a device had that of the site, and where the site's was not known.
  before    TEXT CHECK (before <> ''),
  after     TEXT CHECK (after <> '')
) STRICT;
INSERT INTO zone_history VALUES(1,NULL,1795860978089,NULL,'Etc/UTC');
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
INSERT INTO credit VALUES(2,1,0,16,498850,1795860989571);
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
INSERT INTO decision VALUES(1,1,'Lobby',1795860981707,1795860982199,'base',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'no rule is on','[]','[]');
INSERT INTO decision VALUES(2,1,'Lobby',1795860982199,1795860982375,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(3,1,'Lobby',1795860982375,1795860982716,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(4,1,'Lobby',1795860982716,1795860982762,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(5,1,'Lobby',1795860982762,1795860982808,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(6,1,'Lobby',1795860982808,1795860983809,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(7,1,'Lobby',1795860983809,1795860984620,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(8,1,'Lobby',1795860984620,1795860984950,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(9,1,'Lobby',1795860984950,1795860985104,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(10,1,'Lobby',1795860985104,1795860985158,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(11,1,'Lobby',1795860985158,1795860986159,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(12,1,'Lobby',1795860986159,1795860986985,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(13,1,'Lobby',1795860986985,1795860987167,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(14,1,'Lobby',1795860987167,1795860987511,'announcement',3,'announcement 1795860986353-0',1,'/tmp/fx/media/spot.mp4','2026-11-28T10:16:27',1795860987000,NULL,0,1795860987000,'announcement 1795860986353-0: once 2026-11-28T10:16:27','[]','[]');
INSERT INTO decision VALUES(15,1,'Lobby',1795860987511,1795860989142,'dark',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'no rule is on; announcement 1795860986353-0 has ended','[]','[]');
INSERT INTO decision VALUES(16,1,'Lobby',1795860989142,1795860989181,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(17,1,'Lobby',1795860989181,1795860989480,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(18,1,'Lobby',1795860989480,1795860989528,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(19,1,'Lobby',1795860989528,1795860989571,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
INSERT INTO decision VALUES(20,1,'Lobby',1795860989571,NULL,'share',2,'sponsor',1,'/tmp/fx/list.m3u','0000-01-01T00:00',-62167219200000,253402300799999,0,NULL,'sponsor: its share is due','[]','[]');
CREATE TABLE outage (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id   INTEGER REFERENCES device (id) ON DELETE SET NULL,
  device_name TEXT NOT NULL,
  began_at    INTEGER NOT NULL,
  -- NULL while it lasts.
  ended_at    INTEGER CHECK (ended_at >= began_at),
  cause       TEXT NOT NULL
) STRICT;
INSERT INTO outage VALUES(1,1,'Lobby',1795860990431,NULL,'Lobby (127.0.0.1:33769) cut off the connection; check its power and its network (the connection ended without a word, as when the other end loses power or its network)');
CREATE TABLE job (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  -- The words after `--`.
  arguments  TEXT NOT NULL CHECK (arguments GLOB '[[]*]'),
  -- The folder in which it was given, for relative paths.
  directory  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  began_at   INTEGER,
  ended_at   INTEGER,
  exit_code  INTEGER,
  -- The last lines of what it printed; NULL when that is nothing.
  output     TEXT
) STRICT;
INSERT INTO job VALUES(1,1796000000000,'["castq","play"]','/tmp',1795900000000,NULL,NULL,NULL,NULL);
CREATE TABLE link (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  -- The name of this site at the centre.
  site      TEXT NOT NULL CHECK (site <> ''),
  linked_at INTEGER NOT NULL,
  -- Everything up to this number is at the centre.
  cursor    INTEGER NOT NULL DEFAULT 0 CHECK (cursor >= 0)
) STRICT;
INSERT INTO link VALUES(1,'berlin',1,0);
CREATE TABLE outbox (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The centre does not take what is refused; it stays here.
  kind TEXT NOT NULL CHECK (kind IN ('play', 'refused')),
  -- {"play":ID}. The row of a play that has ended does not change any more, so that it is read when it is sent.
  body TEXT NOT NULL CHECK (body GLOB '{*}'),
  -- Why it was refused, in the centre's words; NULL while it is not. Since version 15.
  problem TEXT CHECK (problem <> '')
) STRICT;
INSERT INTO outbox VALUES(202611000000001,'play','{"play":1}',NULL);
INSERT INTO outbox VALUES(202611000000002,'play','{"play":2}',NULL);
INSERT INTO outbox VALUES(202611000000003,'play','{"play":3}',NULL);
INSERT INTO outbox VALUES(202611000000004,'play','{"play":4}',NULL);
INSERT INTO outbox VALUES(202611000000005,'play','{"play":5}',NULL);
INSERT INTO outbox VALUES(202611000000006,'play','{"play":6}',NULL);
INSERT INTO outbox VALUES(202611000000007,'play','{"play":7}',NULL);
INSERT INTO outbox VALUES(202611000000008,'play','{"play":8}',NULL);
INSERT INTO outbox VALUES(202611000000009,'play','{"play":9}',NULL);
INSERT INTO outbox VALUES(202611000000010,'play','{"play":10}',NULL);
INSERT INTO outbox VALUES(202611000000011,'play','{"play":11}',NULL);
INSERT INTO outbox VALUES(202611000000012,'play','{"play":12}',NULL);
INSERT INTO outbox VALUES(202611000000013,'play','{"play":13}',NULL);
INSERT INTO outbox VALUES(202611000000014,'play','{"play":14}',NULL);
INSERT INTO outbox VALUES(202611000000015,'play','{"play":15}',NULL);
INSERT INTO outbox VALUES(202611000000016,'play','{"play":16}',NULL);
INSERT INTO outbox VALUES(202611000000017,'play','{"play":17}',NULL);
INSERT INTO outbox VALUES(202611000000018,'play','{"play":18}',NULL);
INSERT INTO outbox VALUES(202611000000019,'play','{"play":19}',NULL);
INSERT INTO outbox VALUES(202611000000020,'play','{"play":20}',NULL);
INSERT INTO outbox VALUES(202611000000021,'play','{"play":21}',NULL);
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
INSERT INTO hook_delivery VALUES(1,'79c09cf31f3a6eebc6b670dc1c21223353c92d7886f23d2028077a6cd7efb0a8','{"at":"2026-11-28T10:16:23.739Z","cause":"failed","dark_s":1.001,"device":"Lobby","entry":null,"event":"dark","reason":null,"since":"2026-11-28T10:16:22.738Z","title":null}',1795860983739,4,1795861001768,'nothing listens at 127.0.0.1:9; check the address');
INSERT INTO hook_delivery VALUES(2,'79c09cf31f3a6eebc6b670dc1c21223353c92d7886f23d2028077a6cd7efb0a8','{"at":"2026-11-28T10:16:26.071Z","cause":"failed","dark_s":1.001,"device":"Lobby","entry":null,"event":"dark","reason":null,"since":"2026-11-28T10:16:25.070Z","title":null}',1795860986071,4,1795861004094,'nothing listens at 127.0.0.1:9; check the address');
INSERT INTO hook_delivery VALUES(3,'79c09cf31f3a6eebc6b670dc1c21223353c92d7886f23d2028077a6cd7efb0a8','{"at":"2026-11-28T10:16:30.504Z","cause":"unreachable","dark_s":1,"device":"Lobby","entry":null,"event":"dark","reason":null,"since":"2026-11-28T10:16:29.504Z","title":null}',1795860990504,3,1795860998523,'nothing listens at 127.0.0.1:9; check the address');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('device',1);
INSERT INTO sqlite_sequence VALUES('queue_entry',13);
INSERT INTO sqlite_sequence VALUES('outbox',202611000000021);
INSERT INTO sqlite_sequence VALUES('play',21);
INSERT INTO sqlite_sequence VALUES('zone_history',1);
INSERT INTO sqlite_sequence VALUES('programme',3);
INSERT INTO sqlite_sequence VALUES('calendar',1);
INSERT INTO sqlite_sequence VALUES('named_history',3);
INSERT INTO sqlite_sequence VALUES('daypart',1);
INSERT INTO sqlite_sequence VALUES('device_group',1);
INSERT INTO sqlite_sequence VALUES('rule',3);
INSERT INTO sqlite_sequence VALUES('decision',20);
INSERT INTO sqlite_sequence VALUES('hook_delivery',3);
INSERT INTO sqlite_sequence VALUES('outage',1);
INSERT INTO sqlite_sequence VALUES('job',1);
CREATE UNIQUE INDEX device_default ON device (is_default) WHERE is_default = 1;
CREATE INDEX queue_programme ON queue (programme_id) WHERE programme_id IS NOT NULL;
CREATE UNIQUE INDEX queue_entry_order ON queue_entry (queue_id, role, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_due ON queue_entry (queue_id, role, round, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_on_receiver ON queue_entry (device_id) WHERE state IN ('offered', 'queued', 'playing');
CREATE UNIQUE INDEX queue_entry_playing ON queue_entry (device_id) WHERE state = 'playing';
CREATE TRIGGER queue_entry_media AFTER DELETE ON queue_entry BEGIN
  DELETE FROM media_item WHERE id = old.media_item_id;
END;
CREATE INDEX play_time ON play (coalesce(started_at, ended_at));
CREATE INDEX play_open ON play (device_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX play_chain ON play (chain) WHERE chain IS NOT NULL;
CREATE INDEX media_probe_age ON media_probe (probed_at);
CREATE INDEX programme_filler ON programme (filler_id) WHERE filler_id IS NOT NULL;
CREATE INDEX rule_programme ON rule (programme_id);
CREATE INDEX rule_exception_programme ON rule_exception (programme_id) WHERE programme_id IS NOT NULL;
CREATE INDEX decision_time ON decision (device_id, at);
CREATE INDEX outage_time ON outage (device_id, began_at);
CREATE INDEX job_due ON job (at) WHERE began_at IS NULL;
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
CREATE INDEX hook_delivery_due ON hook_delivery (next_at);
COMMIT;
PRAGMA user_version = 15;
