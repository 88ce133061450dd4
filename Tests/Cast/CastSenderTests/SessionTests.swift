import CastProtocol
import CastSender
import Testing

/// All tests of the sender, one after the other: some of them count what the process holds.
@Suite(.serialized) enum SenderTests {}

extension SenderTests {
  /// The actor around the machine, without a network.
  @Suite struct SessionTests {
    private static func session(
      _ purpose: SessionPurpose = .device, _ transport: ScriptedTransport,
      time: TimeSource = ManualTime().source
    ) -> Session {
      Session(
        device: Device(endpoint: DeviceEndpoint(host: "tv")),
        options: SessionOptions(purpose: purpose, reconnection: nil),
        transport: transport, time: time)
    }

    @Test("subscribers see everything from the call to the end, and late ones see the end")
    func tellsEverything() async throws {
      let session = Self.session(.observe(applicationID: nil), ScriptedTransport())
      let events = session.events()
      #expect(try await session.start() == nil)
      #expect(session.receiverStatus?.volume?.level == 0.5)
      #expect(await session.end(.leave) == nil)
      var seen: [SessionEvent] = []
      for await event in events { seen.append(event) }
      let status = try #require(seen.count == 4 ? seen[1] : nil)
      guard case .receiverStatus = status else { throw CastError(.invalidState, "\(seen)") }
      #expect(seen[0] == .connecting && seen[2] == .active(nil) && seen[3] == .ended(nil))
      var late = session.events().makeAsyncIterator()
      #expect(await late.next() == .ended(nil))
      #expect(await late.next() == nil)
    }

