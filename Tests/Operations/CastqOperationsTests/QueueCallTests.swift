import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Testing

@Suite("Changes of a queue")
struct QueueCallTests {
  @Test("what was added says where it is from, and what was not taken, why")
  func added() async throws {
    let site = try OperationsSite()
    let list = try site.file(
      "list.m3u", "#EXTM3U\n#EXTINF:12,Welcome\nhttp://media.example/a.mp4\ngone.mp4\n")
    let queue = try await site.queue()
    let read = await queue.read(SourceRequest(sources: [list]), isStrict: false)
    let added = try await queue.add(read, .end, plays: false, isStrict: false)
    #expect(added.json["device"]?.string == "lobby")
    #expect(added.entries.map { $0["title"]?.string } == ["Welcome"])
    #expect(added.entries.first?["line"]?.int == 3)
    #expect(added.json["skipped"]?.array?.map { $0["line"]?.int } == [4])
    #expect(added.failure == nil)
    await expectFailure(.badData, saying: "nothing was enqueued (--strict)") {
      _ = try await queue.add(read, .end, plays: false, isStrict: true)
    }
    #expect(try await site.letters() == "W")
  }

  @Test("p1 is the first position; a number is an entry, and one that only a position has names both")
  func positions() async throws {
    let site = try OperationsSite()
    try await site.enqueue("xabcd")
    let queue = try await site.queue()
    try await queue.remove([EntryArgument("p1")])
    await expectFailure(.badData, saying: "position 1 is entry 2: write 2 or p1") {
      try await queue.remove([EntryArgument("1")])
    }
    await expectFailure(.badData, saying: "no position 5 in this queue, which has 4") {
      try await queue.move(EntryArgument("p5"), to: 1)
    }
    await expectFailure(.badData, saying: "no entry 99 in this queue: 'castq queue'") {
      try await queue.remove([EntryArgument("99")])
    }
    try await queue.move(EntryArgument("p4"), to: 1)
    #expect(try await site.letters() == "dabc")
    try await queue.remove([EntryArgument("p4"), EntryArgument("e2")])
    #expect(try await site.letters() == "db")
  }

  @Test("what names no entry says how one is named", arguments: ["", "p", "0", "p0", "+1", "x1", "-1"])
  func malformed(text: String) {
    #expect(throws: UsageError.self) { try EntryArgument(text) }
  }

  @Test("an entry that is named twice is removed once")
  func removingTwice() async throws {
    let site = try OperationsSite()
    let first = try #require(try await site.enqueue("ab").added.first?.id)
    try await site.queue().remove([.entry(first), .entry(first)])
    #expect(try await site.letters() == "b")
  }

  @Test("a list that replaces the queue goes on as it says itself, not as the list before it did")
  func replacedModes() async throws {
    let site = try OperationsSite()
    let own = try site.file(
      "own.m3u", "#EXTM3U\n#CASTQ-QUEUE: repeat=one shuffle=yes\nhttp://media.example/a.mp4\n")
    let plain = try site.file("plain.m3u", "http://media.example/a.mp4\n")
    let queue = try await site.queue()
    for (file, mode, isShuffled) in [
      (own, QueueRepeat.one, true), (plain, .off, false), (own, .one, true),
    ] {
      let list = await queue.read(SourceRequest(sources: [file]), isStrict: false)
      _ = try queue.replace(with: list, isStrict: false)
      let settings = try queue.workspace.queue.settings(for: queue.device.id)
      #expect(settings.repeatMode == mode && settings.isShuffled == isShuffled)
    }
  }

  @Test("where nothing feeds and nothing may be left behind, what is to be played says so and is not added")
  func nobodyFeeds() async throws {
    let site = try OperationsSite()
    let queue = try await site.queue()
    let read = await queue.read(SourceRequest(sources: ["http://media.example/a.mp4"]), isStrict: false)
    await expectFailure(.tryAgain, saying: "lobby: no daemon feeds this database: start 'castq daemon'") {
      _ = try await queue.add(read, .end, plays: true, isStrict: false)
    }
    #expect(try await site.letters() == "")
  }
}
