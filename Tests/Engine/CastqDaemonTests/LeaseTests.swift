import CastProtocol
import CastReceiverSim
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Testing
@testable import CastqDaemon

extension DaemonTests {
  /// A box that may not feed any more, at a real screen.
  @Suite struct LeaseTests {
    private static func film(_ title: String) -> EntryDraft {
      Stage.draft(Stage.sample("welcome.mp4"), title: title)
    }

    @Test(
      "a daemon whose lease ends leaves the screen as it is, whatever its configuration says, and says why")
    func leaves() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.1, wire: wire)
      try stage.enqueue([Self.film("one")])
      var configuration = DaemonConfiguration()
      configuration.onExit = .stop
      let daemon = try await Daemon(stage.database, configuration)
      #expect(await wire.next { $0.status?["playerState"]?.string == "PLAYING" } != nil)
      daemon.service.yield(because: .expired)
      daemon.service.terminate()
      #expect(await wire.lastWord()?["type"]?.string == "CLOSE")
      await daemon.ended()
      let failure = await daemon.service.yielded
      #expect(failure?.code == "lease_ended" && failure?.exit == .tryAgain)
      let states = try stage.states()
      #expect([[.offered], [.playing]].contains(states), "the next one adopts it: \(states)")
      await stage.server.stop()
    }

    @Test(
      "what is decided after the end of a lease and before it is handled is not sent",
      arguments: [false, true])
    func late(isOver: Bool) async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 0.1, wire: wire)
      try stage.enqueue([Self.film("one")])
      let term = LeaseTerm(.ever)
      var feeding = FeedOptions()
      feeding.lease = term
      let daemon = try await Daemon(stage.database, feeding: feeding)
      #expect(await wire.next { $0.status?["playerState"]?.string == "PLAYING" } != nil)
      if isOver { term.follow(.until(milliseconds: 0)) }
      try stage.enqueue([Self.film("two")])
      try await daemon.ask(.poke, stage.device.id)
      let next = { await wire.next { $0.isIncoming && ["QUEUE_INSERT", "CLOSE"].contains($0.type) }?.type }
      if !isOver { #expect(await next() == "QUEUE_INSERT") }
      daemon.service.yield(because: .expired)
      await daemon.ended()
      #expect(await next() == "CLOSE")
      await stage.server.stop()
    }
  }
}
