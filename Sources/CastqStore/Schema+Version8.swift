extension Schema {
  /// Programmes and rules, queues of programmes, and what a play was shown by.
  static let version8 = """
    CREATE TABLE programme (
      id            INTEGER PRIMARY KEY AUTOINCREMENT,
      name          TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
      source        TEXT NOT NULL CHECK (source <> ''),
      source_digest TEXT,
      is_shuffled   INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
      seed          INTEGER NOT NULL DEFAULT 0,
      filler_id     INTEGER REFERENCES programme (id) ON DELETE SET NULL CHECK (filler_id <> id),
      is_named      INTEGER NOT NULL DEFAULT 1 CHECK (is_named IN (0, 1)),
      problem       TEXT CHECK (problem <> ''),
      created_at    INTEGER NOT NULL
    ) STRICT;
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
      origin     TEXT,
      etag       TEXT,
      fetched_at INTEGER,
      filter     TEXT
    ) STRICT;
    CREATE TABLE calendar_day (
      calendar_id INTEGER NOT NULL REFERENCES calendar (id) ON DELETE CASCADE,
      day         TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
      label       TEXT NOT NULL,
      PRIMARY KEY (calendar_id, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE daypart (
      id          INTEGER PRIMARY KEY AUTOINCREMENT,
      name        TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
      start_local TEXT NOT NULL,
      end_local   TEXT NOT NULL
    ) STRICT;
    CREATE TABLE daypart_exception (
      daypart_id  INTEGER NOT NULL REFERENCES daypart (id) ON DELETE CASCADE,
      ordinal     INTEGER NOT NULL CHECK (ordinal >= 0),
      days        TEXT,
      calendar_id INTEGER REFERENCES calendar (id),
      start_local TEXT,
      end_local   TEXT,
      PRIMARY KEY (daypart_id, ordinal),
      CHECK ((days IS NULL) <> (calendar_id IS NULL)),
      CHECK ((start_local IS NULL) = (end_local IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rule (
      id               INTEGER PRIMARY KEY AUTOINCREMENT,
      name             TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
      revision         INTEGER NOT NULL DEFAULT 1 CHECK (revision > 0),
      programme_id     INTEGER NOT NULL REFERENCES programme (id),
      device_id        INTEGER REFERENCES device (id) ON DELETE CASCADE,
      group_id         INTEGER REFERENCES device_group (id),
      priority         INTEGER NOT NULL DEFAULT 0,
      kind             TEXT NOT NULL CHECK (kind IN ('window', 'trigger', 'share')),
      form             TEXT NOT NULL CHECK (form IN ('always', 'daily', 'daypart', 'cron', 'calendar', 'once')),
      expression       TEXT NOT NULL,
      daypart_id       INTEGER REFERENCES daypart (id),
      duration_s       INTEGER CHECK (duration_s > 0),
      zone             TEXT CHECK (zone <> ''),
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
      volume           REAL CHECK (volume BETWEEN 0 AND 1),
      is_enabled       INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
      note             TEXT,
      is_named         INTEGER NOT NULL DEFAULT 1 CHECK (is_named IN (0, 1)),
      CHECK (device_id IS NULL OR group_id IS NULL),
      CHECK ((form = 'daypart') = (daypart_id IS NOT NULL)),
      CHECK (kind <> 'trigger' OR form IN ('cron', 'calendar', 'once'))
    ) STRICT;
    CREATE TABLE rule_exception (
      rule_id        INTEGER NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
      original_local TEXT NOT NULL,
      action         TEXT NOT NULL CHECK (action IN ('skip', 'move', 'replace')),
      new_local      TEXT CHECK ((action = 'move') = (new_local IS NOT NULL)),
      programme_id   INTEGER REFERENCES programme (id) CHECK ((action = 'replace') = (programme_id IS NOT NULL)),
      PRIMARY KEY (rule_id, original_local)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rule_history (
      rule_id  INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      at       INTEGER NOT NULL,
      before   TEXT CHECK (before GLOB '{*}'),
      after    TEXT CHECK (after GLOB '{*}'),
      PRIMARY KEY (rule_id, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE credit (
      rule_id       INTEGER NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
      device_id     INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
      owed_ms       INTEGER NOT NULL,
      plays_in_hour INTEGER NOT NULL CHECK (plays_in_hour >= 0),
      hour          INTEGER NOT NULL,
      last_at       INTEGER,
      PRIMARY KEY (rule_id, device_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE decision (
      id             INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id      INTEGER REFERENCES device (id) ON DELETE SET NULL,
      device_name    TEXT NOT NULL,
      at             INTEGER NOT NULL,
      until          INTEGER,
      kind           TEXT NOT NULL CHECK (kind IN ('rule', 'base', 'announcement', 'share', 'dark')),
      rule_id        INTEGER,
      rule_name      TEXT,
      revision       INTEGER,
      programme      TEXT,
      occurrence     TEXT,
      starts_at      INTEGER,
      ends_at        INTEGER,
      is_replacement INTEGER NOT NULL DEFAULT 0 CHECK (is_replacement IN (0, 1)),
      planned_at     INTEGER,
      reason         TEXT NOT NULL,
      beneath        TEXT NOT NULL DEFAULT '[]' CHECK (beneath GLOB '[[]*]'),
      CHECK ((rule_id IS NULL) = (occurrence IS NULL) AND (rule_id IS NULL) = (programme IS NULL)),
      CHECK ((rule_id IS NULL) = (kind IN ('base', 'dark')) OR kind = 'share')
    ) STRICT;
    CREATE INDEX decision_time ON decision (device_id, at);
    CREATE TABLE outage (
      id          INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id   INTEGER REFERENCES device (id) ON DELETE SET NULL,
      device_name TEXT NOT NULL,
      began_at    INTEGER NOT NULL,
      ended_at    INTEGER CHECK (ended_at >= began_at),
      cause       TEXT NOT NULL
    ) STRICT;
    CREATE INDEX outage_time ON outage (device_id, began_at);
    CREATE TABLE job (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      at         INTEGER NOT NULL,
      arguments  TEXT NOT NULL CHECK (arguments GLOB '[[]*]'),
      directory  TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      began_at   INTEGER,
      ended_at   INTEGER,
      exit_code  INTEGER,
      output     TEXT
    ) STRICT;
    CREATE INDEX job_due ON job (at) WHERE began_at IS NULL;
    ALTER TABLE device ADD COLUMN zone TEXT CHECK (zone <> '');
    ALTER TABLE queue RENAME TO old_queue;
    ALTER TABLE queue_entry RENAME TO old_entry;
    DROP TRIGGER queue_entry_media;
    DROP INDEX queue_entry_order;
    DROP INDEX queue_entry_due;
    DROP INDEX queue_entry_on_receiver;
    DROP INDEX queue_entry_playing;
    CREATE TABLE queue (
      id           INTEGER PRIMARY KEY,
      device_id    INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
      programme_id INTEGER REFERENCES programme (id) ON DELETE CASCADE,
      identity     TEXT NOT NULL UNIQUE CHECK (length(identity) >= 16),
      repeat_mode  TEXT NOT NULL DEFAULT 'off' CHECK (repeat_mode IN ('off', 'all', 'one')),
      is_shuffled  INTEGER NOT NULL DEFAULT 0 CHECK (is_shuffled IN (0, 1)),
      shuffle_seed INTEGER NOT NULL DEFAULT 0,
      round        INTEGER NOT NULL DEFAULT 0 CHECK (round >= 0),
      name         TEXT CHECK (name <> ''),
      stopped_at   INTEGER,
      CHECK ((programme_id IS NULL) = (id = device_id)),
      UNIQUE (device_id, programme_id)
    ) STRICT;
    CREATE INDEX queue_programme ON queue (programme_id) WHERE programme_id IS NOT NULL;
    INSERT INTO queue (id, device_id, identity, repeat_mode, is_shuffled, shuffle_seed, round, name, stopped_at)
      SELECT device_id, device_id, identity, repeat_mode, is_shuffled, shuffle_seed, round, name, stopped_at FROM old_queue;
    \(remadeEntries(queue: "device_id"))
    ALTER TABLE play ADD COLUMN kind TEXT CHECK (kind IN ('base', 'rule', 'announcement', 'share'));
    ALTER TABLE play ADD COLUMN rule_id INTEGER;
    ALTER TABLE play ADD COLUMN rule_name TEXT;
    ALTER TABLE play ADD COLUMN rule_revision INTEGER;
    ALTER TABLE play ADD COLUMN occurrence TEXT;
    ALTER TABLE play ADD COLUMN planned_at INTEGER;
    ALTER TABLE play ADD COLUMN decision_id INTEGER;
    ALTER TABLE play ADD COLUMN chain INTEGER CHECK (chain > 0);
    ALTER TABLE play ADD COLUMN hash TEXT CHECK ((hash IS NULL) = (chain IS NULL) AND length(hash) = 64);
    ALTER TABLE play ADD COLUMN device_key TEXT;
    ALTER TABLE play ADD COLUMN is_clock_synchronised INTEGER CHECK (is_clock_synchronised IN (0, 1));
    CREATE UNIQUE INDEX play_chain ON play (chain) WHERE chain IS NOT NULL;
    """
}
