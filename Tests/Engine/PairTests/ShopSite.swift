import CastProtocol
import CastqDaemon
import CastqStore
import CastqText
import Foundation

/// A site that a person makes with the verbs of castq, and that is read from its database as the daemon reads it.
final class ShopSite {
  struct Refused: Error {
    let words: String
  }

  private let folder: String
  /// The database.
  var path: String { "\(folder)/castq.db" }
  private let desk: ScheduleDesk
  private static let zones = ZoneDatabase(environment: {
    ProcessInfo.processInfo.environment[$0].flatMap { $0.isEmpty ? nil : $0 }
  })

  /// An empty site with one screen, whose queue repeats.
  /// - Parameter zone: that of its configuration; the system has to know it.
  init(zone: ZoneName, base: [String]) throws {
    var template = Array("\(NSTemporaryDirectory())/castq-shop.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    folder = String(cString: made)
    try Data("timezone: \(zone.text)\n".utf8).write(to: URL(filePath: "\(folder)/config.yaml"))
    try Self.write(base, to: "\(folder)/base.m3u")
    try Self.castq(["device", "add", "lobby", "127.0.0.1:9"], in: folder)
    try Self.castq(["enqueue", "-d", "lobby", "base.m3u"], in: folder)
    try Self.castq(["repeat", "-d", "lobby", "all"], in: folder)
    desk = ScheduleDesk(
      try Database(path: "\(folder)/castq.db"), siteZone: zone, zones: { try? Self.zones.rules(of: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  // MARK: - Verbs

  /// Runs a verb, which must succeed and complain of nothing.
  /// - Returns: what it prints.
  @discardableResult
  func castq(_ words: String...) throws -> String { try castq(words) }

  @discardableResult
  func castq(_ words: [String]) throws -> String { try Self.castq(words, in: folder) }

  @discardableResult
  private static func castq(_ words: [String], in folder: String) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), "\(folder)/errors")
    process.executableURL = URL(filePath: "\(programs)/castq")
    process.arguments = words
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "CASTQ_DB": "\(folder)/castq.db", "LANG": "C.UTF-8",
      "CASTQ_CONFIG": "\(folder)/config.yaml", "XDG_RUNTIME_DIR": folder, "CASTQ_INTERFACES": "none",
      "CASTQ_FFPROBE": "off", "CASTQ_FFMPEG": "off",
    ]
    process.currentDirectoryURL = URL(filePath: folder)
    try Data().write(to: URL(filePath: errors))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let complaint = try String(contentsOfFile: errors, encoding: .utf8)
    guard process.terminationStatus == 0, complaint.isEmpty else {
      throw Refused(
        words: "castq \(words.joined(separator: " ")): exit \(process.terminationStatus): \(complaint)")
    }
    return printed
  }

  /// In `$CASTQ_BIN`, else beside the tests themselves.
  private static var programs: String {
    ProcessInfo.processInfo.environment["CASTQ_BIN"]
      ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// Names a list of such media.
  func addProgramme(_ name: String, _ files: [String]) throws {
    try Self.write(files, to: "\(folder)/\(name).m3u")
    try castq("programme", "add", name, "\(name).m3u")
  }

  private static func write(_ files: [String], to path: String) throws {
    let lines = files.map { "http://media/\($0)\n" }.joined()
    try Data("#EXTM3U\n\(lines)".utf8).write(to: URL(filePath: path))
  }

  /// What the program has planned, a line for each segment.
  func plan(_ range: Range<WallTime>) throws -> [String] {
    let printed = try castq(
      "plan", "-d", "lobby", "--from", RFC3339.text(range.lowerBound), "--to", RFC3339.text(range.upperBound),
      "--json")
    return try JSONValue(parsing: printed)["segments"]?.array?.map { segment in
      let words = ["start", "end", "programme"].map { segment[$0]?.string ?? "-" }
      return words.joined(separator: " ")
    } ?? []
  }

  /// What the program says of a moment to come: the winner, nil being the base, and the rules that it weighs.
  func why(_ moment: WallTime) throws -> (winner: String?, candidates: Int) {
    let answer = try JSONValue(parsing: try castq("why", "-d", "lobby", RFC3339.text(moment), "--json"))
    return (answer["winner"]?["programme"]?.string, answer["candidates"]?.array?.count ?? 0)
  }

  // MARK: - What the daemon reads

  /// The rules of the database, read again when a program has written since, and a number that changes with them.
  func read() throws -> (schedule: StoredSchedule, version: Int) { try desk.schedule() }

  /// The media in the list that a programme names.
  func files(of programme: StoredProgramme) throws -> [String] {
    try String(contentsOfFile: programme.source, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { String($0.split(separator: "/").last ?? "") }
  }
}
