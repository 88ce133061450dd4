import CastProtocol
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Testing

@Suite("A queue as a playlist, and back")
struct QueuePlaylistTests {
  private let site: OperationsSite

  init() throws { site = try OperationsSite() }

  /// Replaces the queue with a list of this text.
  private func replace(_ name: String, _ text: String) async throws {
    let queue = try await site.queue()
    let list = await queue.read(
      SourceRequest(sources: [try site.file(name, text)]), isStrict: false)
    #expect(list.issues.isEmpty, "\(list.issues)")
    _ = try queue.replace(with: list, isStrict: true)
  }

  @Test(
    "every format but castq's own can be written, says what it loses, and is read again",
    arguments: [PlaylistFormat.pls, .xspf, .jspf])
  func others(format: PlaylistFormat) async throws {
    try await replace(
      "list.m3u",
      "#EXTINF:9,a\nhttp://media.example/a.mp4\n#CASTQ: rate=1.5 title=b\nhttp://media.example/b.mp4\n")
    let writer = try await site.queue().exported(as: format)
    #expect(writer.losses == ["\(format.rawValue.uppercased()) does not hold rate: entry 2"])
    try await replace("again.\(format.rawValue)", writer.text)
    #expect(try await site.letters() == "ab")
  }

  enum Change: CaseIterable {
    case remove, move, shuffle
  }

  @Test("what a list says of itself does not go with its first entry", arguments: Change.allCases)
  func listWords(change: Change) async throws {
    let head = "#EXTM3U url-tvg=\"http://media.example/guide.xml\" refresh=\"60\"\n#PLAYLIST:Channels\n"
    try await replace(
      "list.m3u", head + "#EXTINF:9,a\nhttp://media.example/a.mp4\nhttp://media.example/b.mp4\n")
    let queue = try await site.queue()
    switch change {
    case .remove: try await queue.remove([EntryArgument("p1")])
    case .move: try await queue.move(EntryArgument("p1"), to: 2)
    case .shuffle: try queue.workspace.queue.setShuffle(true, seed: 1, for: queue.device.id)
    }
    #expect(try queue.exported(as: .m3u).text.hasPrefix(head))
    let yaml = try queue.exported(as: .yaml).text
    #expect(yaml.contains("\n    url-tvg: http://media.example/guide.xml\n"), "\(yaml)")
    try await replace("own.yaml", yaml)
    try await site.enqueue("c")
    #expect(try queue.exported(as: .m3u).text.hasPrefix(head))
    // Another list has its own.
    try await replace("other.m3u", "http://media.example/c.mp4\n")
    #expect(try queue.exported(as: .m3u).text.hasPrefix("#EXTM3U\n"))
  }

  @Test("what has no entry replaces nothing, unless it is the list of an empty queue")
  func empty() async throws {
    let queue = try await site.queue()
    let empty = try site.file("empty.yaml", try queue.exported(as: .yaml).text)
    try await site.enqueue("ab")
    let cut = try site.file("cut.m3u", "")
    await expectFailure(.badData, saying: "the file is empty") {
      _ = try queue.replace(
        with: await queue.read(SourceRequest(sources: [cut]), isStrict: false), isStrict: false)
    }
    #expect(try await site.letters() == "ab")
    _ = try queue.replace(
      with: await queue.read(SourceRequest(sources: [empty]), isStrict: false), isStrict: false)
    #expect(try await site.letters() == "")
  }
}
