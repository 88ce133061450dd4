import CastProtocol
import CastReceiverSim
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Testing

extension DaemonTests {
  /// Web pages on a receiver over the network.
  @Suite struct PageFeedTests {
    private func page(_ name: String, seconds: MediaTime = 0.3) -> EntryDraft {
      var draft = Stage.draft("https://signage.example/\(name)", type: "text/html")
      draft.playbackDuration = seconds
      return draft
    }

    @Test("pages and media of one list are played in order, and nothing is left on the screen")
    func mixed() async throws {
      let stage = try await Stage { $0.pages.readyDelay = .seconds(1) }
      try stage.enqueue([page("a"), page("b"), Stage.draft(Stage.sample("welcome.mp4")), page("c")])
      let running = try stage.feed()
      #expect(await running.outcome().drainedFailures == 0)
      #expect(
        try stage.plays().map { "\($0.outcome?.rawValue ?? "") \($0.evidence?.rawValue ?? "")" } == [
          "finished inferred", "finished inferred", "finished reported", "finished inferred",
        ])
      #expect(await stage.server.report()["application"]?["pages"] == nil)
    }
  }
}
