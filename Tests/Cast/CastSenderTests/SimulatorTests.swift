import CastProtocol
import CastReceiverSim
import CastSender
import Foundation
import Testing

extension SenderTests {
  /// Sessions over TLS against the simulated receiver.
  @Suite(.timeLimit(.minutes(5))) struct SimulatorTests {
    @Test("a session launches, loads, edits the queue, controls, and stops the application")
    func wholeLife() async throws {
      let device = try await SimulatedDevice.start()
      let session = Session(device: device.device)
      let events = session.events()
      #expect(try await session.start()?.applicationID == "CC1AD845")
      let client = session.remoteMediaClient
      #expect(try await client.requestStatus().value == nil)
      await #expect(throws: CastError(.noMediaSession, "")) { try await client.pause().value }

      let status = try await client.queueLoad(
        ["a", "b", "c"].map { MediaQueueItem(mediaInformation: device.media($0)) }
      ).value
      #expect(status.playerState == .playing || status.playerState == .buffering)
      let ids = try await client.queueFetchItemIDs().value
      #expect(ids.count == 3)
      _ = try await client.queueInsertItems(
        [MediaQueueItem(mediaInformation: device.media("d"), customData: ["entry": 4])],
        beforeItemWithID: ids[1]
      ).value
      let grown = try await client.queueFetchItemIDs().value
      #expect(grown.count == 4)
      #expect(
        try await client.queueFetchItems(withIDs: [grown[1]]).value.first?.customData?["entry"]?.int == 4)
      #expect(try await client.pause().value?.playerState == .paused)
      #expect(try await client.play().value?.playerState == .playing)
      #expect(try await client.queueSetRepeatMode(.all).value?.queueRepeatMode == .all)
      _ = try await client.queueReorderItems(withIDs: [grown[3]], beforeItemWithID: grown[0]).value
      #expect(try await client.queueFetchItemIDs().value.first == grown[3])
      _ = try await client.queueRemoveItems(withIDs: [grown[3]]).value
      _ = try await client.seek(to: 2).value
      #expect(try await client.setStreamMuted(true).value?.volume?.isMuted == true)
      _ = try await client.queueJumpToItem(withID: grown[2]).value
      #expect(abs(try await session.setDeviceVolume(0.25).value.volume?.level ?? 0) - 0.25 < 0.01)
      #expect(try await session.setDeviceMuted(true).value.volume?.isMuted == true)
      await #expect(throws: CastError(.mediaLoadFailed, "")) {
        try await client.load(device.media("nope")).value
      }
      #expect(try await client.load(device.media("a")).value.mediaInformation?.url == device.media("a").url)
      try await session.stopApplication()

      var last: SessionEvent?
      var wasLaunched = false
      for await event in events {
        last = event
        if event == .launching { wasLaunched = true }
      }
      #expect(wasLaunched && last == .ended(nil))
      try await device.stop()
    }

    @Test("an observer finds nothing running, then what others have started, and is not seen")
    func observes() async throws {
      let device = try await SimulatedDevice.start()
      let observer = SessionOptions(purpose: .observe(applicationID: nil))
      let first = Session(device: device.device, options: observer)
      #expect(try await first.start() == nil)
      await first.leave()
      let player = Session(device: device.device)
      try await player.start()
      _ = try await player.remoteMediaClient.load(device.media("a")).value
      let second = Session(device: device.device, options: observer)
      #expect(try await second.start()?.applicationID == "CC1AD845")
      #expect(second.mediaStatus?.mediaInformation?.url == device.media("a").url)
      await second.leave()
      await player.leave()
      try await device.stop()
    }

    @Test(
      "what goes wrong is told apart",
      arguments: [
        (["launch-error=NOT_FOUND"], .applicationNotFound), (["launch-error=NOT_ALLOWED"], .notAllowed),
        (["launch-error=CANCELLED"], .launchRequestCancelled), (["launch-error=SYSTEM_ERROR"], .launchFailed),
        (["silent"], .timeout), (["drop-connection=LAUNCH"], .disconnected),
        (["close-after-connect"], .applicationNotRunning), (["swallow-reply=LAUNCH"], nil),
        (["launch-error=CANCELLED#1"], nil), (["response-type", "web-transport", "half-frames"], nil),
      ] as [([String], CastError.Code?)])
    func tellsFailuresApart(_ faults: [String], _ code: CastError.Code?) async throws {
      let device = try await SimulatedDevice.start(faults)
      var options = SessionOptions()
      // What answers has the time to do so, on a busy computer, too.
      let isMute = faults == ["silent"] || faults == ["swallow-reply=LAUNCH"]
      options.requestTimeout = .seconds(isMute ? 2 : 60)
      let session = Session(device: device.device, options: options)
      do {
        try await session.start()
        #expect(code == nil)
      } catch {
        #expect(error.code == code, "\(error)")
      }
      await session.leave()
      try await device.stop()
    }

    @Test("another sender's stop ends the session and says so")
    func noticesTheEnd() async throws {
      let device = try await SimulatedDevice.start()
      let session = Session(device: device.device)
      let events = session.events()
      try await session.start()
      let other = Session(device: device.device)
      try await other.start()
      try await other.stopApplication()
      var last: SessionEvent?
      for await event in events { last = event }
      #expect(last == .ended(CastError(.applicationNotRunning, "")))
      try await device.stop()
    }

    @Test("200 sessions at once start, ask and leave, and no socket is left")
    func manySessions() async throws {
      let device = try await SimulatedDevice.start()
      let opener = Session(device: device.device)
      try await opener.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask {
            let session = Session(device: device.device)
            try await session.start()
            #expect(try await session.remoteMediaClient.requestStatus().value == nil)
            if index.isMultiple(of: 10) { _ = try await session.requestReceiverStatus().value }
            await session.leave()
          }
        }
        try await group.waitForAll()
      }
      _ = try await opener.requestReceiverStatus().value
      let left = try Self.socketsToPort(device.server.port)
      #expect(left == 1)
      await opener.leave()
      #expect(try Self.socketsToPort(device.server.port) == 0)
      try await device.stop()
    }

    /// Descriptors of this process that are connected to a port of loopback.
    static func socketsToPort(_ port: Int) throws -> Int {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        Int32($0)
      }
      return descriptors.count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
      }
    }
  }
}
