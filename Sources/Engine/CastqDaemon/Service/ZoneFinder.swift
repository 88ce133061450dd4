package import CastqText
import Glibc
import Synchronization

/// Finds zones of the database by names in letters of any case.
///
/// A calendar may name a thousand zones that are not there: each folder of the database is read once.
package final class ZoneFinder: Sendable {
  /// Folders that are remembered; the database has some twenty.
  private static let most = 64
  /// Names that are read of a folder; the largest has some 170.
  private static let longest = 10_000

  private let database: ZoneDatabase
  /// The names in a folder, by the same in small letters.
  private let folders = Mutex<[String: [String: String]]>([:])

  package init(_ database: ZoneDatabase) { self.database = database }

  /// The zone with a name in letters of any case; nil when there is none.
  package func find(_ text: String) -> (name: ZoneName, rules: TimeZoneRules)? {
    guard let wanted = try? ZoneName(text), !Self.foreign.contains(where: { text.hasPrefix($0) }) else {
      return nil
    }
    if let rules = try? database.rules(of: wanted) { return (wanted, rules) }
    var path = database.folder
    var parts: [String] = []
    for part in text.split(separator: "/").prefix(4) {
      guard let name = names(in: path)[part.lowercased()] else { return nil }
      parts.append(name)
      path += "/\(name)"
    }
    guard let name = try? ZoneName(parts.joined(separator: "/")), name.text.utf8.count == text.utf8.count,
      !Self.foreign.contains(where: { name.text.hasPrefix($0) }), let rules = try? database.rules(of: name)
    else { return nil }
    return (name, rules)
  }

  /// What the folder has besides zones.
  private static let foreign = ["localtime", "posixrules", "posix/", "right/", "Factory"]

  private func names(in folder: String) -> [String: String] {
    folders.withLock { folders in
      if let known = folders[folder] { return known }
      if folders.count >= Self.most { folders = [:] }
      let names = Dictionary(Self.read(folder).map { ($0.lowercased(), $0) }) { first, _ in first }
      folders[folder] = names
      return names
    }
  }

  private static func read(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream), names.count < longest {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
