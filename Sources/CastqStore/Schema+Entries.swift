extension Schema {
  /// What versions 8 and 12 both do to the entries when their queues have got other rows. It never changes: both are in use.
  /// - Parameter queue: the column of the old table that is the number of the new queue.
  static func remadeEntries(queue: String) -> String {
    """
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
      SELECT \(queue), device_id, id, media_item_id, position, autoplay, start_time_s, playback_duration_s, preload_time_s, playback_rate, active_track_ids, custom_data, source_file, source_line, not_before, not_after, created_at, state, turn, round, attempts, offered_at, credentials, credentials_type, on_error, role, origin, foreign_fields FROM old_entry;
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
    """
  }
}
