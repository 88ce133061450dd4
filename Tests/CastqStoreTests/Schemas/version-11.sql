-- Since version 11. The list of the configuration as it was read last.
ALTER TABLE queue ADD COLUMN configured_list TEXT CHECK (configured_list GLOB '{*}');

-- Since version 11. What day parts, calendars and groups were before each change, so that rules of yesterday can be read.
CREATE TABLE named_history (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  kind   TEXT NOT NULL CHECK (kind IN ('calendar', 'daypart', 'group', 'start')),
  name   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  before TEXT NOT NULL CHECK (before GLOB '{*}')
) STRICT;
