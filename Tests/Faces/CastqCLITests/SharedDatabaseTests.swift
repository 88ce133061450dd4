import Foundation
import Testing

@Suite("One database file under many programs", .timeLimit(.minutes(20)))
struct SharedDatabaseTests {
  /// How many programs add to the list at the same time, and how many entries each adds.
  private static let (writers, entries) = (10, 5)

  @Test("a database has one daemon, also when another one calls it by a symbolic link")
  func link() async throws {
    try await Stage.with { stage in
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      let link = "\(stage.folder)/elsewhere.db"
      #expect(symlink(stage.database, link) == 0)
      let second = try await stage.castq("--db", link, "daemon")
      #expect(second.exit == 75, "\(second.stderr)")
      let beside = try FileManager.default.contentsOfDirectory(atPath: stage.folder)
      #expect(beside.filter { $0.hasPrefix("elsewhere.db") } == ["elsewhere.db"])
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("a feeder, ten programs that enqueue and one that follows history: no error, and no row is lost")
  func concurrency() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 40)
      try await stage.castq("device", "add", "lobby", receiver.address)
      for writer in 0..<Self.writers { try stage.playlist("w\(writer).m3u", tones: Self.entries, seconds: 2) }
      let first = try stage.playlist("first.m3u", tones: 1, seconds: 20_000)
      let history = try stage.start(["history", "--follow", "--jsonl"])
      let feeder = try stage.start(["run", "-d", "lobby", first])
      await receiver.playing()
      let endings = try await withThrowingTaskGroup(of: Ending.self) { group in
        for writer in 0..<Self.writers {
          // Each adds its entries in a program of its own, one after the other.
          group.addTask {
            var all = Ending(exit: 0, stdout: "", stderr: "")
            for number in 1...Self.entries {
              let ending = try await stage.castq(
                "enqueue", "-d", "lobby", "w\(writer).m3u-\(number).wav", "--json")
              all.exit = max(all.exit, ending.exit)
              all.stderr += ending.stderr
            }
            return all
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(endings.count == Self.writers)
      for ending in endings { expectSilence(ending) }
      // The first entry lasts until all have written.
      expectSilence(try await stage.castq("next", "-d", "lobby"))
      let fed = await feeder.ended()
      #expect(fed.exit == 0 && fed.stderr.isEmpty, "\(fed.stderr)")

      let expected = Set(
        (0..<Self.writers).flatMap { writer in (1...Self.entries).map { "w\(writer) m3u-\($0)" } })
      let queue = try await stage.json("queue")["entries"]?.elements ?? []
      #expect(Set(queue.compactMap { $0["title"]?.string }) == expected.union(["Tone 1"]))
      #expect(queue.count == expected.count + 1)
      #expect(
        queue.map { $0["state"]?.string } == ["skipped"] + Array(repeating: "finished", count: expected.count)
      )
      #expect(queue.map { $0["position"]?.int } == Array(1...queue.count))
      // Each writer's entries kept their order.
      for writer in 0..<Self.writers {
        let own = queue.compactMap { $0["title"]?.string }.filter { $0.hasPrefix("w\(writer) ") }
        #expect(own == (1...Self.entries).map { "w\(writer) m3u-\($0)" })
      }
      let plays = try await stage.history()
      #expect(plays.count == queue.count)
      #expect(Set(plays.map { $0["entry"]?.int }) == Set(queue.map { $0["entry"]?.int }))
      #expect(
        plays.map { $0["outcome"]?.string } == ["skipped"]
          + Array(repeating: "finished", count: expected.count))
      // Gaps are measured, and shown for the device.
      let gaps = try await stage.json("device", "show", "lobby")["gaps"]
      #expect(gaps?["count"]?.int == plays.count { $0["gap_before_s"]?.number != nil })
      let percentiles = ["p50_s", "p95_s", "p99_s"].compactMap { gaps?[$0]?.number }
      #expect(percentiles.count == 3 && percentiles == percentiles.sorted())
      #expect(try await stage.castq("device", "show", "lobby").stdout.contains("\ngaps "))
      // The follower has told the end of each play, once.
      let last = try #require(plays.last?["play"]?.int)
      let lastEnd = await history.stdout.index { line in
        guard let play = try? Document(line) else { return false }
        return play["play"]?.int == last && play["outcome"] != .null
      }
      #expect(lastEnd != nil)
      history.signal(SIGINT)
      let followed = await history.ended()
      #expect(followed.stderr.isEmpty)
      let told = try followed.outLines.map { try Document($0) }.filter { $0["outcome"] != .null }
      #expect(told.map { $0["play"]?.int } == plays.map { $0["play"]?.int })
    }
  }
}