    @Test("a session is started once, and used only between start and end")
    func refusesMisuse() async throws {
      let session = Self.session(.device, ScriptedTransport())
      await #expect(throws: CastError(.sessionIsNotActive, "")) { try await session.setDeviceVolume(1).value }
      try await session.start()
      await #expect(throws: CastError(.invalidState, "")) { try await session.start() }
      await #expect(throws: CastError(.applicationNotRunning, "")) {
        _ = try await session.remoteMediaClient.pause().value
      }
      await #expect(throws: CastError(.invalidRequest, "")) {
        try await session.remoteMediaClient.load(nil).value
      }
      await session.leave()
      await session.leave()
      await #expect(throws: CastError(.sessionIsNotActive, "")) { try await session.setDeviceVolume(1).value }
      await #expect(throws: CastError(.invalidState, "")) { try await session.start() }
    }

    @Test("a session that was ended before it was started is not started, and says so")
    func endsBeforeStart() async throws {
      let session = Self.session(.device, ScriptedTransport())
      await session.leave()
      await #expect(throws: CastError(.cancelled, "")) { try await session.start() }
    }

    @Test("a device that falls silent ends the session by the given clock")
    func diesOfSilence() async throws {
      let time = ManualTime()
      let session = Self.session(.device, ScriptedTransport(), time: time.source)
      let events = session.events()
      try await session.start()
      await time.waitForSleeper()
      time.advance(by: .seconds(16))
      var last: SessionEvent?
      for await event in events { last = event }
      #expect(last == .ended(CastError(.networkError, "")))
      #expect(await session.end(.leave) == CastError(.networkError, ""))
    }

    @Test("a PING waits for those of other sessions, a tenth of a second at most")
    func pingsTogether() async throws {
      let (pings, ping) = AsyncStream.makeStream(of: Void.self)
      let transport = ScriptedTransport(script: { message in
        if message == HeartbeatMachine.ping { ping.yield() }
        return ScriptedTransport.restingDevice(message)
      })
      let time = ManualTime()
      var source = time.source
      source.grain = TimeSource.continuous.grain
      time.advance(by: .milliseconds(30))
      let session = Self.session(.device, transport, time: source)
      try await session.start()
      await time.waitForSleeper()
      time.advance(by: HeartbeatMachine.pingAfter)
      for _ in 0..<20 { await session.settle() }
      #expect(!transport.sentTypes.contains("PING"))
      time.advance(by: .milliseconds(70))
      for await _ in pings { break }
      await session.leave()
    }

    @Test("nothing is left of a session that has ended: not even itself", arguments: [false, true])
    func leavesNothing(endsByPeer: Bool) async throws {
      let (gone, signal) = AsyncStream.makeStream(of: Void.self)
      do {
        let transport = ScriptedTransport(onDeinit: { signal.finish() })
        let session = Self.session(.device, transport)
        try await session.start()
        let events = session.events()
        if endsByPeer {
          transport.say(.closed(.closedByPeer))
          for await _ in events {}
        }
        #expect(await session.end(.leave) == (endsByPeer ? CastError(.disconnected, "") : nil))
      }
      // Finishes when transport and session are deallocated; otherwise the test hangs and fails by its time limit.
      for await _ in gone {}
    }

    @Test("a reader that falls too far behind is cut off, not fooled")
    func cutsOffSlowReaders() async throws {
      let transport = ScriptedTransport()
      let session = Self.session(.device, transport)
      let slow = session.events()
      let latest = session.events(.latest)
      try await session.start()
      let attentive = session.events()
      for _ in 0..<5_000 { transport.say(.message(ScriptedTransport.status(requestID: 0))) }
      for await _ in attentive.prefix(5_000) {}
      await session.leave()
      var count = 0
      var last: SessionEvent?
      for await event in slow { (count, last) = (count + 1, event) }
      #expect(count == 4096)
      #expect(last != .ended(nil))
      var newest: [SessionEvent] = []
      for await event in latest { newest.append(event) }
      #expect(newest == [.ended(nil)])
    }

    @Test("a cancelled caller is told so at once, and the session goes on")
    func cancelsCallers() async throws {
      let transport = ScriptedTransport(script: { (message: CastMessage) -> [CastMessage] in
        guard case .string(let text) = message.payload, !text.contains("SET_VOLUME") else { return [] }
        return ScriptedTransport.restingDevice(message)
      })
      let session = Self.session(.device, transport)
      try await session.start()
      let call = Task {
        await failure { () throws(CastError) in _ = try await session.setDeviceVolume(0.3).value }
      }
      call.cancel()
      #expect(await call.value == .cancelled)
      _ = try await session.requestReceiverStatus().value
      await session.leave()
    }

    @Test("every request of a storm is answered exactly once", arguments: 0..<4)
    func survivesStorms(_ seed: Int) async throws {
      // Answers half of what is asked, some of it twice.
      let transport = ScriptedTransport(script: { (message: CastMessage) -> [CastMessage] in
        let answers = ScriptedTransport.restingDevice(message)
        guard case .string(let text) = message.payload, text.contains("SET_VOLUME") else { return answers }
        var hash = seed
        for byte in text.utf8 { hash = (hash &* 31 &+ Int(byte)) & 0xFFFF }
        return hash.isMultiple(of: 2) ? answers + answers : []
      })
      let session = Self.session(.device, transport)
      try await session.start()
      let outcomes = await withTaskGroup(of: CastError.Code?.self) { group -> [CastError.Code?] in
        for index in 0..<200 {
          group.addTask {
            let call = Task {
              await failure { () throws(CastError) in
                _ = try await session.setDeviceVolume(Double(index) / 200).value
              }
            }
            if (index + seed).isMultiple(of: 5) { call.cancel() }
            if index == 150 { await session.leave() }
            return await call.value
          }
        }
        var outcomes: [CastError.Code?] = []
        for await outcome in group { outcomes.append(outcome) }
        return outcomes
      }
      // A second completion would trap in the continuation, a missing one would hang.
      #expect(outcomes.count == 200)
      let expected: Set<CastError.Code?> = [nil, .cancelled, .replaced, .sessionIsNotActive]
      #expect(expected.isSuperset(of: outcomes))
    }
  }
}

/// What a call throws; nil when it succeeds.
func failure(_ call: @Sendable () async throws(CastError) -> Void) async -> CastError.Code? {
  do throws(CastError) {
    try await call()
    return nil
  } catch {
    return error.code
  }
}
