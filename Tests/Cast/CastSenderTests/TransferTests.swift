import CastProtocol
import CastReceiverSim
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// Moving what plays to another device (protocol 14.7).
  @Suite(.timeLimit(.minutes(5))) struct TransferTests {
    @Test(
      "queue, item, position and pause arrive on the other device; the old one stops",
      arguments: [false, true], [false, true])
    func moves(stores: Bool, isPaused: Bool) async throws {
      let old = try await SimulatedDevice.start { $0.media.transfersSessions = stores }
      let new = try await SimulatedDevice.start {
        $0.media.transfersSessions = stores
        $0.seed = 7
      }
      let session = Session(device: old.device)
      try await session.start()
      let events = session.events()
      let client = session.remoteMediaClient
      let items = (1...30).map { MediaQueueItem(mediaInformation: old.media("film\($0)")) }
      let options = MediaQueueLoadOptions(startIndex: 4, repeatMode: .all, playPosition: 3)
      _ = try await client.queueLoad(items, options: options).value
      if isPaused { _ = try await client.pause().value }

      var target = new.device
      target.friendlyName = "Other TV"
      try await session.transfer(to: target)

      #expect(session.device.friendlyName == "Other TV" && session.state == .active)
      for await event in events {
        guard case .resumed(_, let isSame) = event else { continue }
        #expect(isSame, "what played goes on there")
        break
      }
      let status = try #require(session.mediaStatus)
      #expect(status.mediaInformation?.contentID == items[4].mediaInformation?.contentID)
      #expect((status.playerState == .paused) == isPaused)
      #expect(status.queueRepeatMode == .all)
      #expect(try #require(client.approximateStreamPosition()).seconds >= 3)
      let ids = try await client.queueFetchItemIDs().value
      var arrived: [String?] = []
      for start in stride(from: 0, to: ids.count, by: 15) {
        let part = Array(ids[start..<min(start + 15, ids.count)])
        arrived += try await client.queueFetchItems(withIDs: part).value.map {
          $0.mediaInformation?.contentID
        }
      }
      #expect(arrived == items.map { $0.mediaInformation?.contentID })

      let observer = Session(
        device: old.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect(try await observer.start() == nil, "the old device plays on")
      await observer.leave()
      await session.leave()
      #expect(try SimulatorTests.socketsToPort(old.server.port) == 0)
      try await old.stop()
      try await new.stop()
    }

    @Test("a connection that is lost while the other device loads ends the transfer, and nothing plays there")
    func losesOldDevice() async throws {
      let old = try await SimulatedDevice.start()
      let new = try await SimulatedDevice.start { $0.seed = 7 }
      let transport = CuttingTransport()
      var options = SessionOptions()
      options.reconnection = ReconnectPolicy(waits: [.seconds(3600)], jitter: 0)
      let session = Session(
        device: old.device, options: options, transport: transport, time: .continuous)
      let listener = SuspensionListener { transport.goOn() }
      session.add(listener)
      try await session.start()
      _ = try await session.remoteMediaClient.load(old.media("film")).value
      await #expect(throws: CastError(.sessionIsNotActive, "")) {
        try await session.transfer(to: new.device)
      }
      #expect(session.device == old.device && session.state == .suspended)
      let observer = Session(
        device: new.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect(try await observer.start() == nil, "the other device plays, too")
      await observer.leave()
      await session.leave()
      try await old.stop()
      try await new.stop()
    }

    @Test("a device that refuses leaves everything where it was")
    func failsSafely() async throws {
      let old = try await SimulatedDevice.start()
      let new = try await SimulatedDevice.start(["launch-error=NOT_FOUND"])
      let session = Session(device: old.device)
      try await session.start()
      let client = session.remoteMediaClient
      _ = try await client.load(old.media("film")).value
      await #expect(throws: CastError(.applicationNotFound, "")) {
        try await session.transfer(to: new.device)
      }
      #expect(session.state == .active && session.device == old.device)
      #expect(try await client.requestStatus().value?.playerState == .playing)
      await session.end(.stopApplication)
      try await old.stop()
      try await new.stop()
    }

    @Test("a device that does not finish loading is stopped: two devices would play")
    func stopsUnfinishedLoad() async throws {
      let old = try await SimulatedDevice.start()
      let new = try await SimulatedDevice.start(["never-answers=film"]) { $0.seed = 7 }
      let loader = Session(device: old.device)
      try await loader.start()
      _ = try await loader.remoteMediaClient.load(old.media("film")).value
      await loader.leave()
      var options = SessionOptions()
      options.loadTimeout = .seconds(1)
      let session = Session(device: old.device, options: options)
      try await session.start()
      await #expect(throws: CastError(.timeout, "")) { try await session.transfer(to: new.device) }
      #expect(session.state == .active && session.device == old.device)
      let observer = Session(
        device: new.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect(try await observer.start() == nil, "the other device goes on loading")
      await observer.leave()
      await session.leave()
      try await old.stop()
      try await new.stop()
    }

    @Test("what plays there stays transferred when its speed or the rest of its queue is refused")
    func toleratesRefusals() async throws {
      let old = try await SimulatedDevice.start()
      let new = try await SimulatedDevice.start([
        "refuse=SET_PLAYBACK_RATE/INVALID_PARAMS", "refuse=QUEUE_INSERT/INVALID_PARAMS",
      ]) { $0.seed = 7 }
      let session = Session(device: old.device)
      try await session.start()
      let client = session.remoteMediaClient
      let items = (1...3).map { MediaQueueItem(mediaInformation: old.media("film\($0)")) }
      _ = try await client.queueLoad(items, options: MediaQueueLoadOptions(startIndex: 1)).value
      _ = try await client.setPlaybackRate(1.5).value
      var target = new.device
      target.friendlyName = "Other TV"
      try await session.transfer(to: target)
      #expect(session.device.friendlyName == "Other TV" && session.state == .active)
      let media = session.mediaStatus?.mediaInformation
      #expect(media?.contentID == items[1].mediaInformation?.contentID)
      await session.leave()
      try await old.stop()
      try await new.stop()
    }

    @Test("playback is transferred in the middle of an ad, whose rate of 0 no device accepts")
    func movesInAd() async throws {
      let old = try await SimulatedDevice.start()
      let new = try await SimulatedDevice.start { $0.seed = 7 }
      var film = old.media("film")
      var clip = AdBreakClipInfo(identifier: "clip")
      clip.contentURL = old.media("ad").contentID
      clip.contentType = "video/mp4"
      clip.duration = 60
      film.adBreakClips = [clip]
      film.adBreaks = [AdBreakInfo(identifier: "break", clipIdentifiers: ["clip"], position: .at(0))]
      let session = Session(device: old.device)
      try await session.start()
      let events = session.events()
      _ = try await session.remoteMediaClient.load(film).value
      for await event in events {
        if case .mediaStatus(let status?) = event, status.adBreakStatus != nil { break }
      }
      #expect(session.mediaStatus?.playbackRate == 0)
      var target = new.device
      target.friendlyName = "Other TV"
      try await session.transfer(to: target)
      #expect(session.device.friendlyName == "Other TV" && session.state == .active)
      await session.leave()
      try await old.stop()
      try await new.stop()
    }

    @Test("a transfer to the device that plays already changes nothing", arguments: [false, true])
    func staysWhereItIs(hasMoved: Bool) async throws {
      let simulated = try await SimulatedDevice.start()
      var device = simulated.device
      device.uniqueID = "0123456789abcdef0123456789abcdef"
      let context = CastContext.quiet()
      let session = try await context.sessionManager.startSession(with: device)
      _ = try await session.remoteMediaClient.load(simulated.media("film")).value
      if hasMoved {
        device.endpoint = DeviceEndpoint(host: "192.0.2.9")
      } else {
        device.uniqueID = nil
      }
      try await context.sessionManager.transfer(to: device)
      #expect(session.state == .active)
      #expect(try await session.remoteMediaClient.requestStatus().value?.playerState == .playing)
      await session.end(.stopApplication)
      try await simulated.stop()
    }
  }
}

/// Real connections, of which the first is cut when the second one is asked for; that one comes when the cut was noticed.
private final class CuttingTransport: Transport {
  private let inner = TLSTransport(group: SimulatedDevice.group)
  private let cut = Mutex<(@Sendable () -> Void)?>(nil)
  private let noticed: AsyncStream<Void>
  private let notice: AsyncStream<Void>.Continuation
  init() { (noticed, notice) = AsyncStream.makeStream(of: Void.self) }

  func goOn() { notice.yield() }

  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    let first = cut.withLock { cut in
      defer { cut = { deliver(.closed(.failed(CastError(.networkError, "cut")))) } }
      return cut
    }
    if let first {
      first()
      for await _ in noticed { break }
    }
    return try await inner.open(
      endpoint, name: name, timeout: timeout, early: early, deliver: deliver)
  }
}

private final class SuspensionListener: SessionListener {
  private let onSuspension: @Sendable () -> Void
  init(_ onSuspension: @escaping @Sendable () -> Void) { self.onSuspension = onSuspension }
  func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) { onSuspension() }
}
