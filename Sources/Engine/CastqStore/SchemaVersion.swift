import GRDB

/// Which schema a file has, by two numbers of its header: the mark (`application_id`) and the version (`user_version`).
///
/// The versions 1 to 15, before the first release, had no mark; with it the numbers begin at 1.
enum SchemaVersion: Equatable {
  /// A file without a number.
  case none
  /// A version of before the mark.
  case unmarked(Int)
  case marked(Int)
  /// The mark of another program.
  case foreign

  /// That of this program.
  static let current = marked(Database.version)
  /// The one without a mark that this program takes over.
  static let lastUnmarked = unmarked(lastNumber)
  static let lastNumber = 15

  /// "cstq" in ASCII.
  private static let mark = 0x6373_7471

  /// Reads it. Outside of a transaction the two numbers may be those of two moments: only `current` is certain then.
  init(_ db: GRDB.Database) throws {
    let mark = try db.scalar(Int.self, of: "application_id", sql: "PRAGMA application_id") ?? 0
    let number = try db.scalar(Int.self, of: "user_version", sql: "PRAGMA user_version") ?? 0
    self.init(mark: mark, number: number)
  }

  init(mark: Int, number: Int) {
    self =
      switch (mark, number) {
      case (0, 0): .none
      case (0, _): .unmarked(number)
      // A daemon of before that still runs writes its own number again to see whether it can write.
      case (Self.mark, Self.lastNumber): .marked(1)
      case (Self.mark, _): .marked(number)
      default: .foreign
      }
  }

  /// Writes a version with its mark.
  func write(_ db: GRDB.Database) throws {
    guard case .marked(let number) = self else { return }
    try db.execute(sql: "PRAGMA application_id = \(Self.mark); PRAGMA user_version = \(number)")
  }
}
