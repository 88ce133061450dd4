extension Schema {
  /// The zones that the site and its devices had; queues of their own for what interrupts.
  static let version12 = """
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
    \(remadeEntries(queue: "queue_id"))
    """
}
