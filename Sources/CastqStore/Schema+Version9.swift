extension Schema {
  /// The outbox of plays for a centre.
  static let version9 = """
    CREATE TABLE link (
      id        INTEGER PRIMARY KEY CHECK (id = 1),
      site      TEXT NOT NULL CHECK (site <> ''),
      linked_at INTEGER NOT NULL,
      cursor    INTEGER NOT NULL DEFAULT 0 CHECK (cursor >= 0)
    ) STRICT;
    CREATE TABLE outbox (
      seq  INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('play', 'refused')),
      body TEXT NOT NULL CHECK (body GLOB '{*}')
    ) STRICT;
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
    """
}
