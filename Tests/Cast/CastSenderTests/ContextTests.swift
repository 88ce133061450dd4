import CastProtocol
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// The context, and the one session it has.
  @Suite(.timeLimit(.minutes(5))) struct ContextTests {
    /// The only test that touches the shared context of the process: it can be made once.
    @Test("the shared context is made once, and is an error before")
    func sharesOne() throws {
      #expect(throws: CastError(.notInitialized, "")) { try CastContext.shared }
      #expect(!CastContext.isSharedInstanceInitialized)
      try CastContext.setSharedInstance(with: CastOptions(receiverApplicationID: "AAAA0001"))
      #expect(try CastContext.shared.options.receiverApplicationID == "AAAA0001")
      #expect(try CastContext.shared.options.discoveryCriteria.applicationIDs == ["AAAA0001"])
      #expect(throws: CastError(.alreadyInitialized, "")) {
        try CastContext.setSharedInstance(with: CastOptions())
      }
    }

    @Test("who chooses pictures, and who keeps them, can be replaced at any time")
    func replacesImages() async throws {
      let context = CastContext()
      let images = [
        Image(url: "http://h/first.png"), Image(url: "http://h/big.png", width: 900, height: 900),
      ]
      let metadata = MediaMetadata(images: images)
      #expect(context.imagePicker.image(from: metadata, hints: ImageHints())?.url == "http://h/first.png")
      context.imagePicker = BestFitImagePicker()
      #expect(context.imagePicker.image(from: metadata, hints: ImageHints())?.url == "http://h/big.png")
      await #expect(throws: CastError(.invalidRequest, "")) {
        try await context.imageCache.image(at: "file:///etc/passwd")
      }
      context.imageCache = OneImage()
      #expect(try await context.imageCache.image(at: "anything").bytes == [1, 2, 3])
    }

    @Test("one session at a time; listeners hear its whole life", arguments: [false, true])
    func managesOneSession(stops: Bool) async throws {
      let device = try await SimulatedDevice.start()
      let context = CastContext.quiet()
      let manager = context.sessionManager
      let life = Life()
      manager.add(life)
      #expect(context.castState == .noDevicesAvailable)
      let session = try await manager.startSession(with: device.device)
      #expect(context.castState == .connected && manager.currentSession === session)
      await #expect(throws: CastError(.invalidState, "")) {
        try await manager.startSession(with: device.device)
      }
      try await manager.endSession(stoppingCasting: stops)
      #expect(context.castState == .noDevicesAvailable && manager.currentSession == nil)
      #expect(life.heard == ["will start", "did start", "will end", "did end -"])
      // The next one finds what the first one left.
      let observer = Session(
        device: device.device, options: SessionOptions(purpose: .observe(applicationID: nil)))
      #expect((try await observer.start() == nil) == stops)
      await observer.leave()
      try await device.stop()
    }

    @Test("the state of a context is told from the present one on, until the context is gone")
    func tellsStates() async throws {
      let device = try await SimulatedDevice.start()
      let silent = try await SimulatedDevice.start(["silent"])
      var context: CastContext? = CastContext.quiet()
      let manager = try #require(context?.sessionManager)
      var states = try #require(context?.castStates()).makeAsyncIterator()
      var heard = [await states.next()]
      _ = try await manager.startSession(with: device.device)
      // A slow reader gets the newest state.
      heard.append(await states.next())
      try await manager.endSession(stoppingCasting: true)
      heard.append(await states.next())
      let attempt = Task { try await manager.startSession(with: silent.device) }
      heard.append(await states.next())
      attempt.cancel()
      await #expect(throws: CastError(.cancelled, "")) { try await attempt.value }
      heard.append(await states.next())
      context = nil
      heard.append(await states.next())
      #expect(
        heard == [
          .noDevicesAvailable, .connected, .noDevicesAvailable, .connecting, .noDevicesAvailable, nil,
        ])
      try await device.stop()
      try await silent.stop()
    }

    @Test("a session that cannot be started is told as such, and leaves room for another")
    func tellsFailure() async throws {
      let device = try await SimulatedDevice.start(["launch-error=NOT_FOUND"])
      let manager = CastContext(options: CastOptions(receiverApplicationID: "00000000")).sessionManager
      let life = Life()
      manager.add(life)
      await #expect(throws: CastError(.applicationNotFound, "")) {
        try await manager.startSession(with: device.device)
      }
      #expect(life.heard == ["will start", "failed application_not_found"])
      #expect(manager.currentSession == nil)
      try await device.stop()
    }
  }
}

/// A cache that has one picture for everything.
private struct OneImage: ImageCache {
  func image(at url: String) async throws(CastError) -> CachedImage {
    CachedImage(bytes: [1, 2, 3], mimeType: "image/png", size: nil, fetchedAt: 0)
  }
  func removeAll() async throws(CastError) {}
}

private final class Life: SessionManagerListener {
  private let words = Mutex<[String]>([])
  var heard: [String] { words.withLock { $0 } }
  private func note(_ word: String) { words.withLock { $0.append(word) } }

  func sessionManager(_ manager: SessionManager, willStart session: Session) { note("will start") }
  func sessionManager(_ manager: SessionManager, didStart session: Session) { note("did start") }
  func sessionManager(_ manager: SessionManager, didFailToStart session: Session, with error: CastError) {
    note("failed \(error.code)")
  }
  func sessionManager(_ manager: SessionManager, willEnd session: Session) { note("will end") }
  func sessionManager(_ manager: SessionManager, didEnd session: Session, with error: CastError?) {
    note("did end \(error.map { "\($0.code)" } ?? "-")")
  }
}
