import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import Synchronization
import Testing

extension DaemonTests {
  /// A daemon for one device that waits for the first request of the command around it.
  @Suite struct AwaitedRequestTests {
    /// A device with one film in its queue, and a daemon that is ready.
    private static func withDaemon(
      leaves states: [EntryState] = [.pending], _ body: (Stage, DaemonService) async throws -> Void
    ) async throws {
      let stage = try await Stage()
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      let daemon = try DaemonService(
        database: stage.database, scope: .device(feeder, awaitsRequest: true),
        configuration: DaemonConfiguration(), settings: DaemonSettings())
      let (readiness, ready) = AsyncStream.makeStream(of: Failure?.self)
      let task = Task { await daemon.run { ready.yield($0) } }
      #expect(await readiness.first { _ in true } == .some(nil))
      #expect(try stage.states() == [.pending], "it waits for a request")
      try await body(stage, daemon)
      await task.value
      #expect(try stage.states() == states)
      // The device is free.
      try DatabaseLock(.feeder(stage.device.id), of: stage.database).release()
      await stage.server.stop()
    }

    @Test("a daemon that nobody has asked anything ends when nobody is left who could")
    func abandoned() async throws {
      try await Self.withDaemon { _, daemon in
        daemon.endIfIdle()
      }
    }

    @Test("after its request it feeds to the end, also when nobody is left who could ask")
    func begun() async throws {
      try await Self.withDaemon(leaves: [.finished]) { stage, daemon in
        let request = ControlRequest(device: stage.device.id, command: .feed(FeedRequest()))
        guard case .done = await daemon.reply(to: request) else {
          Issue.record("it did not play")
          return daemon.terminate()
        }
        daemon.endIfIdle()
      }
    }

    @Test(
      "a first request that is refused leaves no daemon behind: it ends with its command, or at a stop",
      arguments: [false, true])
    func refusedRequest(stops: Bool) async throws {
      try await Self.withDaemon { stage, daemon in
        let (unknown, device) = (EntryID(99), stage.device.id)
        for request in [FeedRequest(first: unknown), FeedRequest(isNewQueue: true, member: unknown)] {
          let reply = await daemon.reply(to: ControlRequest(device: device, command: .feed(request)))
          guard case .failed(let failure) = reply else {
            Issue.record("\(reply)")
            continue
          }
          #expect(failure.code == (request.isNewQueue ? "replaced" : "entry_unknown"))
        }
        if stops {
          _ = await daemon.reply(to: ControlRequest(device: device, command: .perform(.stop(quits: false))))
        } else {
          daemon.endIfIdle()
        }
      }
    }

    @Test("a daemon that cannot be asked says why")
    func withoutSocket() async throws {
      let stage = try await Stage()
      let path = try SocketPath.choose(database: stage.database.path, device: stage.device.id, runtime: nil)
      try Data().write(to: URL(filePath: path))
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      let daemon = try DaemonService(
        database: stage.database, scope: .device(feeder, awaitsRequest: true),
        configuration: DaemonConfiguration(), settings: DaemonSettings())
      let problem = Mutex<Failure?>(nil)
      daemon.endIfIdle()
      await daemon.run { said in problem.withLock { $0 = said } }
      #expect(
        problem.withLock { $0 }?.message.contains("is not a socket of this user: remove it") == true)
      try? FileManager.default.removeItem(atPath: path)
      await stage.server.stop()
    }
  }
}
