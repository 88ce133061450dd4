import CastProtocol
import CastReceiverSim
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// The faults of `ReconnectTests`, over real sockets: whatever happens at whatever moment, the session is active again or says
  /// what ended it, every request ends once, and neither a socket nor the session itself is left (protocol 14.6).
  @Suite(.timeLimit(.minutes(5))) struct RealFaultTests {
    enum Moment: CaseIterable {
      case connecting, launching, loading, playing, paused, ad, editing, idle
    }

    enum Fault: CaseIterable {
      case reset, silent, refused, reboot, move, sleep, killed, takenOver
    }

    @Test("a session lives through it at every moment", arguments: Fault.allCases)
    func survives(_ fault: Fault) async throws {
      try await withThrowingTaskGroup { group in
        for moment in Moment.allCases {
          group.addTask { try await Self.live(through: fault, at: moment) }
        }
        try await group.waitForAll()
      }
    }

    @Test("each attempt to get a connection back that fails says why, and when the next one follows")
    func retries() async throws {
      let device = try await SimulatedDevice.start()
      let session = Session(
        device: device.device, options: Self.options, time: TimeSource.continuous.hurried(by: 20))
      let events = session.events()
      try await session.start()
      try await device.server.control(.drop(for: .seconds(1), .refuse))
      var failed: [(error: CastError, pause: Duration)] = []
      for await event in events {
        if case .retrying(let error, let pause) = event { failed.append((error, pause)) }
        if case .resumed = event { break }
      }
      #expect(failed.first?.error.code == .connectionRefused)
      #expect(failed.allSatisfy { $0.pause > .zero }, "\(failed)")
      await session.leave()
      try await device.stop()
    }

    private static func live(through fault: Fault, at moment: Moment) async throws {
      let device = try await SimulatedDevice.start {
        $0.launchDelay = .milliseconds(100)
        $0.unknownDuration = 600
        $0.applications = [
          .init(appID: "233637DE", displayName: "Another", namespaces: ["urn:x-cast:another"])
        ]
      }
      let whereabouts = Whereabouts(device.device)
      weak var left: Session?
      let port = device.server.port
      do {
        let session = Session(
          device: device.device, options: Self.options, resolver: whereabouts,
          time: TimeSource.continuous.hurried(by: 20))
        left = session
        try await play(session, device, whereabouts, fault, moment)
      }
      #expect(left == nil, "\(moment): something holds the session")
      let ports = Set([port, device.server.port])
      try await device.stop()
      for port in ports { #expect(try SimulatorTests.socketsToPort(port) == 0, "\(moment)") }
    }

    private static func play(
      _ session: Session, _ device: SimulatedDevice, _ whereabouts: Whereabouts, _ fault: Fault,
      _ moment: Moment
    ) async throws {
      let events = session.events()
      async let start = outcome { () throws(CastError) in _ = try await session.start() }
      switch moment {
      case .connecting: break
      case .launching: await reach(events) { $0 == .launching }
      case .loading, .playing, .paused, .ad, .editing, .idle:
        await reach(events) { if case .active = $0 { true } else { false } }
      }
      let client = session.remoteMediaClient
      switch moment {
      case .connecting, .launching, .idle: break
      case .loading: client.load(device.media("film"))
      case .playing, .paused, .ad, .editing:
        _ = try await client.load(media(device, withAd: moment == .ad)).value
        if moment == .paused { _ = try await client.pause().value }
        if moment == .editing {
          client.queueInsertItems([MediaQueueItem(mediaInformation: device.media("next"))])
        }
      }
      let after = session.events()
      let (status, next) = (session.requestReceiverStatus(), client.queueNextItem())
      do {
        try await strike(fault, device, whereabouts)
      } catch {
        // Nothing runs yet that could be ended, or a launch is under way: then nothing has happened.
        let isApplications = fault == .killed || fault == .takenOver
        #expect(isApplications && (moment == .connecting || moment == .launching), "\(error)")
      }
      let verdict = await verdict(after, session, fault)
      let error = await start
      // A first start that fails ends the session; everything else is lived through.
      let isFirst = moment == .connecting || moment == .launching
      switch (fault, verdict) {
      case (.takenOver, .ended(let code)):
        #expect(code == .applicationReplaced || isFirst, "\(moment): \(code)")
      case (.killed, .ended(let code)):
        #expect(code == .applicationNotRunning || isFirst, "\(moment): \(code)")
      case (_, .ended(let code)): #expect(isFirst && error != nil, "\(moment): \(code)")
      // A busy computer may have cost it the next connection already: half a second of silence is long in hurried time.
      case (_, .back): #expect([.active, .suspended].contains(session.state), "\(moment)")
      }
      await session.leave()
      // Each of them ends: this returns.
      _ = await status.outcome
      _ = await next.outcome
    }

    private static func strike(
      _ fault: Fault, _ device: SimulatedDevice, _ whereabouts: Whereabouts
    ) async throws {
      switch fault {
      case .reset: try await device.server.control(.resetConnections)
      case .silent: try await device.server.control(.drop(for: .seconds(2), .silent))
      case .refused: try await device.server.control(.drop(for: .seconds(2), .refuse))
      case .reboot: try await device.server.control(.reboot(downFor: .milliseconds(300)))
      case .move:
        try await device.server.move()
        whereabouts.set(device.device)
      case .sleep: try await device.server.control(.sleep)
      case .killed: try await device.server.control(.exit)
      case .takenOver: try await device.server.control(.takeover(appID: "233637DE"))
      }
    }

    private enum Verdict { case back, ended(CastError.Code) }

    /// What became of the session: the first answer over a connection that was made after the fault, or its end.
    private static func verdict(
      _ events: AsyncStream<SessionEvent>, _ session: Session, _ fault: Fault
    ) async -> Verdict {
      for await event in events {
        switch event {
        case .active, .resumed: return .back
        case .ended(let error): return .ended(error?.code ?? .cancelled)
        case .connecting, .launching, .waitingForConsent, .suspended, .retrying, .resuming, .foreignAction,
          .receiverStatus, .mediaStatus, .queueItemIDs, .queueItems, .queueChange, .queueItemError,
          .queueItemFailed, .channelMessage, .multizone, .credentialsWanted:
          continue
        }
      }
      return .ended(.cancelled)
    }

    private static func reach(
      _ events: AsyncStream<SessionEvent>, _ isReached: (SessionEvent) -> Bool
    ) async {
      for await event in events where isReached(event) { return }
    }

    private static func outcome(_ body: () async throws(CastError) -> Void) async -> CastError? {
      do throws(CastError) {
        try await body()
        return nil
      } catch {
        return error
      }
    }

    private static var options: SessionOptions {
      var options = SessionOptions()
      options.reconnection = ReconnectPolicy(waits: [.zero, .seconds(1), .seconds(2)], jitter: 0)
      // In the hurried time of the session; enough for a busy machine.
      options.requestTimeout = .seconds(400)
      options.launchTimeout = .seconds(400)
      options.loadTimeout = .seconds(400)
      options.connectTimeout = .milliseconds(1500)
      return options
    }

    private static func media(_ device: SimulatedDevice, withAd: Bool) -> MediaInformation {
      var media = device.media("film")
      guard withAd else { return media }
      var clip = AdBreakClipInfo(identifier: "clip")
      clip.contentURL = device.media("ad").contentID
      clip.contentType = "video/mp4"
      clip.duration = 60
      media.adBreakClips = [clip]
      media.adBreaks = [AdBreakInfo(identifier: "break", clipIdentifiers: ["clip"], position: .at(0))]
      return media
    }
  }
}

/// Knows where a device is now, as discovery would.
private final class Whereabouts: DeviceResolver {
  private let place: Mutex<Device>
  init(_ device: Device) { place = Mutex(device) }
  func set(_ device: Device) { place.withLock { $0 = device } }
  func locate(_ device: Device) async -> Device { place.withLock { $0 } }
}
