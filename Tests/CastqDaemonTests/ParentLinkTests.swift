import CastReceiverSim
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Foundation
import Glibc
import Testing

extension DaemonTests {
  /// A daemon that a command started, and the link between them.
  @Suite struct ParentLinkTests {
    /// The two ends of a link.
    private static func link() throws -> (own: Int32, inherited: Int32) {
      var ends: [Int32] = [-1, -1]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      return (ends[0], ends[1])
    }

    /// What the daemon said; empty at the end of the link.
    private static func heard(_ descriptor: Int32) -> String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    private static func daemon(_ stage: Stage) throws -> DaemonService {
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      return try DaemonService(
        database: stage.database, scope: .device(feeder, awaitsRequest: true),
        configuration: DaemonConfiguration(), settings: DaemonSettings(), logger: Session.silentLogger)
    }

    @Test("a daemon that nobody has asked anything ends with its parent, and frees the device")
    func orphaned() async throws {
      let stage = try await Stage()
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let (own, inherited) = try Self.link()
      let link = try #require(await ParentLink(descriptor: inherited))
      let daemon = try Self.daemon(stage)
      link.watch(for: daemon)
      let task = Task { await daemon.run { link.report($0) } }
      #expect(Self.heard(own).contains("done"))
      #expect(try stage.states() == [.pending], "it waits for a request")
      close(own)
      await task.value
      try DatabaseLock(.feeder(stage.device.id), of: stage.database).release()
      #expect(try stage.states() == [.pending])
      await stage.server.stop()
    }

    @Test("after its request it feeds to the end, with or without its parent")
    func adopted() async throws {
      let stage = try await Stage()
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let (own, inherited) = try Self.link()
      let link = try #require(await ParentLink(descriptor: inherited))
      let daemon = try Self.daemon(stage)
      link.watch(for: daemon)
      let task = Task { await daemon.run { link.report($0) } }
      #expect(Self.heard(own).contains("done"))
      let request = ControlRequest(device: stage.device.id, command: .feed(FeedRequest()))
      guard case .done = await daemon.reply(to: request) else {
        Issue.record("it did not play")
        return
      }
      close(own)
      await task.value
      #expect(try stage.states() == [.finished])
      await stage.server.stop()
    }

    @Test(
      "a first request that is refused leaves no daemon behind: it ends with its parent, or at a stop",
      arguments: [false, true])
    func refusedRequest(stops: Bool) async throws {
      let stage = try await Stage()
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"))])
      let (own, inherited) = try Self.link()
      let link = try #require(await ParentLink(descriptor: inherited))
      let daemon = try Self.daemon(stage)
      link.watch(for: daemon)
      let task = Task { await daemon.run { link.report($0) } }
      #expect(Self.heard(own).contains("done"))
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
        _ = await daemon.reply(to: ControlRequest(device: device, command: .stop(quits: false)))
      } else {
        close(own)
      }
      await task.value
      try DatabaseLock(.feeder(device), of: stage.database).release()
      if stops { close(own) }
      await stage.server.stop()
    }

    @Test("a daemon that cannot be asked says why")
    func withoutSocket() async throws {
      let stage = try await Stage()
      let path = try SocketPath.choose(database: stage.database.path, device: stage.device.id, runtime: nil)
      try Data().write(to: URL(filePath: path))
      let (own, inherited) = try Self.link()
      let link = try #require(await ParentLink(descriptor: inherited))
      let daemon = try Self.daemon(stage)
      link.watch(for: daemon)
      let task = Task { await daemon.run { link.report($0) } }
      #expect(Self.heard(own).contains("is not a socket of this user: remove it"))
      close(own)
      await task.value
      try? FileManager.default.removeItem(atPath: path)
      await stage.server.stop()
    }

    @Test("why a daemon could not start is what its parent reads")
    func refused() async throws {
      let (own, inherited) = try Self.link()
      let link = try #require(await ParentLink(descriptor: inherited))
      await link.fail(ControlFailure("busy", "another castq feeds it", exit: .tryAgain))
      #expect(Self.heard(own).contains("another castq feeds it"))
      close(own)
    }
  }
}
