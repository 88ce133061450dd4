import ArgumentParser
import CastqDaemon
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText
import Glibc

/// Names of the database for the completion of a shell: read while a person waits, so that nothing else is done for them.
enum NameCompletion {
  /// Devices by alias and name, and groups with their sign.
  static let devices = kind { database in
    devices(of: database) + ["@all"] + names(.groups, of: database).map { "@\($0)" }
  }
  static let knownDevices = kind(devices(of:))
  static let groups = kind { names(.groups, of: $0) }
  static let programmes = kind { names(.programmes, of: $0) }
  static let rules = kind { clean((try? ScheduleStore($0).ruleNames()) ?? []) }
  static let calendars = kind { names(.calendars, of: $0) }
  /// Programmes, and the files and folders that begin with what was typed.
  static let programmesAndFiles = CompletionKind.custom { words, _, prefix in
    (database(of: words).map { names(.programmes, of: $0) } ?? []) + FileCompletion.names(prefix)
  }

  /// A completion without the names that are not there: no database is made, and no error is printed into the person's line.
  private static func kind(_ names: @escaping @Sendable (Database) -> [String]) -> CompletionKind {
    .custom { words, _, _ in database(of: words).map(names) ?? [] }
  }

  /// The database of the command line that is typed; nil where there is none yet.
  private static func database(of words: [String]) -> Database? {
    var named: String?
    for (index, word) in words.enumerated() {
      if word == "--db", index + 1 < words.count { named = words[index + 1] }
      if word.hasPrefix("--db=") { named = String(word.dropFirst(5)) }
    }
    let path = CallOptions.databasePath(named: named)
    guard access(path, R_OK) == 0 else { return nil }
    return try? Database.reading(path: path)
  }

  private static func devices(of database: Database) -> [String] {
    let devices = (try? DeviceStore(database).all()) ?? []
    return clean(devices.flatMap { [$0.alias, $0.name].compactMap(\.self) })
  }

  private static func names(_ section: SiteSchedule.Section, of database: Database) -> [String] {
    clean((try? ScheduleStore(database).siteNames().all(section)) ?? [])
  }

  /// A name that a terminal would not show as it is is not offered.
  private static func clean(_ names: [String]) -> [String] {
    names.filter { !$0.isEmpty && TerminalText.sanitized($0) == $0 }
  }
}

/// Files for arguments that may also be something else.
enum FileCompletion {
  private static let limit = 500

  /// The files and folders whose paths begin with what was typed.
  static func names(_ prefix: String) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let folder = slash.map { String(prefix[...$0]) } ?? ""
    let start = slash.map { prefix[prefix.index(after: $0)...] } ?? prefix[...]
    let found = (FolderEntry.all(in: folder.isEmpty ? "." : folder) ?? []).lazy.filter { entry in
      let name = entry.name
      return name.hasPrefix(start) && (!name.hasPrefix(".") || start.hasPrefix("."))
        && TerminalText.sanitized(name) == name
    }
    return found.prefix(limit).map { folder + $0.name + ($0.isFolder ? "/" : "") }.sorted()
  }
}
