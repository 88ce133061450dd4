import CastqDaemon
import CastqMediaServer
import CastqPlaylists
import CastqPrograms
import Foundation
import Testing

/// The pieces of a film that is converted while it plays, with shell scripts in the part of `ffmpeg`.
struct LivePiecesTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-live-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Makes pieces by a script, in which `$at` is the second at which a piece begins.
  private func pieces(_ script: String) throws -> LivePieces {
    let path = "\(folder)/ffmpeg-\(UUID().uuidString)"
    let text =
      "#!/bin/sh\nfor word do [ \"$before\" = -output_ts_offset ] && at=$word; before=$word; done\n\(script)\n"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return LivePieces(ChildProgram(path: path))
  }

  private func film(bytes: Int = 10) throws -> ProbedFile {
    let path = "\(folder)/film.avi"
    try Data(count: bytes).write(to: URL(filePath: path))
    return try #require(ProbedFile(path))
  }

  /// 20 seconds, and so three pieces.
  private var conversion: LiveConversion {
    get throws {
      let probe = MediaProbe(
        formats: ["avi"], duration: 20, streams: [MediaProbe.Stream(.video, index: 0, codec: "mpeg4")])
      return try #require(
        PlayRules(DeviceAbilities(model: "Chromecast", capabilities: nil), deviceName: "Lobby").live(probe))
    }
  }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test("each piece is made once, from its own second on, and the one behind it meanwhile")
  func once() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // It may write no file, and fails where the folder is there.
    let pieces = try pieces("mkdir '\(folder)/made-'$at && printf %s $at")
    let media = pieces.media(try film(), try conversion)
    #expect(text(await media.make(nil)) == (try conversion).manifest)
    #expect(text(await media.make("1.ts")) == "8.000")
    #expect(text(await media.make("2.ts")) == "16.000")
    #expect(text(await media.make("1.ts")) == "8.000")
    await pieces.end()
    // Nobody has asked for it, and nothing comes before it.
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/made-0.000"))
    #expect(await media.make("0.ts") == nil)
  }

  @Test("several that ask for a piece at once get the same one")
  func together() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pieces = try pieces("mkdir '\(folder)/made' && printf %s $at")
    let media = pieces.media(try film(), try conversion)
    let all = await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<10 { group.addTask { await media.make("2.ts") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    await pieces.end()
    #expect(all.allSatisfy { text($0) == "16.000" })
  }

  @Test(
    "a conversion that fails, crashes or makes nothing is no piece, and the next one is tried again",
    arguments: ["exit 1", "printf half; exit 1", "printf half; kill -9 $$", "exit 0"])
  func failure(script: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pieces = try pieces("[ -e '\(folder)/well' ] && printf whole && exit 0; \(script)")
    let media = pieces.media(try film(), try conversion)
    #expect(await media.make("0.ts") == nil)
    try Data().write(to: URL(filePath: "\(folder)/well"))
    #expect(text(await media.make("0.ts")) == "whole")
    await pieces.end()
  }

  @Test("a film that was replaced has no pieces of the one before")
  func replaced() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pieces = try pieces("printf %s $at")
    let media = pieces.media(try film(), try conversion)
    _ = try film(bytes: 11)
    #expect(await media.make("0.ts") == nil)
    #expect(text(await pieces.media(try film(bytes: 11), try conversion).make("0.ts")) == "0.000")
    #expect(media.name != pieces.media(try film(bytes: 12), try conversion).name)
    await pieces.end()
  }

  @Test("the end of castq ends what is being made, and whoever waits for it gets nothing")
  func end() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let begun = "\(folder)/begun"
    try #require(mkfifo(begun, 0o600) == 0)
    let pieces = try pieces("echo > '\(begun)'; exec sleep 600")
    let media = pieces.media(try film(), try conversion)
    let asked = Task { await media.make("0.ts") }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = try? Data(contentsOf: URL(filePath: begun))
        continuation.resume()
      }
    }
    await pieces.end()
    #expect(await asked.value == nil)
    #expect(await media.make("1.ts") == nil)
  }
}
