import CastProtocol
package import CastqPlaylists
package import CastqText
import GRDB

/// What `ffprobe` read of local files. A file that was replaced is another file: its size or its time differs.
package struct ProbeStore: Sendable {
  /// How many files are remembered; the ones probed longest ago go first.
  package static let limit = 20_000

  private let database: Database
  private let limit: Int

  package init(_ database: Database, limit: Int = Self.limit) {
    self.database = database
    self.limit = limit
  }

  /// What is known of this version of a file; nil when nothing is.
  package func result(of file: ProbedFile) throws(StoreError) -> ProbeResult? {
    try results(of: [file])[file.path]
  }

  /// What is known of these files, by path. A row that cannot be read counts as none: the file is probed again.
  package func results(of files: [ProbedFile]) throws(StoreError) -> [String: ProbeResult] {
    guard !files.isEmpty else { return [:] }
    return try database.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT document, problem FROM media_probe WHERE path = ? AND size = ? AND modified_at = ?")
      var results: [String: ProbeResult] = [:]
      for file in files {
        let row = try Row.fetchOne(statement, arguments: [file.path, file.size, file.modified])
        if let result = row.flatMap(Self.result) { results[file.path] = result }
      }
      return results
    }
  }

  /// The files whose title, artist or album has a text, in capital or small letters as far as they are ASCII.
  package func paths(tagged text: String) throws(StoreError) -> Set<String> {
    let pattern = text.reduce(into: "%") { $0 += "\\%_".contains($1) ? "\\\($1)" : String($1) } + "%"
    return try database.read { db in
      Set(
        try db.scalars(
          String.self, of: "media_probe",
          sql: """
            SELECT path FROM media_probe WHERE EXISTS (
              SELECT 1 FROM json_each(document, '$.format.tags')
              WHERE key IN ('title', 'artist', 'album_artist', 'albumartist', 'album') AND value LIKE ? ESCAPE '\\')
            """, arguments: [pattern]))
    }
  }

  /// A number that is another one when something was remembered.
  package func fingerprint() throws(StoreError) -> Int64 {
    try database.read { db in
      try db.scalar(
        Int64.self, of: "media_probe",
        sql: "SELECT count(*) * 1000003 + coalesce(max(probed_at), 0) FROM media_probe") ?? 0
    }
  }

  /// Remembers what a file is made of, in place of what was known of an earlier version.
  package func keep(_ result: ProbeResult, of file: ProbedFile, at now: WallTime) throws(StoreError) {
    let (document, problem): (String?, String?) =
      switch result {
      case .media(let probe): (probe.document.text, nil)
      case .notMedia(let words): (nil, words.isEmpty ? "no media" : words)
      }
    try database.write { db in
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO media_probe (path, size, modified_at, probed_at, document, problem)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        file.path, file.size, file.modified, now.milliseconds, document, problem,
      ])
      let count = try db.scalar(Int.self, of: "media_probe", sql: "SELECT count(*) FROM media_probe") ?? 0
      guard count > limit else { return }
      try db.execute(
        sql: """
          DELETE FROM media_probe WHERE path IN (SELECT path FROM media_probe ORDER BY probed_at, path LIMIT ?)
          """, arguments: [count - limit])
    }
  }

  /// What was known last of the file at an address, whichever version that was.
  static func newest(ofURL url: String, _ db: GRDB.Database) throws -> MediaProbe? {
    guard let path = MediaInformation(contentID: url, contentType: nil).localPath else { return nil }
    let row = try Row.fetchOne(
      db, sql: "SELECT document, problem FROM media_probe WHERE path = ?", arguments: [path])
    return row.flatMap(result)?.probe
  }

  private static func result(_ row: Row) -> ProbeResult? {
    let stored = StoredRow(row, of: "media_probe", id: "path")
    do {
      if let document = try stored.json("document") { return .media(try MediaProbe(document: document)) }
      guard let problem: String = try stored.optional("problem") else { return nil }
      // Earlier versions kept what was a failure of the program, and its own words.
      return ProbeRefusal.isPassing(problem) ? nil : .notMedia(ProbeRefusal.plain(problem))
    } catch {
      return nil
    }
  }
}
