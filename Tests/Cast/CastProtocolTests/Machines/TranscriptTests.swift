import CastTestKit
import Foundation
import Testing

/// The conversations in `Transcripts/` are part of the source: a difference is either a mistake or a decision.
/// `CASTQ_RECORD=1 swift test --filter TranscriptTests` writes them anew; read the difference before you keep it.
@Suite struct TranscriptTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Transcripts")

  static let files: [String] = {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test("a conversation goes as it is written down", arguments: files)
  func replays(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let written = try String(contentsOf: file, encoding: .utf8)
    let played = try Transcript(written).replay()
    if ProcessInfo.processInfo.environment["CASTQ_RECORD"] == "1", played != written {
      try played.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let differences = zip(written.split(separator: "\n"), played.split(separator: "\n")).filter { $0 != $1 }
    #expect(
      played == written, "first difference: \(differences.first.map { "\($0.0) | \($0.1)" } ?? "length")")
  }

  @Test("the conversations are there")
  func thereAreTranscripts() { #expect(Self.files.count >= 20) }
}
