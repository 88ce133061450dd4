import CastPresentation
import CastProtocol
import CastReceiverSim
import CastSender
import Dispatch
import Synchronization
import Testing

/// A presenter and its context, against the simulated receiver.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PresenterTests {
  @Test("a press, a choice, a film: the models follow, and every command reaches the receiver")
  func wholeWay() async throws {
    try await Stage.run {
      // So long that whoever watches sees it.
      $0.launchDelay = .seconds(3)
    } _: { stage in
      let presenter = stage.presenter()
      presenter.send(.pressCastButton)
      #expect(presenter.snapshot.deviceChooser.isOpen && presenter.snapshot.castButton.state == .notConnected)
      let steps = Mutex<Set<String>>([])
      let watcher = Task {
        for await snapshot in presenter.snapshots() {
          if case .connecting(let progress) = snapshot.deviceChooser.face {
            steps.withLock { _ = $0.insert(progress.text) }
          }
        }
      }
      try await presenter.perform(.chooseDevice(stage.device.presentedID))
      await presenter.wait { $0.castButton.state == .connected && !$0.deviceChooser.isOpen }
      #expect(!steps.withLock { $0 }.isEmpty)
      try await stage.load()
      let playing = await presenter.wait { $0.media.playbackState == .playing }
      #expect(playing.media.title == "film" && playing.miniController.isVisible)
      try await presenter.perform(.togglePlayback)
      await presenter.wait {
        $0.media.playbackState == .paused && !$0.media.control(.playPauseToggle).isPending
      }
      try await presenter.perform(.seek(to: 123))
      await presenter.wait { $0.media.streamPosition == 123 }
      try await presenter.perform(.setPlaybackRate(2))
      await presenter.wait { $0.playbackRate.choice == .double && !$0.playbackRate.isPending }
      try await presenter.perform(.setStreamMuted(true))
      await presenter.wait { $0.media.isStreamMuted }
      try await presenter.perform(.setStreamVolume(0.25))
      try await presenter.perform(.setDeviceMuted(true))
      await presenter.wait { $0.deviceVolume.isMuted }
      try await presenter.perform(.setDeviceVolume(0.3))
      await presenter.wait { abs(($0.deviceVolume.level ?? 0) - 0.3) < 0.01 && !$0.deviceVolume.isPending }
      try await presenter.perform(.play)
      await presenter.wait { $0.media.playbackState == .playing }
      try await presenter.perform(.stop)
      await presenter.wait { !$0.media.hasMedia && !$0.miniController.isVisible }
      try await presenter.perform(.stopCasting)
      await presenter.wait { $0.castButton.state == .notConnected }
      let observer = Session(
        device: stage.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect(try await observer.start() == nil, "nothing runs any more")
      await observer.leave()
      watcher.cancel()
    }
  }

  @Test("two presenters of one context stay equal, and one that comes later shows the session at once")
  func staysEqual() async throws {
    try await Stage.run { stage in
      let one = try await stage.playing()
      let two = stage.presenter()
      #expect(two.snapshot.castButton.state == .connected && two.snapshot.media.title == "film")
      try await two.perform(.pause)
      try await one.perform(.seek(to: 77))
      try await two.perform(.setDeviceVolume(0.4))
      let settled = { (snapshot: PresentationSnapshot) in
        snapshot.media.playbackState == .paused && snapshot.media.streamPosition == 77
          && abs((snapshot.deviceVolume.level ?? 0) - 0.4) < 0.01 && !snapshot.deviceVolume.isPending
          && snapshot.media.artwork?.state != .loading && snapshot.miniController.artwork?.state != .loading
          && snapshot.media.queuePlace?.count == 1
      }
      let first = await one.wait(settled)
      let second = await two.wait(settled)
      #expect(first.media == second.media && first.deviceVolume == second.deviceVolume)
      #expect(first.castButton == second.castButton && first.miniController == second.miniController)
      #expect(first.trackChooser == second.trackChooser && first.playbackRate == second.playbackRate)
    }
  }

  @Test("a presenter that is created in the moment in which a session becomes active shows it as active")
  func comesInBetween() async throws {
    let echo = "urn:x-cast:echo"
    let late = "urn:x-cast:late"
    try await Stage.run {
      $0.applications.append(
        ReceiverConfiguration.Application(appID: "AAAA0001", displayName: "Game", namespaces: [echo]))
    } context: {
      $0.receiverApplicationID = "AAAA0001"
      $0.requiredNamespaces = [late]
    } _: { stage in
      let first = stage.presenter()
      let (context, device) = (stage.context, stage.device)
      let starting = Task { try await context.sessionManager.startSession(with: device) }
      await first.wait {
        if case .connecting(let progress) = $0.deviceChooser.face {
          progress.step == .launching
        } else {
          false
        }
      }
      let session = try #require(context.sessionManager.currentSession)
      let events = session.events()
      func runs(_ status: ReceiverStatus?) -> Bool {
        status?.applications.contains { $0.namespaces.contains(echo) } == true
      }
      if !runs(session.receiverStatus) {
        for await event in events { if case .receiverStatus(let status) = event, runs(status) { break } }
      }
      // The third reading is that of the adoption: the session has been looked at, and is not shown yet.
      let clock = StoppedClock(at: 3)
      async let presenter = clock.present(context)
      for await _ in clock.stops { break }
      try await stage.server.control(.listen(namespace: late, true))
      _ = try await starting.value
      clock.start()
      #expect(await presenter.snapshot.castButton.state == .connected)
    }
  }

  @Test("what others do is shown and said: the remote control, the volume, a takeover")
  func followsOthers() async throws {
    let game = ReceiverConfiguration.Application(
      appID: "AAAA0001", displayName: "Game", namespaces: ["urn:x-cast:echo"])
    try await Stage.run {
      $0.applications.append(game)
    } _: { stage in
      let presenter = try await stage.playing()
      try await stage.server.control(.key(.pause))
      await presenter.wait { $0.media.playbackState == .paused }
      // A pause so soon after a load may be an effect of it; a volume that nobody here has set is another's.
      try await stage.server.control(.volume(0.125))
      let changed = await presenter.wait {
        abs(($0.deviceVolume.level ?? 0) - 0.125) < 0.01
          && $0.notices.contains { $0.kind == .changedByOthers }
      }
      #expect(changed.notices.last?.message.hasSuffix("has set its volume to 13 %") == true)
      try await stage.server.control(.takeover(appID: "AAAA0001"))
      let taken = await presenter.wait {
        $0.castButton.state == .notConnected && $0.notices.last?.kind == .takenOver
      }
      #expect(taken.notices.last?.message == "“Game” has taken Test TV")
      #expect(taken.media.lastKnown?.title == "film" && taken.media.lastKnown?.deviceName == "Test TV")
    }
  }

  @Test("a lost connection is suspended, then connected again, with the same media")
  func suspends() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      let states = Mutex<[CastButtonModel.State]>([])
      let stream = presenter.snapshots()
      try await stage.server.control(.resetConnections)
      for await snapshot in stream {
        states.withLock { $0.append(snapshot.castButton.state) }
        if snapshot.castButton.state == .connected, states.withLock({ $0.contains(.suspended) }) { break }
      }
      await presenter.wait { $0.media.playbackState == .playing && $0.media.canPause }
    }
  }

  @Test("a device that is off is said in words, with a next step, in the chooser too")
  func failsInWords() async throws {
    try await Stage.run { stage in
      let presenter = stage.presenter()
      let nobody = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1), friendlyName: "Nobody")
      presenter.addDevice(nobody)
      let failure = await #expect(throws: PresentationFailure.self) {
        try await presenter.perform(.chooseDevice(nobody.presentedID))
      }
      #expect(failure?.code == "connection_refused" && failure?.nextStep.isEmpty == false)
      let shown = await presenter.wait { $0.deviceChooser.failure != nil }
      #expect(shown.notices.count == 1 && shown.castButton.state == .notConnected)
      await #expect(throws: PresentationFailure.self) { try await presenter.perform(.pause) }
    }
  }

  @Test("choosing another device leaves the first one, which plays on")
  func switches() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      try await Stage.run { other in
        presenter.addDevice(other.device)
        try await presenter.perform(.chooseDevice(other.device.presentedID))
        let shown = await presenter.wait { $0.castButton.state == .connected }
        #expect(shown.deviceChooser.title == "Test TV" && shown.media.information == nil)
        #expect(stage.context.sessionManager.currentSession?.device.endpoint.port == other.server.port)
        let observer = Session(
          device: stage.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
        #expect(try await observer.start() != nil, "it plays on")
        await observer.leave()
        try await presenter.perform(.disconnect)
      }
    }
  }

  @Test("of two devices that are chosen one after the other the second is connected, without complaint")
  func changesMind() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      try await Stage.run { first in
        try await Stage.run { second in
          presenter.addDevice(first.device)
          presenter.addDevice(second.device)
          let id = presenter.send(.chooseDevice(first.device.presentedID))
          try await presenter.perform(.chooseDevice(second.device.presentedID))
          let shown = await presenter.wait {
            $0.castButton.state == .connected && $0.record(of: id)?.isPending == false
          }
          #expect(shown.notices.isEmpty && shown.record(of: id)?.outcome != .done)
          #expect(stage.context.sessionManager.currentSession?.device.endpoint.port == second.server.port)
          try await presenter.perform(.disconnect)
        }
      }
    }
  }

  @Test("an attempt to connect is aborted without complaint")
  func cancels() async throws {
    try await Stage.run {
      $0.launchDelay = .seconds(20)
    } _: { stage in
      let presenter = stage.presenter()
      let id = presenter.send(.chooseDevice(stage.device.presentedID))
      await presenter.wait { if case .connecting = $0.deviceChooser.face { true } else { false } }
      try await presenter.perform(.cancelConnecting)
      let end = await presenter.wait { $0.record(of: id)?.isPending == false }
      #expect(end.notices.isEmpty && end.castButton.state == .notConnected)
    }
  }

  @Test("whoever aborts at once, before there is anything to end, is not connected, and hears no complaint")
  func cancelsAtOnce() async throws {
    try await Stage.run { stage in
      let presenter = stage.presenter()
      for _ in 0..<100 {
        let id = presenter.send(.chooseDevice(stage.device.presentedID))
        try await presenter.perform(.cancelConnecting)
        let end = await presenter.wait { $0.record(of: id)?.isPending == false }
        #expect(end.notices.isEmpty && end.castButton.state == .notConnected)
        #expect(end.record(of: id)?.outcome != .done, "it was not waited for until it had connected")
      }
    }
  }

  @Test("a slider's many values reach the device as the last one, and the others are superseded")
  func slides() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      let ids = (1...30).map { presenter.send(.setDeviceVolume(Double($0) / 40)) }
      let end = await presenter.wait { snapshot in
        ids.allSatisfy { snapshot.record(of: $0)?.isPending == false }
      }
      #expect(end.record(of: ids[29])?.outcome == .done)
      #expect(ids.filter { end.record(of: $0)?.outcome == .superseded }.count > 20)
      await presenter.wait { abs(($0.deviceVolume.level ?? 0) - 0.75) < 0.01 }
      try await presenter.perform(.setDeviceMuted(true))
      await presenter.wait { $0.deviceVolume.isMuted }
      try await presenter.perform(.stepDeviceVolume(1))
      await presenter.wait { !$0.deviceVolume.isMuted && !$0.deviceVolume.isPending }
    }
  }

  @Test("the introduction is shown by one presenter, once ever, until it is reset")
  func introducesOnce() async throws {
    let folder = "/tmp/castq-introduction-\(UInt64.random(in: 0...(.max)))/state/castsender"
    let store = FileIntroductionStore(folder: folder)
    defer { store.reset() }
    try await Stage.run { stage in
      let one = stage.presenter(introductions: store)
      #expect(one.snapshot.introduction.isVisible)
      let two = stage.presenter(introductions: FileIntroductionStore(folder: folder))
      #expect(!two.snapshot.introduction.isVisible)
      store.reset()
      #expect(stage.presenter(introductions: store).snapshot.introduction.isVisible)
      let nowhere = FileIntroductionStore(folder: "/proc/nowhere/castsender")
      #expect(!stage.presenter(introductions: nowhere).snapshot.introduction.isVisible)
    }
  }

  @Test("artwork is what the context's picker selects and its cache has")
  func artwork() async throws {
    try await Stage.run { stage in
      stage.context.imageCache = SomeImages()
      let presenter = try await stage.playing()
      let shown = await presenter.wait { $0.miniController.artwork?.state == .ready }
      let artwork = try #require(shown.expandedController.artwork)
      #expect(try await presenter.image(of: artwork).bytes == [1, 2, 3])
      try await stage.load("nope")
      await presenter.wait { $0.media.artwork?.state == .unavailable && $0.media.title == "nope" }
      stage.context.imagePicker = BestFitImagePicker()
      let small = CastPresenter(
        context: stage.context, introductions: MemoryIntroduction(),
        artworkSizes: [.miniController: PixelSize(width: 10, height: 10)])
      let session = try #require(stage.context.sessionManager.currentSession)
      var film = stage.film("film")
      film.metadata?.images = [100, 20, 5].map { (size: Int) in
        Image(url: "http://h/\(size)", width: size, height: size)
      }
      _ = try await session.remoteMediaClient.load(film).value
      let sized = await small.wait { $0.miniController.artwork?.image.width == 20 }
      #expect(sized.media.artwork?.image.width == 100, "the largest, without a size")
    }
  }

  @Test("the chooser looks for devices unasked, and says why it finds none")
  func searches() async throws {
    try await Stage.run(context: {
      $0.discoveryInterfaces = ["nowhere0"]
      $0.isDiscoveryPassive = true
    }) { stage in
      let presenter = CastPresenter(context: stage.context, introductions: MemoryIntroduction())
      #expect(!stage.context.discoveryManager.isDiscovering)
      presenter.send(.pressCastButton)
      #expect(stage.context.discoveryManager.isDiscovering && !stage.context.discoveryManager.isPassive)
      await presenter.wait {
        if case .noneFound(let none) = $0.deviceChooser.face {
          none.reason.contains("nowhere0")
        } else {
          false
        }
      }
      presenter.send(.closeChooser)
      #expect(stage.context.discoveryManager.isPassive)
    }
  }

  @Test("a program's own buttons are its own to serve")
  func customButtons() async throws {
    try await Stage.run { stage in
      let presenter = stage.presenter()
      var presses = presenter.customPresses().makeAsyncIterator()
      try await presenter.perform(.custom("lights"))
      #expect(await presses.next() == "lights")
      presenter.close()
      #expect(await presses.next() == nil)
    }
  }

  @Test("a closed presenter ends its streams, a forgotten one is freed, and the session continues after both")
  func ends() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      var ended = presenter.snapshots().makeAsyncIterator()
      presenter.close()
      presenter.close()
      while await ended.next() != nil {}
      var late = presenter.snapshots().makeAsyncIterator()
      while await late.next() != nil {}
      weak var forgotten: CastPresenter?
      do {
        let short = stage.presenter()
        forgotten = short
        ended = short.snapshots().makeAsyncIterator()
        #expect(short.snapshot.castButton.state == .connected)
      }
      // News that is on its way holds it until it has been heard.
      while await ended.next() != nil {}
      #expect(forgotten == nil)
      #expect(stage.context.castState == .connected)
    }
  }

  @Test("a session that an earlier process left is shown when it is resumed")
  func resumes() async throws {
    let store = MemorySessions()
    try await Stage.run { stage in
      let first = CastContext(
        options: {
          var options = CastOptions()
          options.startsDiscoveryAutomatically = false
          options.sessionStore = store
          return options
        }())
      let session = try await first.sessionManager.startSession(with: stage.device)
      _ = try await session.remoteMediaClient.load(stage.film("film")).value
      let saved = store.load()
      // The process dies: the session ends, and stays stored.
      await session.leave()
      store.save(saved)
      var options = CastOptions()
      options.startsDiscoveryAutomatically = false
      options.sessionStore = store
      options.resumesSessionsAutomatically = false
      let second = CastContext(options: options)
      let presenter = CastPresenter(context: second, introductions: MemoryIntroduction())
      #expect(presenter.snapshot.castButton.state == .noDevices)
      _ = try await second.sessionManager.resumeSavedSession()
      let shown = await presenter.wait { $0.castButton.state == .connected && $0.media.title == "film" }
      #expect(shown.media.playbackState == .playing)
      try await presenter.perform(.stopCasting)
    }
  }
}

