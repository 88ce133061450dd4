import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// An entry that was cut goes on where it was cut, whoever cut it.
struct ResumeTests {
  enum Cut: CaseIterable {
    case guest, application, device, process
  }

  @Test(
    "an entry that a guest, a crash or a lost device cut goes on where it was cut", arguments: Cut.allCases,
    [.off, .all] as [QueueRepeat])
  func resumes(after cut: Cut, mode: QueueRepeat) throws {
    var feed = FeedFixture.feed(["v30.mp4", "v5.mp4"], repeatMode: mode)
    feed.lease = .seconds(20)
    feed.run(until: Tick(.seconds(12)))
    switch cut {
    case .guest: feed.control(.foreignLoad(url: "http://media/v90.mp4", contentType: "video/mp4"))
    case .application: feed.control(.crash)
    case .device: feed.control(.reboot(downFor: .seconds(5)))
    case .process:
      feed.control(.takeover(appID: EchoApplication.plainID))
      feed.killFeeder()
    }
    feed.run(until: Tick(.seconds(300)))
    let positions = feed.rows.facts.compactMap { fact in
      if case .started(let turn, let play) = fact, turn.entry == EntryID(1) {
        play.position.seconds
      } else {
        nil
      }
    }
    #expect(mode == .off ? positions.count == 2 : positions.count > 4, "\(feed.log.joined(separator: "\n"))")
    // A killed process leaves the position that it wrote last.
    let earliest = cut == .process ? 4.5 : 8
    #expect(positions.count > 1 && (earliest...12.5).contains(positions[1]), "\(positions)")
    #expect(positions.dropFirst(2).allSatisfy { $0 < 1 }, "\(positions)")
    #expect(Array(feed.rows.entries(.finished).prefix(2)) == [1, 2])
  }

  @Test("what was seen of a play that was cut in its first second is counted")
  func firstSecond() throws {
    var feed = FeedFixture.feed(["v30.mp4"])
    feed.lease = .seconds(20)
    feed.run(until: Tick(.seconds(0.4)))
    while feed.feeder.current == nil || !feed.feeder.isShowing {
      feed.run(until: feed.now + .milliseconds(20))
    }
    feed.run(until: feed.now + .milliseconds(500))
    feed.control(.foreignLoad(url: "http://media/v90.mp4", contentType: "video/mp4"))
    feed.run(until: feed.now + .seconds(2))
    let play = try #require(feed.rows.ends(of: 1).first)
    #expect((0.3...0.7).contains(play.played), "\(play.played)")
  }

  @Test("a play that was found again says that it was out of sight", arguments: [true, false])
  func note(isKilled: Bool) throws {
    var feed = FeedFixture.feed(["v90.mp4"])
    feed.run(until: Tick(.seconds(8)))
    if isKilled {
      feed.killFeeder(restartAfter: .seconds(6))
    } else {
      feed.control(.drop(for: .seconds(30), .refuse))
    }
    feed.run(until: Tick(.seconds(200)))
    let play = try #require(feed.rows.ends(of: 1).first)
    #expect(play.outcome == .finished)
    #expect((play.unobserved ?? 0) >= 1, "\(feed.log.joined(separator: "\n"))")
  }

  @Test("a device that shows what it was given is called at once, however often it was lost before")
  func losses() {
    var feed = FeedFixture.feed(["v300.mp4"])
    feed.reconnect = ReconnectPolicy(waits: [.zero, .seconds(50)], jitter: 0)
    for _ in 0..<4 {
      feed.run(until: feed.now + .seconds(10))
      feed.cutConnection()
      feed.run(until: feed.now + .seconds(5))
      #expect(feed.feeder.isShowing, "\(feed.log.joined(separator: "\n"))")
    }
  }

  /// How long each picture but the last stands, in milliseconds.
  private func pictureTimes(_ names: [String], load: @escaping @Sendable (String) -> Duration) -> [Int64] {
    var rows = VirtualRows()
    for name in names { rows.append(FeedFixture.draft(name)) }
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration()) { url, _ in
      (.loaded(MediaFacts(contentType: "image/jpeg", isImage: true)), load(url))
    }
    var feed = VirtualFeed(rows: rows, receiver: receiver)
    feed.run(until: Tick(.seconds(80)))
    let shown = feed.rows.facts.compactMap { fact in
      if case .started(_, let play) = fact { play.at.milliseconds } else { nil }
    }
    return zip(shown, shown.dropFirst()).map { $1 - $0 }
  }

  @Test(
    "the first picture of a list stands for its time, however long it took to load", arguments: [0, 400, 900])
  func firstPicture(milliseconds: Int) {
    let times = pictureTimes(["a.jpg", "b.jpg", "c.jpg"]) { _ in .milliseconds(milliseconds + 10) }
    #expect(times.count == 2 && times.allSatisfy { (9_900...10_150).contains($0) }, "\(times)")
  }

  @Test("pictures behind a first one that was slow to load stand for their time")
  func slowFirst() {
    let times = pictureTimes(["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]) { url in
      .milliseconds(url.hasSuffix("a.jpg") ? 1500 : 20)
    }
    #expect(times.count == 4 && times.dropFirst().allSatisfy { (9_900...10_150).contains($0) }, "\(times)")
  }
}
