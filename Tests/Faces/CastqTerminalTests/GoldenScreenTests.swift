import CastqTerminal
import Foundation
import Testing

/// Every screen as it was looked at and found good, in `Screens`. `CASTQ_RECORD=1 swift test --filter GoldenScreenTests` writes them again;
/// read the difference before you keep it.
@Suite("Golden screens")
struct GoldenScreenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Screens")
  private static let isRecording = ProcessInfo.processInfo.environment["CASTQ_RECORD"] == "1"

  private static func head(_ columns: Int, _ rows: Int) -> String { "== \(columns)×\(rows)\n" }

  @Test("the remote is drawn as it was looked at, at 80×24, 120×40 and 40×10", arguments: RemoteScene.all)
  func golden(scene: RemoteScene) throws {
    let drawn = RemoteScene.sizes.map { columns, rows in
      Self.head(columns, rows) + scene.screen(columns: columns, rows: rows).text + "\n"
    }.joined()
    let file = Self.folder.appending(path: "\(scene.name).txt")
    if Self.isRecording { try drawn.write(to: file, atomically: true, encoding: .utf8) }
    #expect(drawn == (try? String(contentsOf: file, encoding: .utf8)), "\(scene.name)")
  }

  @Test("where there is no Unicode, every byte of every screen is ASCII", arguments: RemoteScene.all)
  func ascii(scene: RemoteScene) {
    var scene = scene
    scene.signs = .ascii
    for (columns, rows) in RemoteScene.sizes {
      var writer = ScreenWriter()
      let bytes = writer.update(to: scene.screen(columns: columns, rows: rows))
      #expect(bytes.utf8.allSatisfy { $0 < 0x80 }, "\(columns)×\(rows)")
    }
  }

  @Test("there are more than forty golden screens, and each file has its scene")
  func completeness() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasSuffix(".txt")
    }
    #expect(Set(files) == Set(RemoteScene.all.map { "\($0.name).txt" }))
    #expect(files.count * RemoteScene.sizes.count >= 40)
  }

  @Test("docs/remote.md shows lines of the screen as it is drawn")
  func page() throws {
    let root = (0..<4).reduce(Self.folder) { url, _ in url.deletingLastPathComponent() }
    let text = try String(contentsOf: root.appending(path: "docs/remote.md"), encoding: .utf8)
    let block = text.components(separatedBy: "```\n").first { $0.contains("Welcome to the house") }
    let golden = try String(contentsOf: Self.folder.appending(path: "playing.txt"), encoding: .utf8)
    let lines = Set(golden.split(separator: "\n"))
    let shown = try #require(block).split(separator: "\n").filter {
      $0.hasPrefix(" ") || $0.hasPrefix("›") || $0.hasPrefix("─")
    }
    #expect(shown.count >= 10 && shown.allSatisfy(lines.contains), "\(shown.filter { !lines.contains($0) })")
  }

  private static let python: String? = {
    guard let python = ProcessInfo.processInfo.environment["CASTQ_PYTHON"] else { return nil }
    return (try? ForeignTerminal.run(python, "import pyte", Data())) == nil ? nil : python
  }()

  /// A screen by which terminals are compared. Some leave spacing marks out; the column that they have here is blank there.
  private static func folded(_ text: String) -> [Substring] {
    var scalars = String.UnicodeScalarView()
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .spacingMark ? " " : scalar)
    }
    return String(scalars).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(
    "another program's terminal shows the same screens, one after the other, from the differences alone",
    .enabled(if: python != nil, "set CASTQ_PYTHON to a Python that has the package pyte"),
    arguments: RemoteScene.sizes)
  func foreign(columns: Int, rows: Int) throws {
    let python = try #require(Self.python)
    var writer = ScreenWriter()
    let screens = RemoteScene.all.map { $0.screen(columns: columns, rows: rows) }
    // Each piece of bytes, and the screen that must be seen after it.
    let pieces = screens.map { writer.update(to: $0) }
    let document = try JSONEncoder().encode(
      ForeignTerminal.Session(columns: columns, rows: rows, pieces: [TerminalModes.enter] + pieces))
    let answer = try JSONDecoder().decode(
      [String].self, from: ForeignTerminal.run(python, ForeignTerminal.script, document))
    for (scene, (shown, screen)) in zip(RemoteScene.all, zip(answer.dropFirst(), screens)) {
      for (line, expected) in zip(Self.folded(shown), Self.folded(screen.text)) {
        #expect(line == expected, "\(scene.name) at \(columns)×\(rows)")
      }
    }
  }
}

/// `pyte`, a terminal in Python.
enum ForeignTerminal {
  struct Session: Encodable {
    var columns: Int
    var rows: Int
    var pieces: [String]
  }

  struct Failed: Error {
    var words: String
  }

  static let script = """
    import json, pyte, sys
    session = json.load(sys.stdin)
    screen = pyte.Screen(session["columns"], session["rows"])
    stream = pyte.Stream(screen)
    shown = []
    for piece in session["pieces"]:
        stream.feed(piece)
        lines = []
        for y in range(screen.lines):
            line = "".join(screen.buffer[y][x].data for x in range(screen.columns))
            lines.append(line.rstrip(" "))
        shown.append("\\n".join(lines))
    json.dump(shown, sys.stdout)
    """

  /// Runs a script on an input, and returns what it prints.
  static func run(_ python: String, _ script: String, _ input: Data) throws -> Data {
    let file = URL(filePath: NSTemporaryDirectory()).appending(path: "castq-screens-\(UUID().uuidString)")
    try input.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", script]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(words: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }
    return data
  }
}