/// Real time, whose reader is held up at one of the readings until `start()`.
private final class StoppedClock: Sendable {
  let stops: AsyncStream<Void>
  private let sink: AsyncStream<Void>.Continuation
  private let number: Int
  private let readings = Mutex(0)
  private let gate = DispatchSemaphore(value: 0)

  init(at number: Int) {
    self.number = number
    (stops, sink) = AsyncStream.makeStream(of: Void.self)
  }

  /// A presenter with this clock, created on a thread that may be held up.
  func present(_ context: CastContext) async -> CastPresenter {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: CastPresenter(
            context: context, introductions: MemoryIntroduction(), time: self.source))
      }
    }
  }

  func start() { gate.signal() }

  private var source: TimeSource {
    let real = TimeSource.continuous
    return TimeSource(
      now: { [self] in
        let reading = readings.withLock { count in
          count += 1
          return count
        }
        if reading == number {
          sink.yield()
          gate.wait()
        }
        return real.now()
      }, sleep: real.sleep, wallMilliseconds: real.wallMilliseconds)
  }
}

private final class MemorySessions: SessionStore {
  private let saved = Mutex<SavedSession?>(nil)
  func load() -> SavedSession? { saved.withLock { $0 } }
  func save(_ session: SavedSession?) { saved.withLock { $0 = session } }
}
