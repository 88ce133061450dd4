import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Foundation
import Testing

/// Eleven runs that can be read aloud, in `Transcripts/`: what a runner is told, and what it does. They are part of the source: a difference is
/// either a mistake or a decision. `CASTQ_RECORD=1 swift test --filter RunTranscriptTests` writes them again.
@Suite struct RunTranscriptTests {
  enum Scene: String, CaseIterable {
    case plainList = "plain-list"
    case loopSeam = "loop-seam"
    case deadEntry = "dead-entry"
    case lostAndAdopted = "lost-and-adopted"
    case guestAndLease = "guest-and-lease"
    case pictureAndPage = "picture-and-page"
    case windowOpens = "window-opens"
    case jumpWhileBuffering = "jump-while-buffering"
    case databaseFails = "database-fails"
    case databaseOutage = "database-outage"
    case haltDuringLoad = "halt-during-load"

    /// The first line: what the run shows.
    var title: String {
      switch self {
      case .plainList: "Two entries play to their end: one load, and each end is reported."
      case .loopSeam:
        "A list repeats: the next round is inserted before this one ends, so that the seam is not seen."
      case .deadEntry:
        "An address that is not there fails, is tried again after the next entry, and has failed then."
      case .lostAndAdopted: "The feeder is killed. The next one adopts what still plays, and loads nothing."
      case .guestAndLease: "Another sender takes the screen. After its lease the list continues where it was."
      case .pictureAndPage:
        "A picture stands on our clock, a page in an application of its own; the session changes with them."
      case .windowOpens:
        "Nothing may be shown yet: there is no session until the time window of the entry opens."
      case .jumpWhileBuffering:
        "A person skips an entry that is still being loaded: the rest of the list interrupts its load."
      case .databaseOutage:
        "The disk is full for a while: the list goes on from memory, and what was written is made up for in order."
      case .databaseFails: "What is written fails for good: the run ends with the words of the database."
      case .haltDuringLoad:
        "A person stops the list while it is being loaded: the load lets no stop through, so its application is ended."
      }
    }

    func play() -> VirtualFeed {
      switch self {
      case .plainList: return run(["v4.mp4", "v3.mp4"], seconds: 30)
      case .loopSeam: return run(["v4.mp4", "v3.mp4"], repeatMode: .all, seconds: 16)
      case .deadEntry: return run(["dead.mp4", "v3.mp4", "v2.mp4"], seconds: 60)
      case .lostAndAdopted:
        return run(["v20.mp4", "v3.mp4"], seconds: 60) { feed in
          feed.run(until: Tick(.seconds(5)))
          feed.killFeeder()
        }
      case .guestAndLease:
        return run(["v30.mp4"], seconds: 90) { feed in
          feed.lease = .seconds(20)
          feed.run(until: Tick(.seconds(6)))
          feed.control(.takeover(appID: "233637DE"))
        }
      case .pictureAndPage: return run(["a.jpg", "a.html"], seconds: 60)
      case .windowOpens: return run(["v3.mp4"], opening: 12, seconds: 60)
      case .jumpWhileBuffering:
        return run(["slow4.mp4", "v3.mp4"], seconds: 60) { feed in
          feed.run(until: Tick(.seconds(4)))
          feed.ask(.perform(.next))
        }
      case .databaseFails:
        return run(["v20.mp4"], seconds: 60) { feed in
          feed.run(until: Tick(.seconds(4)))
          feed.breakRows("the database is damaged")
        }
      case .databaseOutage:
        return run(["v4.mp4", "v3.mp4", "v5.mp4"], seconds: 60) { feed in
          feed.run(until: Tick(.seconds(3)))
          feed.failRows(for: .seconds(7))
        }
      case .haltDuringLoad:
        return run(["slow4.mp4"], seconds: 60) { feed in
          feed.run(until: Tick(.milliseconds(900)))
          feed.ask(.perform(.stop(quits: false)))
        }
      }
    }

    private func run(
      _ names: [String], repeatMode: QueueRepeat = .off, opening: Double? = nil, seconds: Double,
      _ meanwhile: (inout VirtualFeed) -> Void = { _ in }
    ) -> VirtualFeed {
      var rows = VirtualRows()
      rows.repeatMode = repeatMode
      for name in names {
        var draft = FeedFixture.draft(name)
        draft.notBefore = opening.map { WallTime(milliseconds: 1_000_000).adding(seconds: $0) }
        rows.append(draft)
      }
      var receiver = ReceiverConfiguration()
      receiver.applications.append(
        .init(appID: "233637DE", displayName: "Another", namespaces: ["urn:x-cast:another"]))
      var configuration = FeederConfiguration()
      configuration.pageDuration = 6
      var feed = VirtualFeed(
        rows: rows,
        receiver: VirtualReceiver(configuration: receiver) { url, attempt in
          if url.contains("slow") {
            return (.loaded(MediaFacts(duration: 4, contentType: "video/mp4")), .seconds(20))
          }
          return FeedFixture.fetching(url, attempt)
        }, configuration: configuration)
      feed.story = RunStory()
      meanwhile(&feed)
      feed.run(until: Tick(.seconds(seconds)))
      return feed
    }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Transcripts")

  @Test("a run goes as it is written down", arguments: Scene.allCases)
  func replays(_ scene: Scene) throws {
    let lines = ["# \(scene.title)"] + (scene.play().story?.lines ?? [])
    let played = lines.joined(separator: "\n") + "\n"
    let file = Self.folder.appending(path: "\(scene.rawValue).txt")
    let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    if ProcessInfo.processInfo.environment["CASTQ_RECORD"] == "1", played != written {
      try played.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let differences = zip(written.split(separator: "\n"), played.split(separator: "\n")).filter { $0 != $1 }
    #expect(
      played == written, "first difference: \(differences.first.map { "\($0.0) | \($0.1)" } ?? "length")")
  }
}
