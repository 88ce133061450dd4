import CastqDaemon
import CastqPlaylists
import CastqText
import Foundation
import Testing

/// Subtitle files as the world writes them, beside the WebVTT that each must become (`Subtitles/make.py`).
@Suite struct SubtitleSamplesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Subtitles/Samples")

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { FileManager.default.fileExists(atPath: folder.appending(path: "\($0).vtt").path) }.sorted()

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  @Test("a subtitle file of any format and character set becomes its WebVTT", arguments: names)
  func sample(name: String) throws {
    let bytes = try Self.bytes(name)
    let parts = name.split(separator: ".")
    let language = parts.count == 3 ? SubtitleLanguage.code(parts[1]) : nil
    let converted = try SubtitleConversion(bytes: bytes, file: name, language: language)
    #expect(converted.text == String(decoding: try Self.bytes("\(name).vtt"), as: UTF8.self))
  }

  @Test("there are forty samples in at least twelve character sets")
  func completeness() throws {
    var sets: Set<CastqText.CharacterSet> = []
    for name in Self.names {
      let parts = name.split(separator: ".")
      let language = parts.count == 3 ? SubtitleLanguage.code(parts[1]) : nil
      let decoding = SubtitleDecoding(try Self.bytes(name), language: language) {
        SystemCharacterSets.text($0, in: $1)
      }
      sets.insert(decoding.set)
    }
    #expect(Self.names.count >= 40)
    #expect(sets.count >= 12)
  }
}
