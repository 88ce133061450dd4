import GRDB
import Glibc

/// The copy of a database from before an upgrade. It lies beside the database: `castq.db.schema-15` is that of schema 15.
enum SchemaCopy {
  static func path(of database: String, version: Int) -> String { "\(database).schema-\(version)" }

  /// Copies a file, also while this process holds the lock for writing it. An older copy of the same schema is replaced, once the new
  /// one is complete and on the disk.
  static func make(of database: String, version: Int) throws {
    let copy = path(of: database, version: version)
    let unfinished = "\(copy).new"
    DatabaseFile.remove(unfinished)
    try DatabaseFile.prepareNew(unfinished)
    do {
      let source = try DatabaseQueue(
        path: database, configuration: Database.configuration(isReadOnly: true))
      try source.writeWithoutTransaction { db in
        try db.execute(sql: "VACUUM INTO ?", arguments: [unfinished])
      }
      try source.close()
      try DatabaseFile.replace(copy, with: unfinished)
    } catch {
      DatabaseFile.remove(unfinished)
      throw error
    }
  }

  /// The newest copy that a program of this version can open; nil if there is none.
  static func newest(of database: String, upTo known: Int) -> String? {
    ((1...known).reversed() + [SchemaVersion.lastNumber]).map { path(of: database, version: $0) }.first {
      copy in
      switch DatabaseFile.schemaVersion(copy) {
      case .marked(let number): number <= known
      case let found: found == .lastUnmarked
      }
    }
  }

  /// The command of a shell that puts a copy in the place of its database.
  static func command(putting copy: String, over database: String) -> String {
    let (file, log, memory) = (quoted(database), quoted("\(database)-wal"), quoted("\(database)-shm"))
    return "rm -f \(log) \(memory) && cp \(quoted(copy)) \(file)"
  }

  /// A path as one word of a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-+@".utf8.contains(byte)
    }
    return isPlain
      ? path
      : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
