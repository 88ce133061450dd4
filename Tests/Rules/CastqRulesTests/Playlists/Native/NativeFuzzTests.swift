import CastProtocol
import Foundation
import Testing
@testable import CastqPlaylists
@testable import CastqText

@Suite struct NativeFuzzTests {
  private static let tokens = [
    "\"", "'", ":", ": ", "- ", "? ", "&a ", "*a", "!!str ", "|", ">", "[", "]", "{", "}", ",", "#", "%",
    "\n", "\r\n", "\u{0}", "\t",
    "\u{FEFF}", "\u{85}", "\u{2028}", "<<: ", "---\n", "...\n", "\\u", "1e999", ".nan", "  ",
  ].map { Array($0.utf8) }

  @Test(
    "no damage to a native playlist traps, and every issue points into the file",
    arguments: [PlaylistFormat.yaml, .json])
  func mutations(format: PlaylistFormat) throws {
    var random = SeededGenerator(seed: 5)
    var generator = DraftGenerator(random: SeededGenerator(seed: 6))
    let drafts = (0..<4).map { _ in generator.draft() }
    let original = Array(NativeWriter(Playlist(name: "x", drafts: drafts)).text(format).utf8)
    for _ in 0..<scheduleRuns(100, 300) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
        default: bytes.removeLast(Int.random(in: 0...20, using: &random))
        }
      }
      var loader = MemoryLoader(media: ["ä b#%.mp4", "new\nline\u{1B}[1m.mp4", "plain.mp4"])
      loader.files["/media/x.\(format.rawValue)"] = bytes
      let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
      for issue in loader.read("x.\(format.rawValue)").issues {
        // YAML counts three characters beyond ASCII as line ends, too.
        let others = String(decoding: bytes, as: UTF8.self).unicodeScalars.count {
          [0x85, 0x2028, 0x2029].contains($0.value)
        }
        #expect(issue.line >= 1 && issue.line <= lines.count + others, "\(issue) of \(lines.count)+\(others)")
        #expect(issue.column >= 1 && issue.column <= (lines.map(\.count).max() ?? 0) + 2, "\(issue)")
      }
    }
  }
}
