import CastqDaemon
import CastqText
import Foundation
import Testing

/// Where zones come from.
@Suite struct ZoneDatabaseTests {
  /// A folder for one test, with a zone database that has one file.
  private struct Folder: ~Copyable {
    let path = NSTemporaryDirectory() + "castq-zones-\(UUID().uuidString)"

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path + "/zoneinfo/Etc", withIntermediateDirectories: true)
      try write("zoneinfo/Etc/East", Self.zone(offset: 3600))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func database(_ variables: [String: String] = [:]) -> ZoneDatabase {
      let all = ["TZDIR": "\(path)/zoneinfo"].merging(variables) { $1 }
      return ZoneDatabase(environment: { all[$0] }, settings: path)
    }

    /// A file of version 1 with one offset and no change.
    private static func zone(offset: Int32) -> [UInt8] {
      func number(_ value: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
      }
      let counts: [Int32] = [0, 0, 0, 0, 1, 4]
      return Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts.flatMap(number) + number(offset)
        + [0, 0] + Array("XXX\0".utf8)
    }
  }

  private func words(_ body: () throws(TextError) -> Void) -> String {
    do throws(TextError) { try body() } catch { return error.message + "; " + (error.hint?.typed ?? "") }
    return ""
  }

  @Test("a zone is read from the folder of TZDIR")
  func rules() throws {
    let folder = try Folder()
    let rules = try folder.database().rules(of: ZoneName("Etc/East"))
    #expect(rules.utcOffset(at: WallTime(milliseconds: 0)) == 3600)
    #expect(try folder.database().rules(of: .utc).utcOffset(at: WallTime(milliseconds: 0)) == 0)
  }

  @Test("a zone is found by its name in letters of any case, and folders are read once")
  func finds() throws {
    let folder = try Folder()
    let finder = ZoneFinder(folder.database())
    #expect(finder.find("etc/EAST")?.name.text == "Etc/East")
    #expect(finder.find("etc/west") == nil && finder.find("../zoneinfo/Etc/East") == nil)
    // A calendar that names a thousand unknown zones has the folders read for the first one alone.
    try folder.link("zoneinfo/Etc/West", to: "East")
    #expect(finder.find("etc/west") == nil)
    #expect(finder.find("Etc/West")?.name.text == "Etc/West")
    #expect(ZoneFinder(folder.database()).find("etc/west")?.name.text == "Etc/West")
  }

  @Test("a zone that is not there is an error that says what to install")
  func missing() throws {
    let folder = try Folder()
    let unknown = words { () throws(TextError) in
      _ = try folder.database().rules(of: ZoneName("Europe/Berlim"))
    }
    #expect(unknown.contains("no time zone Europe/Berlim") && unknown.contains("apt-get install tzdata"))
    #expect(unknown.contains("and none of the usual ones") && !unknown.contains("write one"))
    try folder.write("zoneinfo/UTC", [])
    let mistyped = words { () throws(TextError) in
      _ = try folder.database().rules(of: ZoneName("Europe/Berlim"))
    }
    #expect(mistyped.contains("write one such as Europe/Berlin"), "\(mistyped)")
    let bare = folder.database(["TZDIR": "/nowhere"])
    let nothing = words { () throws(TextError) in _ = try bare.rules(of: ZoneName("Europe/Berlin")) }
    #expect(nothing.contains("/nowhere") && nothing.contains("apt-get install tzdata"))
    try folder.write("zoneinfo/Text", Array("no zone".utf8))
    #expect(
      words { () throws(TextError) in _ = try folder.database().rules(of: ZoneName("Text")) }.contains(
        "not a file"))
    // A folder is no zone, and a pipe is never waited for.
    #expect(mkfifo("\(folder.path)/zoneinfo/Pipe", 0o600) == 0)
    for name in ["Etc", "Pipe"] {
      #expect(!words { () throws(TextError) in _ = try folder.database().rules(of: ZoneName(name)) }.isEmpty)
    }
  }

  @Test(
    "the version of the data is read where a system keeps it",
    arguments: [
      ("tzdata.zi", "# version 2026b\n# This zic input file\n", "2026b"), ("+VERSION", "2025a\n", "2025a"),
      ("version", "2024b", "2024b"), ("tzdata.zi", "# version 2025b-dirty\n", "2025b-dirty"),
      ("tzdata.zi", "R A 1916 o - Jun 14 23s 1 S\n", nil), ("version", "\u{1B}[2J", nil),
    ] as [(String, String, String?)])
  func version(_ file: String, _ text: String, _ expected: String?) throws {
    let folder = try Folder()
    #expect(folder.database().version == nil)
    try folder.write("zoneinfo/\(file)", Array(text.utf8))
    #expect(folder.database().version == expected)
  }

  @Test("the system's own zone is that of TZ, else of /etc/localtime, else in /etc/timezone, else UTC")
  func own() throws {
    let folder = try Folder()
    #expect(try folder.database().own() == .utc)
    try folder.write("timezone", Array("Etc/East\n".utf8))
    #expect(try folder.database().own().text == "Etc/East")
    try folder.link("localtime", to: "../usr/share/zoneinfo/Asia/Kathmandu")
    #expect(try folder.database().own().text == "Asia/Kathmandu")
    for (variable, name) in [
      ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"), ("UTC0", "UTC"),
      ("\(folder.path)/zoneinfo/Etc/East", "Etc/East"), ("/usr/share/zoneinfo/posix/Etc/East", "Etc/East"),
    ] {
      #expect(try folder.database(["TZ": variable]).own().text == name)
    }
  }

  @Test("a zone whose name cannot be found out is an error that says where to write it")
  func unnamed() throws {
    let folder = try Folder()
    try folder.write("localtime", [])
    #expect(
      words { () throws(TextError) in _ = try folder.database().own() }.contains("timezone: Europe/Berlin"))
    let rule = folder.database(["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"])
    #expect(words { () throws(TextError) in _ = try rule.own() }.contains("TZ: "))
  }
}
