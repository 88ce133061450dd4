-- ---------------------------------------------------------------------------------------------------------------------------
-- What hooks have to deliver, since version 10
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
