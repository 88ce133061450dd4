extension Schema {
  /// The tables that came last, while schema 1 was made: a file of the days before gets those that it has not.
  static let latest = [
    "pending_batch": """
    CREATE TABLE pending_batch (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id     TEXT NOT NULL UNIQUE CHECK (id <> '')
    ) STRICT;
    """,
    "proved_place": """
    CREATE TABLE proved_place (
      device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
      host      TEXT NOT NULL CHECK (host <> ''),
      port      INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535)
    ) STRICT;
    """,
  ]

  /// Makes a file of version 15, the last one before the mark, one of version 1. The jobs of 'castq at' go, which no command
  /// knows any more; nothing else is removed. No sealed word changes: format 1 of proofs has none of the new columns.
  static let takingOver = """
    ALTER TABLE play ADD COLUMN cause TEXT CHECK (cause IN (
      'completed', 'time_limit', 'rule', 'announcement', 'share', 'rule_ended', 'replaced',
      'skipped', 'stopped', 'transferred', 'quiet_hours', 'nothing_due', 'list_stopped', 'castq_ended',
      'guest', 'device_stopped', 'device_lost', 'device_removed', 'other_box',
      'failed', 'unplayable', 'stalled', 'ended_early', 'unreported', 'unobserved'));
    ALTER TABLE play ADD COLUMN caused_by TEXT CHECK (caused_by IS NULL OR (caused_by <> '' AND cause IS NOT NULL));
    ALTER TABLE play ADD COLUMN rate REAL CHECK (rate > 0);
    ALTER TABLE play ADD COLUMN unobserved_s REAL CHECK (unobserved_s >= 0);
    ALTER TABLE play ADD COLUMN attempt INTEGER CHECK (attempt > 0);
    ALTER TABLE play ADD COLUMN nonce TEXT CHECK (length(nonce) = 32);
    ALTER TABLE play ADD COLUMN proof_format INTEGER
      CHECK (proof_format IS NULL OR (proof_format = 2 AND hash IS NOT NULL AND nonce IS NOT NULL));
    CREATE TABLE list_problem (
      id        INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
      source    TEXT NOT NULL CHECK (source <> ''),
      line      INTEGER CHECK (line >= 1),
      message   TEXT NOT NULL CHECK (message <> ''),
      since     INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX list_problem_device ON list_problem (device_id);
    DROP TABLE job;
    -- The notes of before, by the words with which they began.
    UPDATE play SET cause = CASE
      WHEN note GLOB 'quiet hours have begun*' THEN 'quiet_hours'
      WHEN note GLOB '*ended at the time limit of the entry*' THEN 'time_limit'
      WHEN note GLOB 'another list took its place*' THEN 'replaced'
      WHEN note = 'its device was removed from castq' THEN 'device_removed'
      WHEN note GLOB 'another sender loaded *' THEN 'guest'
      WHEN outcome = 'skipped' THEN 'skipped'
      WHEN evidence = 'unobserved' THEN 'unobserved'
      WHEN outcome = 'finished' AND note IS NULL THEN 'completed'
      WHEN outcome = 'failed' AND (idle_reason IS NOT NULL OR error_type IS NOT NULL) THEN 'failed'
    END WHERE ended_at IS NOT NULL;
    """
}
