-- ---------------------------------------------------------------------------------------------------------------------------
-- What goes to a centre, since version 9
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
  body TEXT NOT NULL CHECK (body GLOB '{*}')
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
