-- Since version 12. The zones that the site and its devices had; queues of their own for what interrupts.
CREATE TABLE zone_history (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id INTEGER,
  at        INTEGER NOT NULL,
  before    TEXT CHECK (before <> ''),
  after     TEXT CHECK (after <> '')
) STRICT;
ALTER TABLE queue RENAME TO old_queue;
ALTER TABLE queue_entry RENAME TO old_entry;
DROP TRIGGER queue_entry_media;
DROP INDEX queue_programme;
DROP INDEX queue_entry_order;
DROP INDEX queue_entry_due;
DROP INDEX queue_entry_on_receiver;
DROP INDEX queue_entry_playing;
CREATE TABLE queue (
  id           INTEGER PRIMARY KEY,
  device_id    INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  programme_id INTEGER REFERENCES programme (id) ON DELETE CASCADE,
  for_starts   INTEGER NOT NULL DEFAULT 0 CHECK (for_starts IN (0, 1)),
  identity     TEXT NOT NULL UNIQUE CHECK (length(identity) >= 16),
  repeat_mode  TEXT NOT NULL DEFAULT 'off' CHECK (repeat_mode IN ('off', 'all', 'one')),
  is_shuffled  INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
  shuffle_seed INTEGER NOT NULL DEFAULT 0,
  round        INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  name         TEXT CHECK (name <> ''),
  stopped_at   INTEGER,
  configured_list TEXT CHECK (configured_list GLOB '{*}'),
  CHECK ((programme_id IS NULL) = (id = device_id)),
  UNIQUE (device_id, programme_id, for_starts)
) STRICT;
CREATE INDEX queue_programme ON queue (programme_id) WHERE programme_id IS NOT NULL;
INSERT INTO queue (id, device_id, programme_id, identity, repeat_mode, is_shuffled, shuffle_seed, round, name, stopped_at, configured_list)
  SELECT id, device_id, programme_id, identity, repeat_mode, is_shuffled, shuffle_seed, round, name, stopped_at, configured_list FROM old_queue;
CREATE TABLE queue_entry (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id            INTEGER NOT NULL REFERENCES queue (id) ON DELETE CASCADE,
  device_id           INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  media_item_id       INTEGER NOT NULL UNIQUE REFERENCES media_item (id),
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
  state               TEXT NOT NULL DEFAULT 'pending' CHECK (state IN (
                        'pending', 'offered', 'queued', 'playing',
                        'finished', 'failed', 'skipped', 'interrupted', 'cancelled')),
  turn                INTEGER NOT NULL DEFAULT 0 CHECK (turn >= 0),
  round               INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
  attempts            INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  offered_at          INTEGER,
  credentials         TEXT,
  credentials_type    TEXT,
  on_error            TEXT CHECK (on_error IN ('skip', 'stop') OR on_error GLOB 'retry [1-9]*'),
  role                TEXT NOT NULL DEFAULT 'main' CHECK (role IN ('main', 'fallback')),
  origin              TEXT NOT NULL DEFAULT 'network' CHECK (origin IN ('local', 'network')),
  foreign_fields      TEXT CHECK (foreign_fields GLOB '{*}'),
  CHECK (source_line IS NULL OR source_file IS NOT NULL),
  CHECK (state NOT IN ('offered', 'queued', 'playing', 'finished') OR (turn > 0 AND offered_at IS NOT NULL))
) STRICT;
INSERT INTO queue_entry (queue_id, device_id, id, media_item_id, position, autoplay, start_time_s, playback_duration_s, preload_time_s, playback_rate, active_track_ids, custom_data, source_file, source_line, not_before, not_after, created_at, state, turn, round, attempts, offered_at, credentials, credentials_type, on_error, role, origin, foreign_fields)
  SELECT queue_id, device_id, id, media_item_id, position, autoplay, start_time_s, playback_duration_s, preload_time_s, playback_rate, active_track_ids, custom_data, source_file, source_line, not_before, not_after, created_at, state, turn, round, attempts, offered_at, credentials, credentials_type, on_error, role, origin, foreign_fields FROM old_entry;
DELETE FROM sqlite_sequence WHERE name = 'queue_entry';
UPDATE sqlite_sequence SET name = 'queue_entry' WHERE name = 'old_entry';
DROP TABLE old_entry;
DROP TABLE old_queue;
CREATE UNIQUE INDEX queue_entry_order ON queue_entry (queue_id, role, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_due ON queue_entry (queue_id, role, round, position) WHERE state <> 'cancelled';
CREATE INDEX queue_entry_on_receiver ON queue_entry (device_id) WHERE state IN ('offered', 'queued', 'playing');
CREATE UNIQUE INDEX queue_entry_playing ON queue_entry (device_id) WHERE state = 'playing';
CREATE TRIGGER queue_entry_media AFTER DELETE ON queue_entry BEGIN
  DELETE FROM media_item WHERE id = old.media_item_id;
END;
