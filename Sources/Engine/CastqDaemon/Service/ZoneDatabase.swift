package import CastqText
import Glibc

/// The time zones of the system: files of the zone database, read without the C library, which knows one zone per process.
package struct ZoneDatabase: Sendable {
  /// `TZDIR`, or where the package tzdata puts it.
  package let folder: String
  /// The value of `TZ`; nil when it is unset.
  private let variable: String?
  /// Where the system keeps its own zone: `/etc`.
  private let settings: String

  /// The largest file that is read; the largest one of the database has less than 4 KB.
  private static let longest = 1 << 20

  /// - Parameters:
  ///   - environment: the value of a variable; nil when it is unset or empty.
  ///   - settings: the folder of `localtime` and `timezone`.
  package init(environment: (String) -> String?, settings: String = "/etc") {
    folder = environment("TZDIR") ?? "/usr/share/zoneinfo"
    variable = environment("TZ")
    self.settings = settings
  }

  /// The offsets of a zone.
  /// - Throws: when the database has no such zone, in words that say what to install.
  package func rules(of zone: ZoneName) throws(TextError) -> TimeZoneRules {
    guard let bytes = Self.bytes("\(folder)/\(zone.text)", limit: Self.longest) else {
      // UTC needs no file: small systems are set to it and have none.
      if zone == .utc || Self.namesOfUTC.contains(zone.text) { return TimeZoneRules() }
      throw missing(zone)
    }
    guard let rules = TimeZoneRules(file: bytes) else {
      throw TextError(
        "\(folder)/\(zone.text) is not a file of the zone database", hint: FaceWords(Self.advice))
    }
    return rules
  }

  private func missing(_ zone: ZoneName) -> TextError {
    guard access(folder, F_OK) == 0 else {
      return TextError(
        "there is no time zone \(zone.text), since there is no folder \(folder)", hint: FaceWords(Self.advice)
      )
    }
    // Where all files are gone, another name is no way out.
    guard Self.usual.contains(where: { access("\(folder)/\($0)", F_OK) == 0 }) else {
      return TextError(
        "\(folder) has no time zone \(zone.text), and none of the usual ones", hint: FaceWords(Self.advice))
    }
    return TextError(
      "\(folder) has no time zone \(zone.text)",
      hint:
        "write one such as Europe/Berlin; \(Self.advice), or tzdata-legacy for old names such as US/Eastern")
  }

  /// Other names of UTC.
  private static let namesOfUTC: Set = ["Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu"]
  /// Zones that each database has.
  private static let usual = ["UTC", "Etc/UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"]
  private static let advice = "the package tzdata has them: apt-get install tzdata"

  /// The version of the data, such as `2026b`; nil when the folder does not have it.
  package var version: String? {
    for name in ["tzdata.zi", "+VERSION", "version"] {
      guard let bytes = Self.start(of: "\(folder)/\(name)", count: 100) else { continue }
      var words = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        .split(separator: " ")[...]
      // tzdata.zi begins with a comment: # version 2026b
      if words.first == "#", words.dropFirst().first == "version" { words = words.dropFirst(2) }
      if let word = words.first, words.count == 1, Self.isVersion(word) { return String(word) }
    }
    return nil
  }

  /// A year, letters, and what a distribution adds.
  private static func isVersion(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    return (5...40).contains(bytes.count) && bytes.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
      && (0x61...0x7A).contains(bytes[4])
      && bytes.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || "-+.".utf8.contains($0)
      }
  }

  // MARK: - The system's own zone

  /// The name of the system's own zone: that of `TZ`, else of the file that `/etc/localtime` links to, else in `/etc/timezone`. UTC
  /// when there is none of them, as in the C library.
  /// - Throws: when a zone is set whose name cannot be found out.
  package func own() throws(TextError) -> ZoneName {
    if let variable { return try named(variable) }
    let local = "\(settings)/localtime"
    if let target = Self.target(of: local), let zone = zone(atPath: target) { return zone }
    if let bytes = Self.bytes("\(settings)/timezone", limit: 4096) {
      let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
      let word = line.split(separator: " ").first ?? ""
      do throws(TextError) { return try ZoneName(String(word)) } catch {
        throw TextError("\(settings)/timezone: \(error.message)", hint: Self.settingAdvice)
      }
    }
    guard access(local, F_OK) != 0 else {
      throw TextError(
        "\(local) does not say which time zone it is, since it is not a link", hint: Self.settingAdvice)
    }
    return .utc
  }

  /// The offset of the system's own zone from UTC in seconds, as the C library has it; east is positive.
  package static func systemOffset(at moment: WallTime) -> Int {
    var seconds = time_t(moment.milliseconds / 1000)
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }

  private static let settingAdvice: FaceWords = "write `timezone: Europe/Berlin` into the configuration"

  /// The zone of `TZ`, which may begin with a colon and may be a path.
  private func named(_ variable: String) throws(TextError) -> ZoneName {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text == "UTC0" { return .utc }
    if text.hasPrefix("/"), let zone = zone(atPath: text) { return zone }
    do throws(TextError) { return try ZoneName(text) } catch {
      throw TextError("TZ: \(error.message)", hint: error.hint)
    }
  }

  /// The zone of a file of the database; nil when the path is no such file. A link may be relative.
  private func zone(atPath path: String) -> ZoneName? {
    for root in ["\(folder)/", "/zoneinfo/"] {
      guard let start = path.range(of: root) else { continue }
      var name = path[start...]
      for variant in ["posix/", "right/"] where name.hasPrefix(variant) { name = name.dropFirst(6) }
      if let zone = try? ZoneName(String(name)) { return zone }
    }
    return nil
  }

  // MARK: - Files

  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// The whole file; nil when it cannot be read, is not an ordinary file, or is larger than the limit.
  private static func bytes(_ path: String, limit: Int) -> [UInt8]? {
    start(of: path, count: limit + 1).flatMap { $0.count <= limit ? $0 : nil }
  }

  /// The first bytes of an ordinary file, or all when it has fewer. A pipe in the folder would never open.
  private static func start(of path: String, count limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    // The limit's megabyte would take longer to clear than the zone to read.
    let room = min(limit, max(0, Int(facts.st_size)))
    var bytes = [UInt8](repeating: 0, count: room)
    var count = 0
    while count < room {
      let more = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), room - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { return nil }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }
}

extension String {
  /// Where the text after the last occurrence of another one begins; nil when that does not occur.
  fileprivate func range(of other: String) -> String.Index? {
    var found: String.Index?
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(other) { found = self.index(index, offsetBy: other.count) }
      index = self.index(after: index)
    }
    return found
  }
}
