extension Schema {
  /// The zones that the site and its devices had.
  static let version12 = """
    CREATE TABLE zone_history (
      id        INTEGER PRIMARY KEY AUTOINCREMENT,
      device_id INTEGER,
      at        INTEGER NOT NULL,
      before    TEXT CHECK (before <> ''),
      after     TEXT CHECK (after <> '')
    ) STRICT;
    """
}
