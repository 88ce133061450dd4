import CastProtocol
import CastReceiverSim
import CastSender
import CastqFeeding
import CastqStore
import Testing
@testable import CastqDaemon

extension DaemonTests {
  @Suite struct RequestOrderTests {
    @Test("a thousand pairs of requests reach the device in the order in which they were decided")
    func pairs() async throws {
      let wire = try await Wire()
      let stage = try await Stage(wire: wire)
      let inbox = RunnerInbox(time: .continuous, watching: nil)
      let number = SessionNumber(1)
      let levels = (1...2000).map { Double($0) / 2000 }
      let end: String? = await withDiscardingTaskGroup { group in
        var settings = DeviceSettings()
        // On a busy computer two thousand answers take so long that the session calls what is said with them a flood.
        settings.session.messageLimit = nil
        var sessions = FeedSessions(stage.device, settings, inbox, .continuous, Session.silentLogger)
        sessions.open(number, .media, at: stage.device.castDevice, in: &group)
        var answered = 0
        var next = levels.startIndex
        for await arrival in inbox.arrivals {
          switch arrival.event {
          case .session(_, let stamped):
            _ = sessions.receive(stamped, from: number)
            guard !stamped.isLast else { return "\(stamped.event)" }
            guard case .active = stamped.event else { continue }
          case .machine(.completed): answered += 1
          case .machine, .control, .timersDue: continue
          }
          guard answered == next else { continue }
          guard next < levels.endIndex else { break }
          // A session has so many requests open at most.
          for level in levels[next..<(next + 200)] {
            sessions.send(
              .receiver(.setVolume(.level(level))), RequestToken(next), over: number, in: &group)
            next += 1
          }
        }
        sessions.end(number, .leave, in: &group)
        return nil
      }
      try #require(end == nil, "The session ended before it had answered.")
      var arrived: [Double] = []
      while arrived.count < levels.count, let body = await wire.received("SET_VOLUME") {
        arrived += [body["volume"]?["level"]?.double].compactMap(\.self)
      }
      #expect(arrived == levels)
      await stage.server.stop()
    }
  }
}
