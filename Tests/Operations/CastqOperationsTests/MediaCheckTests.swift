import CastProtocol
import CastqOperations
import CastqPlaylists
import CastqText
import Foundation
import Testing

@Suite("A look at what is to be played")
struct MediaCheckTests {
  private let site: OperationsSite

  init() throws { site = try OperationsSite() }

  /// The problems of a list, as `line: message`.
  private func issues(_ path: String) async throws -> [String] {
    var call = site.call
    call.device = []
    return try await MediaCheck(call: call, request: SourceRequest(sources: [path])).report().list.issues
      .map { "\($0.line): \($0.message)" }
  }

  @Test("media that cannot be read and media that are empty are named before the screen shows nothing")
  func unreadable() async throws {
    let list = try site.file("list.m3u", "#EXTM3U\nshut.mp4\nempty.mp4\n")
    let shut = try site.file("shut.mp4", "film")
    try site.file("empty.mp4", "")
    #expect(chmod(shut, 0) == 0)
    let issues = try await issues(list)
    #expect(
      issues.contains { $0.hasPrefix("3: ") && $0.contains("empty.mp4: the file is empty") }, "\(issues)")
    guard geteuid() != 0 else { return }
    #expect(issues.contains { $0.contains("shut.mp4: it cannot be read: Permission denied") }, "\(issues)")
  }

  @Test("a folder with an HLS stream is one entry")
  func streams() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(site.folder)/hls", withIntermediateDirectories: true)
    for name in ["hls/seg1.ts", "hls/seg2.ts"] { try site.file(name, "x") }
    try site.file(
      "hls/index.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nseg1.ts\n#EXTINF:6,\nseg2.ts\n")
    let list = await (try site.queue()).read(SourceRequest(sources: ["\(site.folder)/hls"]), isStrict: true)
    let addresses = list.drafts.map(\.media.url)
    #expect(addresses.count == 1 && addresses[0].hasSuffix("/hls/index.m3u8"), "\(addresses)")
  }

  @Test("a list that wants headers is warned of")
  func headers() async throws {
    let list = try site.file(
      "tv.m3u", "#EXTM3U\n#EXTVLCOPT:http-referrer=http://h/\nhttp://127.0.0.1:9/a.m3u8|User-Agent=X\n")
    let issues = try await issues(list)
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        "3: the list wants this address to be asked with Referer, User-Agent, and a Cast device") == true,
      "\(issues)")
  }
}
