extension Schema {
  /// Removing thousands of programmes looked through all programmes and rules for each of them; why a play was refused stood in the
  /// log alone.
  static let version15 = """
    CREATE INDEX programme_filler ON programme (filler_id) WHERE filler_id IS NOT NULL;
    CREATE INDEX rule_programme ON rule (programme_id);
    CREATE INDEX rule_exception_programme ON rule_exception (programme_id) WHERE programme_id IS NOT NULL;
    ALTER TABLE outbox ADD COLUMN problem TEXT CHECK (problem <> '');
    """
}
