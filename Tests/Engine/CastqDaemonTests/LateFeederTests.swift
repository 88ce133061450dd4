import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Dispatch
import Foundation
import Synchronization
import Testing

extension DaemonTests {
  /// Feeders that come late to what their devices report: the disk, or another process, has held them up.
  @Suite struct LateFeederTests {
    /// Holds a feeder up at the first status of a playing item.
    private final class Gate: Sendable {
      private let isPassed = Atomic(false)
      private let opening = DispatchSemaphore(value: 0)

      func wait(at report: RunnerReport) {
        guard case .status(let status) = report, status.playerState == .playing,
          !isPassed.exchange(true, ordering: .relaxed)
        else { return }
        opening.wait()
      }

      func open() { opening.signal() }
    }

    /// Time that jumps ahead.
    private final class ShiftedTime: Sendable {
      private let shift = Mutex(Duration.zero)

      func jump(_ length: Duration) { shift.withLock { $0 += length } }

      var source: TimeSource {
        let real = TimeSource.continuous
        return TimeSource(
          now: { [self] in real.now() + shift.withLock(\.self) }, sleep: real.sleep,
          wallMilliseconds: { [self] in real.wallMilliseconds() + shift.withLock(\.components.seconds) * 1000
          })
      }
    }

    /// Waits until the session has read everything up to this line: it answers each PING in its turn, and as many as were sent
    /// up to the first one after the line.
    private static func readAll(_ wire: Wire, upTo isLast: (Wire.Line) -> Bool) async {
      var (pings, pongs, isSent) = (0, 0, false)
      var needed: Int?
      let answer = await wire.next { line in
        if !line.isIncoming, line.type == "PING" {
          pings += 1
          if isSent, needed == nil { needed = pings }
        }
        if line.isIncoming, line.type == "PONG" { pongs += 1 }
        if isLast(line) { isSent = true }
        return needed.map { pongs >= $0 } ?? false
      }
      #expect(answer != nil)
    }

    /// Waits for so many answers to PING after this line.
    /// - Returns: how many seconds each took, the shortest first.
    private static func answers(_ count: Int, _ wire: Wire, after isFirst: (Wire.Line) -> Bool) async
      -> [Double]
    {
      var (isBegun, asked, waits) = (false, Double?.none, [Double]())
      let last = await wire.next { line in
        if isFirst(line) { isBegun = true }
        guard isBegun else { return false }
        if !line.isIncoming, line.type == "PING" { asked = asked ?? line.time }
        if line.isIncoming, line.type == "PONG", let began = asked {
          waits.append(line.time - began)
          asked = nil
        }
        return waits.count >= count
      }
      #expect(last != nil)
      return waits.sorted()
    }

    @Test("what a feeder handles late is dated to when it arrived")
    func late() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 4, wire: wire) { $0.heartbeatInterval = .milliseconds(200) }
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let (gate, time) = (Gate(), ShiftedTime())
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      let running = Running(feeder: feeder, DeviceSettings(), time: time.source) { gate.wait(at: $0) }
      await Self.readAll(wire) { !$0.isIncoming && $0.status?["idleReason"]?.string == "FINISHED" }
      time.jump(.seconds(8))
      gate.open()
      #expect(await running.outcome().drainedFailures == 0)
      let play = try #require(try stage.plays().first)
      #expect(play.outcome == .finished && play.evidence == .reported)
      let (start, end) = (try #require(play.startedAt), try #require(play.endedAt))
      #expect(end - start < 8, "the time until it was handled is not part of the play")
      await stage.server.stop()
    }

    @Test("a device that sends more than its feeder handles is called again, and fills no memory")
    func flood() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 1, wire: wire) { $0.heartbeatInterval = .milliseconds(200) }
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      // However long the flood takes, the list is not over.
      try stage.queue.setRepeat(.all, for: stage.device.id)
      let gate = Gate()
      let feeder = try DeviceFeeder(
        device: stage.device, database: stage.database, logger: Session.silentLogger)
      var settings = DeviceSettings()
      // On a busy computer they take so long that the session itself calls them a flood.
      settings.session.messageLimit = nil
      let running = Running(feeder: feeder, settings) { gate.wait(at: $0) }
      #expect(await running.next { $0.playingURL != nil } != nil)
      for _ in 0..<4200 {
        try await stage.server.control(.say(namespace: "urn:x-cast:castq.test", text: "{}"))
      }
      try await stage.server.control(.say(namespace: "urn:x-cast:castq.test", text: #"{"type":"LAST"}"#))
      await Self.readAll(wire) { $0.type == "LAST" }
      gate.open()
      let loss = await running.next(where: \.isRetrying)
      guard case .retrying(let error, _, _) = try #require(loss) else { return }
      #expect("\(error)".contains("sent more than could be handled"), "\(error)")
      #expect(await running.stop().outcome.isStopped)
      await stage.server.stop()
    }

    @Test("while another process holds the database, fifty devices are answered in time")
    func held() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 1, wire: wire, Self.impatient)
      var (servers, feeders) = ([stage.server], [Running]())
      let (host, ledger) = (FeederHost(database: nil), DeviceStore(stage.database))
      var devices = [stage.device]
      for number in 1..<50 {
        let server = try await Stage.serve(speed: 1, Self.impatient)
        servers.append(server)
        devices.append(
          try ledger.add(
            name: "Screen \(number)", endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port),
            at: .today))
      }
      let film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")
      for device in devices {
        _ = try stage.queue.enqueue([film], for: device.id, placement: .end, at: .today)
        try stage.queue.setRepeat(.all, for: device.id)
        let feeder = try DeviceFeeder(
          device: device, database: stage.database, logger: Session.silentLogger)
        feeders.append(Running(feeder: feeder, DeviceSettings(), on: host))
      }
      for running in feeders { #expect(await running.started("film")) }
      let holder = try HeldDatabase(stage.database.path)
      // Longer than a receiver waits for an answer.
      try await stage.server.control(.say(namespace: "urn:x-cast:castq.test", text: #"{"type":"HELD"}"#))
      let held = await Self.answers(12, wire) { $0.type == "HELD" }
      #expect(holder.release())
      // None waits for the database, which is held far longer; the latest may wait for a moment in which the
      // machine did something else.
      #expect(held.last.map { $0 < 2 } == true, "\(held) s")
      var interruptions = 0
      for running in feeders {
        running.run.tell(.leave)
        for await report in running.reports where report.isRetrying { interruptions += 1 }
      }
      #expect(interruptions == 0, "a receiver that is not answered for eight seconds hangs up")
      await host.shutDown(Session.silentLogger)
      for server in servers { await server.stop() }
    }

    @Sendable private static func impatient(_ configuration: inout ReceiverConfiguration) {
      configuration.heartbeatInterval = .seconds(1)
      configuration.silenceLimit = .seconds(8)
    }
  }
}
