extension Schema {
  /// What hooks have to deliver.
  static let version10 = """
    CREATE TABLE hook_delivery (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      target     TEXT NOT NULL CHECK (length(target) = 64),
      body       TEXT NOT NULL CHECK (body GLOB '{*}'),
      created_at INTEGER NOT NULL,
      attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      next_at    INTEGER NOT NULL,
      problem    TEXT CHECK (problem <> '')
    ) STRICT;
    CREATE INDEX hook_delivery_due ON hook_delivery (next_at);
    """
}
