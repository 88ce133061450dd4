extension Schema {
  /// What a decision has passed over.
  static let version13 = """
    ALTER TABLE decision ADD COLUMN passed_over TEXT NOT NULL DEFAULT '[]' CHECK (passed_over GLOB '[[]*]');
    """
}
