extension Schema {
  /// The list of the configuration in the row of its queue, and what rules named before it was changed.
  static let version11 = """
    ALTER TABLE queue ADD COLUMN configured_list TEXT CHECK (configured_list GLOB '{*}');
    CREATE TABLE named_history (
      id     INTEGER PRIMARY KEY AUTOINCREMENT,
      kind   TEXT NOT NULL CHECK (kind IN ('calendar', 'daypart', 'group', 'start')),
      name   TEXT NOT NULL,
      at     INTEGER NOT NULL,
      before TEXT NOT NULL CHECK (before GLOB '{*}')
    ) STRICT;
    INSERT INTO named_history (kind, name, at, before)
      VALUES ('start', '', CAST(strftime('%s', 'now') AS INTEGER) * 1000, '{}');
    """
}
